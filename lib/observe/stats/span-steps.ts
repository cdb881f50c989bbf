import type { Resolution } from "../../enforce/stats/report.ts";

/** A time in ms. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** The points of a chart: buckets of one resolution, so many for each point, up to an end. */
export interface Steps {
  readonly resolution: Resolution;
  readonly grouped: number;
  readonly points: number;
  readonly endMs: number;
}

/** How long Redis keeps buckets of each resolution, in seconds. lua/report.lua sets it. */
const keptSeconds = [
  [1, 1_200],
  [10, 7_200],
  [60, 93_600],
  [3_600, 691_200],
] as const satisfies readonly (readonly [Resolution, number])[];
const [, longestKept] = keptSeconds[3];

/** Lengths of a step, in buckets, so that steps begin at round times. */
const groups = [1, 2, 3, 5, 6, 10];
const mostPoints = 300;
/** A bucket is not read shortly before Redis drops it. */
const spareSeconds = 15;
/** Nodes report once a second, so what is younger is not complete. */
const incompleteMs = 2_000;

/**
 * The finest steps that Redis still has from the start of the span on, with one more before and after it: about 300 at most, of
 * 1,700 buckets.
 */
export function stepsOf({ from, until }: TimeSpan, nowMs: number): Steps {
  const complete = nowMs - incompleteMs;
  const oldest = nowMs - (longestKept - spareSeconds) * 1_000;
  const begin = Math.min(Math.max(from, oldest), complete);
  const end = Math.max(begin, Math.min(until, complete));
  const age = (nowMs - begin) / 1_000 + spareSeconds;
  const [resolution] = keptSeconds.find(([, kept]) => age <= kept) ?? keptSeconds[3];
  const buckets = (end - begin) / 1_000 / resolution;
  const grouped = groups.find((group) => buckets / group <= mostPoints) ?? 10;
  const stepMs = resolution * grouped * 1_000;
  const endMs = Math.min(Math.ceil(end / stepMs) + 1, Math.floor(complete / stepMs)) * stepMs;
  const startMs = Math.min(Math.floor(begin / stepMs) - 1, endMs / stepMs - 1) * stepMs;
  return { resolution, grouped, points: Math.round((endMs - startMs) / stepMs), endMs };
}
