import type { Bar } from "@/components/charts/day-layers.tsx";
import { counted, durationText } from "@/components/ui/value-text.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { type CustomerDay, minutesShown } from "@/lib/queries/customer-day.ts";

const minuteMs = 60_000;

const steps = ["60", "300", "3600"] as const;
/** In seconds. */
export type Step = (typeof steps)[number];

/** The longest level that one of the steps is as long as: its limit can be drawn. */
export function usualStep(levels: readonly Level[]): Step {
  const periods = new Set(levels.map(({ periodSeconds }) => String(periodSeconds)));
  return steps.toReversed().find((step) => periods.has(step)) ?? "300";
}

type Minutes = Pick<CustomerDay, "firstMinute" | "requests" | "denied" | "unknown">;

/** Passed, and denied on top of it; steps lie as windows of that length do. */
export function usageBars({ firstMinute, requests, denied }: Minutes, stepSeconds: number): Bar[] {
  const length = stepSeconds / 60;
  const bars = new Map<number, { at: number; values: [number, number] }>();
  for (const [i, count] of requests.entries()) {
    const step = Math.floor((firstMinute + i) / length);
    const bar = bars.get(step) ?? { at: step * length * minuteMs, values: [0, 0] };
    bars.set(step, bar);
    const turnedAway = Math.min(count, denied[i] ?? 0);
    bar.values[0] += count - turnedAway;
    bar.values[1] += turnedAway;
  }
  return [...bars.values()];
}

/** Times of which nothing is known. */
export function gapsOf({ firstMinute, unknown }: Minutes): { from: number; until: number }[] {
  return unknown.map(([from, count]) => ({
    from: (firstMinute + from) * minuteMs,
    until: (firstMinute + from + count) * minuteMs,
  }));
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The running minute and the one before may not have been reported yet. */
const young = 2;

/** `3 h 20 min of the last 24 h`, or `the last 24 h`. */
export function sayKnown(knownMinutes: number): string {
  if (knownMinutes >= minutesShown - young) return "the last 24 h";
  return knownMinutes === 0
    ? "no data of the last 24 h"
    : `${durationText(knownMinutes * 60_000)} of the last 24 h`;
}

/** What is not there, and why a number may be too small. */
export function sayGaps({ unknown }: Pick<CustomerDay, "unknown">): string {
  const minutes = unknown.reduce((sum, [, count]) => sum + count, 0);
  const few = "Counts may be low: in busy minutes, nodes report only the busiest clients.";
  if (minutes <= young) return few;
  return `Hatched: ${durationText(minutes * 60_000)} without any report, in ${counted(unknown.length, "stretch", "stretches")}. ${few}`;
}

/** Why no sample is shown, of so many requests or denials of the day. */
export function sayNoSample(count: number, what: "request" | "denial"): string {
  if (count === 0) return `No ${what} of this customer was recorded in the last 24 h.`;
  return `No sample of ${counted(count, what)}: samples are kept for the 500 customers with most denials, and the 500 with most other requests.`;
}
