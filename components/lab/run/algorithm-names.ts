import { periodText } from "@/components/charts/lab-text.ts";
import { type Algorithm, isRate, models } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Limiter } from "./run.ts";

export const algorithmName = (algorithm: Algorithm): string => models[algorithm].title;

/** `30 per 60 s`; `0.5/s, half-life 60 s`. */
export function limitText({ algorithm, limit, periodSeconds }: Limiter): string {
  const period = periodText(periodSeconds);
  return isRate(algorithm) ? `${limit}/s, half-life ${period}` : `${limit} per ${period}`;
}
