"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { Card } from "../../../../components/ui/card.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import type { ClientReply } from "../../../../lib/queries/client.ts";
import { periodText } from "../../_live/offender-words.ts";
import { decayed } from "./client-words.ts";

const EstimateChart = dynamic(
  () => import("../../../../components/charts/estimate-chart.tsx").then((module) => module.EstimateChart),
  { ssr: false, loading: () => <Skeleton className="h-56 w-full" /> },
);

interface Point {
  readonly at: number;
  readonly estimate: number;
}

/** What is kept while the page is open. */
const mostPoints = 600;
const aheadSteps = 30;

/** How fast it comes, beside the limit; and when it would be clear if it stopped now. */
export function EstimateCard({ told }: { told: ClientReply }) {
  const level = told.steps.flatMap(({ rules }) => rules).find(({ algorithm }) => algorithm === "earrrl");
  const points = useKept(told.asOf, level?.used);
  if (!level) return null;
  const ahead = Math.max(2 * level.resetSeconds, level.periodSeconds, 10);
  const future = Array.from({ length: aheadSteps + 1 }, (_, i) => {
    const seconds = (ahead * i) / aheadSteps;
    return { at: told.asOf + seconds * 1_000, estimate: decayed(level.used, level.periodSeconds, seconds) };
  });
  return (
    <Card
      title="EARRRL estimate"
      hint={`requests per second · ${level.name} · half-life ${periodText(level.periodSeconds)}`}
    >
      <EstimateChart
        past={points}
        future={future}
        limit={level.limit}
        clearsAt={level.isOver ? told.asOf + level.resetSeconds * 1_000 : undefined}
        nowMs={told.asOf}
      />
    </Card>
  );
}

function useKept(at: number, estimate: number | undefined): readonly Point[] {
  const [points, setPoints] = useState<readonly Point[]>([]);
  useEffect(() => {
    if (estimate === undefined) return;
    setPoints((before) => [...before.filter((one) => one.at < at), { at, estimate }].slice(-mostPoints));
  }, [at, estimate]);
  return points;
}
