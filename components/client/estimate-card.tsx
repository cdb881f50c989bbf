import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { withGaps } from "@/components/charts/missing.ts";
import { periodText } from "@/components/offenders/period-text.ts";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { ClientReply } from "@/lib/queries/client.ts";
import { decayed } from "./client-words.ts";
import { clientMarkers } from "./page-reads.ts";

const EstimateChart = dynamic(
  () => import("@/components/charts/estimate-chart.tsx").then((module) => module.EstimateChart),
  { ssr: false, loading: () => <Skeleton className="h-56 w-full" /> },
);

/** Longest time between two points without a gap. */
const mostApartMs = 8_000;
const markersEveryMs = 5_000;
const aheadSteps = 30;

/** Rate of the client and the limit; when the client would be under the limit if its requests stopped now. */
export function EstimateCard({ told }: { told: ClientReply }) {
  const level = told.steps.flatMap(({ rules }) => rules).find(({ algorithm }) => isRate(algorithm));
  const changes = useQuery({ ...clientMarkers(told.client), refetchInterval: markersEveryMs });
  if (!level) return null;
  const ahead = Math.max(2 * level.resetSeconds, level.periodSeconds, 10);
  const future = Array.from({ length: aheadSteps + 1 }, (_, i) => {
    const seconds = (ahead * i) / aheadSteps;
    return { at: told.asOf + seconds * 1_000, estimate: decayed(level.used, level.periodSeconds, seconds) };
  });
  const { points: past, gaps } = withGaps(told.estimates, mostApartMs);
  return (
    <Card
      title="EARRRL estimate"
      hint={`requests per second · ${level.name} · half-life ${periodText(level.periodSeconds)}`}
    >
      <EstimateChart
        past={past}
        gaps={gaps}
        future={future}
        limit={level.limit}
        clearsAt={level.isOver ? told.asOf + level.resetSeconds * 1_000 : undefined}
        nowMs={told.asOf}
        markers={changes.data?.markers}
        off={changes.data?.off}
      />
    </Card>
  );
}
