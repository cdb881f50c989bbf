"use client";

import dynamic from "next/dynamic";
import { spanOf } from "@/components/console/live-view.ts";
import { useLive } from "@/components/console/use-live.tsx";
import { Card } from "@/components/ui/card.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { rateText, secondsText } from "@/components/ui/value-text.ts";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import type { OverviewReply } from "@/lib/queries/overview.ts";

/** Loaded on its own: the chart's library is large, and the numbers do not wait for it. */
const VerdictChart = dynamic(
  () => import("@/components/charts/verdict-chart.tsx").then((module) => module.VerdictChart),
  { ssr: false, loading: () => <Skeleton className="h-64 w-full max-md:h-48" /> },
);

const legend = ["blocked", "throttled", "pass", "safelisted"] as const;

interface VerdictCardProps {
  data: OverviewReply;
  /** Newer data fails to load: the chart shows the time since then as unknown. */
  isStale: boolean;
}

export function VerdictCard({ data, isStale }: VerdictCardProps) {
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
