import { at } from "../../at.ts";
import { fields, isShadowField } from "../../enforce/stats/fields.ts";
import type { Resolution } from "../../enforce/stats/report.ts";
import { latencyEndsMs } from "../../enforce/stats/tally.ts";
import { type Bucket, knownSeconds, type Series, sumOf } from "./series.ts";
import { type Steps, stepsOf, type TimeSpan } from "./span-steps.ts";

export const outcomes = ["safelisted", "pass", "throttled", "blocked"] as const;

/** The periods of the page: the resolution of their buckets, the buckets of one point, and the points. */
export const ranges = {
  "15m": { resolution: 1, grouped: 5, points: 180 },
  "1h": { resolution: 10, grouped: 2, points: 180 },
  "24h": { resolution: 60, grouped: 5, points: 288 },
  "7d": { resolution: 3_600, grouped: 1, points: 168 },
} as const;
export type OverviewRange = keyof typeof ranges;

/** Requests per second of each outcome. */
export interface OutcomeRates {
  readonly safelisted: number;
  readonly pass: number;
  readonly throttled: number;
  readonly blocked: number;
  /** Passed, but a rule in shadow would have denied them. */
  readonly shadow: number;
}

/** From `at` on for one step. */
export interface OverviewPoint extends OutcomeRates {
  readonly at: number;
  /** No node reported, so the rates are unknown; for a quiet step nodes report 0. */
  readonly isMissing: boolean;
}

export interface Overview {
  /** Redis' clock, in ms. */
  readonly asOf: number;
  readonly stepSeconds: number;
  readonly points: readonly OverviewPoint[];
  /** Requests per second in the last ten seconds, and in the last minute. */
  readonly now: OutcomeRates;
  readonly minute: OutcomeRates;
  /** Of the span that was asked for. */
  readonly average?: SpanAverage | undefined;
  /** Of the last minute's decisions: 99 of 100 took no longer. Null when there were none, or when it took longer than the last bucket's end. */
  readonly p99Ms: number | null;
  /** Of the last minute, passed without being weighed. */
  readonly unsure: number;
  readonly apps: readonly string[];
}

/** What is known of a span as a whole. */
export interface SpanAverage {
  /** Requests per second, over the time that nodes reported. */
  readonly rates: OutcomeRates;
  /** The share of the span in which nodes reported. */
  readonly known: number;
  /** As of the last minute. */
  readonly p99Ms: number | null;
}

/** Nodes report once a second, so what is younger is not complete. */
const incompleteMs = 2_000;
/**
 * A step is missing if less than this share of it was reported. A slow Redis makes reports rarer, and each then covers more
 * seconds: that alone is no gap.
 */
const leastKnown = 2 / 3;

interface OverviewQuery {
  readonly range: OverviewRange;
  /** A part of the range, or any other time that is kept. */
  readonly span?: TimeSpan | undefined;
  readonly app?: string | undefined;
  readonly nowMs: number;
}

export async function readOverview(
  series: Series,
  { range, span, app, nowMs }: OverviewQuery,
): Promise<Overview> {
  const untilMs = nowMs - incompleteMs;
  const { resolution, grouped, points, endMs } = span ? stepsOf(span, nowMs) : stepsOfRange(range, untilMs);
  const [buckets, recent] = await Promise.all([
    series.read(resolution, points * grouped, endMs - 1),
    series.read(1, 60, untilMs),
  ]);
  return {
    asOf: nowMs,
    stepSeconds: resolution * grouped,
    points: pointsOf(
      Array.from({ length: points }, (_, i) => buckets.slice(i * grouped, (i + 1) * grouped)),
      { resolution, app },
    ),
    now: perSecond(recent.slice(-10), 1, app),
    minute: perSecond(recent, 1, app),
    average: span && averageOf(buckets, { span, resolution, app }),
    p99Ms: percentile(recent, 0.99, app),
    unsure: sumOf(recent, fields.unsure, app),
    apps: appsOf([...buckets, ...recent]),
  };
}

/** Steps begin where steps of this length always begin, so that a point does not change its meaning as time goes on. */
function stepsOfRange(range: OverviewRange, untilMs: number): Steps {
  const { resolution, grouped, points } = ranges[range];
  const stepMs = resolution * grouped * 1_000;
  return { resolution, grouped, points, endMs: Math.floor(untilMs / stepMs) * stepMs };
}

interface AverageQuery {
  readonly span: TimeSpan;
  readonly resolution: Resolution;
  readonly app: string | undefined;
}

function averageOf(buckets: readonly Bucket[], { span, resolution, app }: AverageQuery): SpanAverage {
  const inside = buckets.filter(({ at }) => at + resolution * 1_000 > span.from && at < span.until);
  const known = inside.filter((bucket) => !isUnknown([bucket], resolution, app));
  return {
    rates: perSecond(known, resolution, app),
    known: inside.length === 0 ? 0 : known.length / inside.length,
    p99Ms: percentile(known, 0.99, app),
  };
}

interface PointsOf {
  readonly resolution: Resolution;
  readonly app: string | undefined;
}

function pointsOf(steps: readonly (readonly Bucket[])[], { resolution, app }: PointsOf): OverviewPoint[] {
  const missing = steps.map((step) => isUnknown(step, resolution, app));
  const isPartial = (step: readonly Bucket[]) => knownOf(step, resolution, app) < step.length * resolution;
  return steps.map((step, i) => {
    // A gap seldom begins or ends with a step: a step that is partly in it would show a drop that was none.
    const isEdge = (missing[i - 1] === true || missing[i + 1] === true) && isPartial(step);
    const isMissing = missing[i] === true || isEdge;
    return { at: at(step, 0).at, ...perSecond(step, resolution, app), isMissing };
  });
}

function isUnknown(buckets: readonly Bucket[], resolution: Resolution, app: string | undefined): boolean {
  return knownOf(buckets, resolution, app) < buckets.length * resolution * leastKnown;
}

function knownOf(buckets: readonly Bucket[], resolution: Resolution, app: string | undefined): number {
  return buckets.reduce((sum, bucket) => sum + knownSeconds(bucket, resolution, app), 0);
}

function perSecond(buckets: readonly Bucket[], resolution: number, app: string | undefined): OutcomeRates {
  const seconds = Math.max(1, buckets.length) * resolution;
  const rate = (outcome: (typeof outcomes)[number]) => sumOf(buckets, fields.outcome(outcome), app) / seconds;
  return {
    safelisted: rate("safelisted"),
    pass: rate("pass"),
    throttled: rate("throttled"),
    blocked: rate("blocked"),
    shadow: shadowed(buckets, app) / seconds,
  };
}

/** A request that several rules would have denied counts once for each. */
function shadowed(buckets: readonly Bucket[], app: string | undefined): number {
  let sum = 0;
  for (const { apps } of buckets)
    for (const [name, counts] of apps) {
      if (app !== undefined && name !== app) continue;
      for (const [field, count] of counts) if (isShadowField(field)) sum += count;
    }
  return sum;
}

/** The upper end of the bucket that the share falls into. */
function percentile(buckets: readonly Bucket[], share: number, app: string | undefined): number | null {
  const counts = Array.from({ length: latencyEndsMs.length + 1 }, (_, i) =>
    sumOf(buckets, fields.took(i), app),
  );
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = all * share;
  for (const [i, count] of counts.entries()) {
    left -= count;
    if (left <= 0) return latencyEndsMs[i] ?? null;
  }
  return null;
}

function appsOf(buckets: readonly Bucket[]): string[] {
  return [...new Set(buckets.flatMap(({ apps }) => [...apps.keys()]))].sort();
}
