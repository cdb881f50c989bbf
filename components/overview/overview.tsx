"use client";

import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { LiveControls } from "@/components/console/live-controls.tsx";
import { rangeShown, spanOf } from "@/components/console/live-view.ts";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { TilesSkeleton } from "@/components/console/skeletons.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { CounterTable, EstimateTable } from "@/components/offenders/offender-tables.tsx";
import { Card } from "@/components/ui/card.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { counted, rateText, secondsText } from "@/components/ui/value-text.ts";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import type { OffendersReply } from "@/lib/queries/offenders.ts";
import { overview } from "@/lib/queries/overview.ts";
import type { Status } from "@/lib/queries/status.ts";
import { ConnectCard } from "./connect-card.tsx";
import { FeedCard } from "./feed-card.tsx";
import { LatestCard } from "./latest-card.tsx";
import { NodesCard } from "./nodes-card.tsx";
import { mostOffenders, topOffenders } from "./page-reads.ts";
import { RulesCard } from "./rules-card.tsx";
import { Tiles } from "./tiles.tsx";
import { type VerdictsProps, VerdictTiles } from "./verdict-tiles.tsx";

/** Overview for the engineer on call: attacks, offenders, enforcement and the latest changes. */
export function Overview({ mayChange }: { mayChange: boolean }) {
  const { known } = useStanding();
  const isConnected = known !== undefined && appsOf(known).length > 0;
  return (
    <>
      <PageHeader
        title="Overview"
        facts={known && sayFleet(known)}
        actions={isConnected && <LiveControls apps={appsOf(known)} />}
      />
      {isConnected ? <LiveOverview mayChange={mayChange} /> : <Tiles />}
      {known && !isConnected && <ConnectCard known={known} />}
      <NodesCard />
      <div className="grid items-start gap-3 lg:grid-cols-[2fr_1fr]">
        <LatestCard />
        <RulesCard />
      </div>
    </>
  );
}

function sayFleet(known: Status): string {
  return `${counted(appsOf(known).length, "app")} · ${counted(known.nodes.length, "node")}`;
}

/** Shows the engineer on call whether there is an attack and by which clients, with buttons to block them. */
function LiveOverview({ mayChange }: { mayChange: boolean }) {
  return (
    <>
      <Verdicts />
      <TopOffenders mayChange={mayChange} />
      <FeedCard />
    </>
  );
}

function Verdicts() {
  const { app, ...view } = useLive();
  const range = rangeShown(view, useNow());
  const read = useLiveQuery(overview({ range, app }), range === "15m" ? 1_000 : 5_000);
  const isStale = useStaleSince(read) !== undefined;
  return (
    <ReadState read={read} name="the requests" skeleton={<VerdictsSkeleton />} isFramed>
      {(data) => (
        <>
          <VerdictTiles data={data} isStale={isStale} />
          <VerdictCard data={data} isStale={isStale} />
        </>
      )}
    </ReadState>
  );
}

function VerdictsSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <TilesSkeleton tiles={6} />
      <Card title="Requests by verdict">
        <Skeleton className="h-64 w-full max-md:h-48" />
      </Card>
    </div>
  );
}

function TopOffenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const top = useLiveQuery(topOffenders(app), 1_000);
  const isStale = useStaleSince(top) !== undefined;
  const table = { read: top, skeletonRows: mostOffenders, mayChange, actions: <AllOffenders /> };
  return (
    <div className="grid items-start gap-3 min-[1760px]:grid-cols-2">
      <CounterTable {...table} hint={top.data && !isStale && sayOver(top.data)} />
      <EstimateTable {...table} />
    </div>
  );
}

/** Undefined while the counters are unavailable. */
function sayOver({ over }: OffendersReply): string | undefined {
  return over === null ? undefined : `${over} over a limit`;
}

function AllOffenders() {
  return (
    <LinkButton href="/offenders" variant="ghost" size="sm">
      All offenders
      <ChevronRight />
    </LinkButton>
  );
}

/** Loaded on its own: the chart's library is large, and the numbers do not wait for it. */
const VerdictChart = dynamic(
  () => import("@/components/charts/verdict-chart.tsx").then((module) => module.VerdictChart),
  { ssr: false, loading: () => <Skeleton className="h-64 w-full max-md:h-48" /> },
);

const legend = ["blocked", "throttled", "pass", "safelisted"] as const;

function VerdictCard({ data, isStale }: VerdictsProps) {
  const { range, zoom, look } = useLive();
  const now = useNow();
  return (
    <Card
      title="Requests by verdict"
      hint={isStale ? `per second · unknown since ${secondsText(data.asOf)}` : "per second"}
      actions={
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-cell">
          {legend.map((kind) => (
            <li key={kind} className="flex items-center gap-1.5">
              <VerdictIcon verdict={kind} />
              <span className="text-text-2">{verdictWords[kind]}</span>
              {!isStale && <span className="font-semibold">{rateText(data.now[kind])}</span>}
            </li>
          ))}
        </ul>
      }
    >
      <VerdictChart
        points={data.points}
        markers={data.markers}
        off={data.off}
        stepSeconds={data.stepSeconds}
        asOf={data.asOf}
        caption="Requests per second by verdict"
        untilMs={isStale ? Math.max(data.asOf, now) : undefined}
        zoom={{
          span: zoom,
          whole: spanOf(range, data.asOf),
          onChange: (span) => look({ zoom: span }),
        }}
      />
    </Card>
  );
}
