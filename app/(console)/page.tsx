import type { Metadata } from "next";
import { readLiveView } from "@/components/console/live-view.ts";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { allOffenders } from "@/components/offenders/page-reads.ts";
import { Overview } from "@/components/overview/overview.tsx";
import {
  latestChanges,
  latestDenials,
  pathsQuery,
  situationQuery,
} from "@/components/overview/page-reads.ts";
import { getAuditPage } from "@/lib/console/audit/read-page.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getSituation } from "@/lib/console/stats/read-situation.ts";
import { getDeniedPaths, getFeed, getOffenders, getOverview } from "@/lib/console/stats/stats-reads.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { overview } from "@/lib/queries/overview.ts";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: PageSearch }) {
  const { role } = await requireSignedIn();
  const { app, range, zoom } = readLiveView(await readPageSearch(searchParams));
  const reads = [
    pageRead(situationQuery(app), getSituation, {}),
    pageRead(overview({ range, app, zoom }), getOverview, {}),
    pageRead(allOffenders(app), getOffenders, {}),
    pageRead(latestDenials(app), getFeed, {}),
    pageRead(pathsQuery(app), getDeniedPaths, {}),
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
