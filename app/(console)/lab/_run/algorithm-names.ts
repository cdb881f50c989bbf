import { periodText } from "../../../../components/charts/lab-text.ts";
import type { Algorithm } from "../../../../lib/limits/plan.ts";
import { isRate, type Limiter } from "./run.ts";

export const algorithmNames: Readonly<Record<Algorithm, string>> = {
  fixed: "Fixed window",
  "first-hit": "First-hit window",
  "rolling-list": "Rolling list",
  "rolling-set": "Rolling set",
  sliding: "Sliding estimate",
  gcra: "GCRA",
  earrrl: "EARRRL",
};

/** `30 per 60 s`; `0.5/s, half-life 60 s`. */
export function limitText({ algorithm, limit, periodSeconds }: Limiter): string {
  const period = periodText(periodSeconds);
  return isRate(algorithm) ? `${limit}/s, half-life ${period}` : `${limit} per ${period}`;
}
