import { countText, decimalText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";

interface Counted {
  readonly algorithm: string;
  readonly limit: number;
  readonly periodSeconds: number;
  readonly used: number;
}

/** `100 / h`, `300 / 5 min`. */
export function sayLevel({ limit, periodSeconds }: Level): string {
  return `${countText(limit)} / ${sayPeriod(periodSeconds)}`;
}

/** `h`, `5 min`, `day`: what follows "per". */
export function sayPeriod(seconds: number): string {
  return saySeconds(seconds).replace(/^1 /, "");
}

const clockWindows = new Map([
  [60, "this minute"],
  [3_600, "this hour"],
  [86_400, "today (UTC)"],
]);

/** `612 of 100 this hour`; of a rate `0.82/s of 0.5/s`. */
export function sayUsed(usage: Counted): string {
  if (isRate(usage.algorithm)) return `${decimalText(usage.used)}/s of ${decimalText(usage.limit)}/s`;
  return `${countText(Math.round(usage.used))} of ${countText(usage.limit)} ${sayWindow(usage)}`;
}

/** Windows that begin with the clock have names of their own. */
function sayWindow({ algorithm, periodSeconds }: Counted): string {
  const named = algorithm === "fixed" ? clockWindows.get(periodSeconds) : undefined;
  return named ?? `per ${sayPeriod(periodSeconds)}`;
}

/** A tier's name as a title; how it is spelled in Redis is another thing. */
export function sayTier(name: string): string {
  return name === "" ? "No tier" : name.charAt(0).toUpperCase() + name.slice(1);
}
