import type { Metadata } from "next";
import { readLiveView } from "@/components/console/live-view.ts";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { Offenders } from "@/components/offenders/offenders.tsx";
import { allOffenders } from "@/components/offenders/page-reads.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getOffenders } from "@/lib/console/stats/stats-reads.ts";
import { may } from "@/lib/manage/users/roles.ts";

export const metadata: Metadata = { title: "Offenders" };

export default async function OffendersPage({ searchParams }: { searchParams: PageSearch }) {
  const { role } = await requireSignedIn();
  const { app } = readLiveView(await readPageSearch(searchParams));
  return (
    <Prefetched reads={[pageRead(allOffenders(app), getOffenders, {})]}>
      <LiveProvider>
        <Offenders mayChange={may(role, "lists")} />
      </LiveProvider>
    </Prefetched>
  );
}
