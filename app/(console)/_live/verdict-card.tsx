"use client";

import dynamic from "next/dynamic";
import { rateText, secondsText } from "../../../components/charts/axis-text.ts";
import { Card } from "../../../components/ui/card.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { VerdictIcon, verdictWords } from "../../../components/ui/verdicts.tsx";
import type { OverviewReply } from "../../../lib/queries/overview.ts";

/** The chart's library is large, and the numbers need not wait for it. */
const VerdictChart = dynamic(
  () => import("../../../components/charts/verdict-chart.tsx").then((module) => module.VerdictChart),
  { ssr: false, loading: () => <Skeleton className="h-64 w-full max-md:h-48" /> },
);

const legend = ["blocked", "throttled", "pass", "safelisted"] as const;

interface VerdictCardProps {
  data: OverviewReply;
  /** For how long nothing newer could be read. */
  staleMs: number | undefined;
}

export function VerdictCard({ data, staleMs }: VerdictCardProps) {
  const isStale = staleMs !== undefined;
  return (
    <Card
      title="Requests by verdict"
      hint={isStale ? `per second · no data since ${secondsText(data.asOf)} UTC` : "per second"}
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
        stepSeconds={data.stepSeconds}
        caption="Requests per second by verdict"
        untilMs={isStale ? data.asOf + staleMs : undefined}
      />
    </Card>
  );
}
