import { periodText } from "@/components/charts/lab-text.ts";
import { type Algorithm, isRate, models } from "@/lib/enforce/algorithms/algorithms.ts";
import { type Phase, traffics } from "@/lib/enforce/limits/traffic.ts";

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

const halfASecond = {
  a: { algorithm: "fixed", limit: 30, periodSeconds: 60 },
  b: { algorithm: "earrrl", limit: 0.5, periodSeconds: 60 },
  overageWeight: 1,
  seed: undefined,
  users: "cold",
} as const;

/** Where a run may start from, by the name it has in a link. */
export const presets = {
  burst: { ...halfASecond, phases: traffics.burst },
  steady: { ...halfASecond, phases: traffics.steady },
  "retry-storm": { ...halfASecond, phases: traffics.retryStorm },
  "s2-boundary": {
    ...halfASecond,
    a: { algorithm: "fixed", limit: 5, periodSeconds: 60 },
    b: { algorithm: "rolling-set", limit: 5, periodSeconds: 60 },
    phases: traffics.boundaryBurst,
  },
  "s5-reform": {
    ...halfASecond,
    a: { algorithm: "fixed", limit: 18, periodSeconds: 30 },
    b: { algorithm: "earrrl", limit: 0.6, periodSeconds: 15 },
    phases: traffics.reformedUser,
  },
  "s5-convergence": {
    ...halfASecond,
    a: { algorithm: "earrrl", limit: 0.5, periodSeconds: 10 },
    b: { algorithm: "earrrl", limit: 0.5, periodSeconds: 1 },
    phases: [
      { seconds: 50, perSecond: 0 },
      { seconds: 150, perSecond: 1 },
      { seconds: 50, perSecond: 0 },
    ],
    users: "between",
  },
} as const satisfies Record<string, Run>;

export type PresetName = keyof typeof presets;

export const usualPreset: PresetName = "burst";

/** In the order in which they are offered. */
export const presetWords: Readonly<Record<PresetName, string>> = {
  burst: "Burst",
  steady: "Steady",
  "retry-storm": "Retry storm",
  "s2-boundary": "Window's edge",
  "s5-reform": "Reformed user",
  "s5-convergence": "Convergence",
};

export function isPresetName(text: string | null): text is PresetName {
  return text !== null && Object.hasOwn(presets, text);
}
