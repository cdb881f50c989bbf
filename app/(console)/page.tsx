import type { Metadata } from "next";
import { rangeShown, readLiveView } from "@/components/console/live-view.ts";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { Overview } from "@/components/overview/overview.tsx";
import { latestChanges, latestDenials, topOffenders } from "@/components/overview/page-reads.ts";
import { getAuditPage } from "@/lib/console/audit/read-page.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getFeed, getOffenders, getOverview } from "@/lib/console/stats/stats-reads.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { overview } from "@/lib/queries/overview.ts";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: PageSearch }) {
  const { role } = await requireSignedIn();
  const { app, ...view } = readLiveView(await readPageSearch(searchParams));
  const range = rangeShown(view, Date.now());
  const reads = [
    pageRead(overview({ range, app }), getOverview, {}),
    pageRead(topOffenders(app), getOffenders, {}),
    pageRead(latestDenials(app), getFeed, {}),
    pageRead(latestChanges(), getAuditPage, {}),
  ];
  return (
    <Prefetched reads={reads}>
      <LiveProvider>
        <Overview mayChange={may(role, "lists")} />
      </LiveProvider>
    </Prefetched>
  );
}
