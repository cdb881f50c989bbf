import { periodText } from "@/components/charts/lab-text.ts";
import { type Algorithm, isRate, models } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Phase } from "@/lib/enforce/limits/traffic.ts";

/** One of the two that are compared. */
export interface Limiter {
  readonly algorithm: Algorithm;
  /** Requests a period; for EARRRL a rate per second. */
  readonly limit: number;
  /** For EARRRL its half-life. */
  readonly periodSeconds: number;
}

export const sides = ["a", "b"] as const;
export type Side = (typeof sides)[number];

/** Everything that a run of the Lab depends on: two limiters, the traffic that both see, and who is watched settling. */
export interface Run {
  readonly a: Limiter;
  readonly b: Limiter;
  /** What a denied request weighs for EARRRL, 0 to 1. */
  readonly overageWeight: number;
  readonly phases: readonly Phase[];
  /** Of random gaps; without it requests are evenly spaced. */
  readonly seed: number | undefined;
  /** The three users whose estimates are drawn: from a cold start on, or from t = 50 s to t = 200 s. */
  readonly users: "cold" | "between";
}

/** Props of a part that shows the run and changes it. */
export interface RunProps {
  run: Run;
  change: (wish: Partial<Run>) => void;
}

export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

export const mostPhases = 6;
export const phaseSecondsBounds: Bounds = { least: 1, most: 3_600, isWhole: true };
export const phaseRateBounds: Bounds = { least: 0, most: 100, isWhole: false };
export const weightBounds: Bounds = { least: 0, most: 1, isWhole: false };
export const seedBounds: Bounds = { least: 1, most: 9_999, isWhole: true };

const windowLimit: Bounds = { least: 1, most: 10_000, isWhole: true };
const windowPeriod: Bounds = { least: 1, most: 3_600, isWhole: true };
const rateLimit: Bounds = { least: 0.01, most: 100, isWhole: false };
const halfLife: Bounds = { least: 1, most: 600, isWhole: false };

export const limitBounds = (algorithm: Algorithm): Bounds => (isRate(algorithm) ? rateLimit : windowLimit);
export const periodBounds = (algorithm: Algorithm): Bounds => (isRate(algorithm) ? halfLife : windowPeriod);

/** Three decimals are as many as a link carries. */
export function isWithin(value: number, { least, most, isWhole }: Bounds): boolean {
  return value >= least && value <= most && (isWhole ? Number.isInteger(value) : rounded(value) === value);
}

export function clamped(value: number, { least, most, isWhole }: Bounds): number {
  const within = Math.min(most, Math.max(least, value));
  return isWhole ? Math.round(within) : rounded(within);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Another way of counting at about the same rate: 30 per 60 s is 0.5 a second at a half-life of 60 s. */
export function recounted({ algorithm, limit, periodSeconds }: Limiter, wish: Algorithm): Limiter {
  const period = clamped(periodSeconds, periodBounds(wish));
  if (isRate(algorithm) === isRate(wish)) return { algorithm: wish, limit, periodSeconds: period };
  const wished = isRate(wish) ? limit / periodSeconds : limit * period;
  return { algorithm: wish, limit: clamped(wished, limitBounds(wish)), periodSeconds: period };
}

export const algorithmName = (algorithm: Algorithm): string => models[algorithm].title;

/** `30 per 60 s`; `0.5/s, half-life 60 s`. */
export function limitText({ algorithm, limit, periodSeconds }: Limiter): string {
  const period = periodText(periodSeconds);
  return isRate(algorithm) ? `${limit}/s, half-life ${period}` : `${limit} per ${period}`;
}
