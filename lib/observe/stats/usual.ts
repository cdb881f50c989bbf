import { at } from "../../at.ts";
import { fields } from "../../enforce/stats/fields.ts";
import { type Bucket, knownSeconds, type Series, sumOf } from "./series.ts";

/** What a rate usually is at an hour of the day, per second. */
export interface UsualRate {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Rates of the same hour on earlier days. */
export interface Usual {
  readonly requests: UsualRate;
  readonly denied: UsualRate;
  /** Number of days that it was computed from. */
  readonly days: number;
}

/** A time in which denials were not as usual: the mode was off. Null while it is. */
interface UnusualTime {
  readonly from: number;
  readonly until: number | null;
}

const hourMs = 3_600_000;
/** Buckets of an hour are kept for eight days. */
const earlierDays = 7;
/** With fewer days, nothing is usual. */
const leastDays = 3;
/** An hour counts if nodes reported in at least this share of its seconds: the others are unknown. */
const leastKnown = 2 / 3;

/**
 * The usual rates at this hour of the day, from the same hour of the seven days before: their median, and a band of three median
 * deviations around it, but of at least a quarter of the median and of the variation of a single minute. A day on which the mode
 * was off at that hour is left out. Undefined with fewer than three days.
 */
export async function readUsual(
  series: Pick<Series, "read">,
  { app, nowMs, off }: { app?: string | undefined; nowMs: number; off: readonly UnusualTime[] },
): Promise<Usual | undefined> {
  const hours = await series.read(3_600, earlierDays * 24 + 1, nowMs);
  const known = Array.from({ length: earlierDays }, (_, day) => at(hours, day * 24)).filter(
    (hour) => isKnown(hour, app) && !off.some((span) => overlaps(hour, span)),
  );
  if (known.length < leastDays) return undefined;
  const rates = (outcomes: readonly string[]) =>
    usualOf(known.map((hour) => outcomes.reduce((sum, name) => sum + sumOf([hour], name, app), 0) / 3_600));
  return {
    requests: rates(["safelisted", "pass", "throttled", "blocked"].map(fields.outcome)),
    denied: rates(["throttled", "blocked"].map(fields.outcome)),
    days: known.length,
  };
}

/** @param rates of earlier days, per second */
export function usualOf(rates: readonly number[]): UsualRate {
  const median = medianOf(rates);
  const deviation = medianOf(rates.map((rate) => Math.abs(rate - median)));
  // The counts of minutes with this rate vary by about the root of their mean.
  const ofMinute = (3 * Math.sqrt(Math.max(1, median * 60))) / 60;
  const spread = Math.max(3 * deviation, median / 4, ofMinute);
  return { low: Math.max(0, median - spread), median, high: median + spread };
}

function isKnown(hour: Bucket, app: string | undefined): boolean {
  return knownSeconds(hour, 3_600, app) >= 3_600 * leastKnown;
}

function overlaps({ at }: Bucket, { from, until }: UnusualTime): boolean {
  return from < at + hourMs && (until ?? Number.POSITIVE_INFINITY) > at;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2;
}
