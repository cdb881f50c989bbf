"use client";

import dynamic from "next/dynamic";
import { LiveControls } from "@/components/console/live-controls.tsx";
import { wholeOf } from "@/components/console/live-view.ts";
import { RangeControls } from "@/components/console/range-controls.tsx";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { TopOffenders } from "@/components/offenders/top-offenders.tsx";
import { Card } from "@/components/ui/card.tsx";
import { useNow } from "@/components/ui/now.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { counted, rateText, secondsText, spanText } from "@/components/ui/value-text.ts";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import { overview } from "@/lib/queries/overview.ts";
import type { Status } from "@/lib/queries/status.ts";
import { Denials } from "./denials.tsx";
import { NumbersCard, NumbersSkeleton, type VerdictsProps } from "./numbers-card.tsx";
import { SituationCard } from "./situation-card.tsx";

const cards = () => <Skeleton className="h-64 w-full" />;

/** Loaded after the page: they are not what is read first. */
const Unconnected = dynamic(() => import("./unconnected.tsx").then((module) => module.Unconnected), {
  ssr: false,
  loading: cards,
});
const Fleet = dynamic(() => import("./fleet.tsx").then((module) => module.Fleet), {
  ssr: false,
  loading: cards,
});

/** Overview for the engineer on call: attacks, offenders, enforcement and the latest changes. */
export function Overview({ mayChange }: { mayChange: boolean }) {
  const { known } = useStanding();
  const { zoom } = useLive();
  const isConnected = known !== undefined && appsOf(known).length > 0;
  return (
    <>
      <PageHeader
        title="Overview"
        facts={zoom ? `${spanText(zoom)} UTC` : known && sayFleet(known)}
        actions={
          isConnected && (
            <LiveControls apps={appsOf(known)}>
              <RangeControls />
            </LiveControls>
          )
        }
      />
      <SituationCard mayChange={mayChange} />
      {isConnected ? <LiveOverview mayChange={mayChange} /> : <Unconnected />}
      <Fleet />
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
      <Denials />
    </>
  );
}

function Verdicts() {
  const { app, range, zoom } = useLive();
  const read = useLiveQuery(overview({ range, app, zoom }), range === "15m" && !zoom ? 1_000 : 5_000);
  const isStale = useStaleSince(read) !== undefined;
  return (
    <ReadState read={read} name="the requests" skeleton={<VerdictsSkeleton />} isFramed>
      {(data) => (
        <div className={chartAndNumbers}>
          <VerdictCard data={data} isStale={isStale} />
          <NumbersCard data={data} isStale={isStale} />
        </div>
      )}
    </ReadState>
  );
}

/** On narrow windows the numbers come first. */
const chartAndNumbers = "grid gap-3 lg:grid-cols-[minmax(0,1fr)_272px] max-lg:[&>:last-child]:order-first";

function VerdictsSkeleton() {
  return (
    <div className={chartAndNumbers}>
      <Card title="Requests by verdict">
        <Skeleton className="h-64 w-full max-md:h-48" />
      </Card>
      <NumbersSkeleton />
    </div>
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
      hint={
        isStale
          ? `per second · unknown since ${secondsText(data.asOf)}`
          : data.average
            ? "average per second"
            : "per second"
      }
      actions={
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-cell">
          {legend.map((kind) => (
            <li key={kind} className="flex items-center gap-1.5">
              <VerdictIcon verdict={kind} />
              <span className="text-text-2">{verdictWords[kind]}</span>
              {!isStale && data.average?.known !== 0 && (
                <span className="font-semibold">{rateText((data.average?.rates ?? data.now)[kind])}</span>
              )}
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
          whole: wholeOf({ range, zoom }, data.asOf),
          onChange: (span) => look({ zoom: span }),
        }}
      />
    </Card>
  );
}
