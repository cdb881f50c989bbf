import { durationText, rateText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Offender } from "@/lib/queries/offenders.ts";

/** "611 of 600 per 5 min by req/ip/1": for people, and as the reason of a block. */
export function sayCount({ used, limit, periodSeconds, rule }: Offender): string {
  const of = limit === null ? "" : ` of ${limit}`;
  return `${Math.round(used)}${of} per ${periodText(periodSeconds)} by ${rule}`;
}

/** "0.82/s, limit 0.50/s by rate/ip" */
export function sayEstimate({ used, limit, rule }: Offender): string {
  return `${rateText(used)}/s${limit === null ? "" : `, limit ${rateText(limit)}/s`} by ${rule}`;
}

/** "5 min", "1 h", "90 s" */
export function periodText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

export const underLimit = "under";

/** Time until the window ends, or until an estimate is under its limit again. */
export function clearsText({ isOver, resetMs, algorithm }: Offender): string {
  if (isRate(algorithm)) return isOver ? `~${durationText(resetMs)}` : underLimit;
  return durationText(resetMs);
}

/** Trend: the last quarter of the known points against the first. */
export function trendOf(history: readonly number[]): "up" | "down" | "level" {
  if (history.length < 4) return "level";
  const quarter = Math.max(1, Math.floor(history.length / 4));
  const mean = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
  const [first, last] = [mean(history.slice(0, quarter)), mean(history.slice(-quarter))];
  if (last > first * 1.05) return "up";
  return last < first * 0.95 ? "down" : "level";
}

/** Page of a client or customer. Undefined for other clients. */
export function clientHref({ kind, client }: Pick<Offender, "kind" | "client">): string | undefined {
  if (kind === "customer") return `/customers/${encodeURIComponent(client)}`;
  return kind === "ip" ? `/clients/${encodeURIComponent(client)}` : undefined;
}
