"use client";

import dynamic from "next/dynamic";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { algorithmName, limitText } from "./run/algorithm-names.ts";
import { type Comparison, edgesIn, type Outcome } from "./run/compare.ts";

const PermittedChart = dynamic(
  () => import("@/components/charts/lab-permitted-chart.tsx").then((module) => module.PermittedChart),
  { ssr: false, loading: () => <Skeleton className="h-60 w-full" /> },
);

export interface LimiterCardProps {
  side: "A" | "B";
  outcome: Outcome;
  comparison: Comparison;
}

export function LimiterCard({ side, outcome, comparison }: LimiterCardProps) {
  const { limiter, simulation } = outcome;
  const { requests, permitted } = simulation;
  const name = algorithmName(limiter.algorithm);
  const { heavy, fromSeconds, untilSeconds } = comparison;
  return (
    <Card
      title={`${side} · ${name}`}
      hint={limitText(limiter)}
      actions={
        <p className="text-cell text-text-2">
          <b className="font-semibold text-text">{countText(permitted)}</b> of {countText(requests)} permitted
          {requests > 0 && `, ${Math.round((100 * permitted) / requests)}%`}
        </p>
      }
    >
      <PermittedChart
        caption={`Requests, and those that limiter ${side}, ${name}, permits`}
        sums={outcome.sums}
        marks={outcome.marks}
        heavy={heavy}
        edges={edgesIn(limiter, comparison)}
        fromSeconds={fromSeconds}
        untilSeconds={untilSeconds}
        top={requests}
      />
    </Card>
  );
}
