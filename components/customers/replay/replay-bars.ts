import type { Bar, Layer } from "@/components/charts/day-layers.tsx";
import type { ReplayHour } from "@/lib/queries/customer-day.ts";

interface ReplayBars {
  readonly layers: readonly Layer[];
  readonly bars: readonly Bar[];
}

const compared: readonly Layer[] = [
  { name: "Passes either way", verdict: "pass", look: "plain" },
  { name: "Denied either way", verdict: "throttled", look: "plain" },
  { name: "Denied before, would pass", verdict: "throttled", look: "hatched" },
  { name: "Passed before, would be denied", verdict: "throttled", look: "crossed" },
];

const alone: readonly Layer[] = [
  { name: "Passes", verdict: "pass", look: "plain" },
  { name: "Would be denied", verdict: "throttled", look: "hatched" },
];

/** Layers of which there is nothing are left out. */
export function replayBars(hours: readonly ReplayHour[], isWanted: boolean): ReplayBars {
  const bars = hours.map((hour) => ({ at: hour.at, values: isWanted ? comparedIn(hour) : aloneIn(hour) }));
  const kept = (isWanted ? compared : alone).flatMap((layer, i) =>
    i === 0 || bars.some(({ values }) => (values[i] ?? 0) > 0) ? [{ layer, i }] : [],
  );
  return {
    layers: kept.map(({ layer }) => layer),
    bars: bars.map(({ at, values }) => ({ at, values: kept.map(({ i }) => values[i] ?? 0) })),
  };
}

function comparedIn({ requests, before, after }: ReplayHour): number[] {
  return [
    requests - Math.max(before, after),
    Math.min(before, after),
    Math.max(0, before - after),
    Math.max(0, after - before),
  ];
}

function aloneIn({ requests, before }: ReplayHour): number[] {
  return [requests - before, before];
}
