import { momentText } from "@/components/ui/value-text.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const whole = [
  ["week", 7 * dayMs],
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "for 1 week", "for 36 hours", "permanently": in the largest unit that is exact. */
export function forHowLong(ttlMs: number | null): string {
  if (ttlMs === null) return "permanently";
  // One day is written in hours, as on its button.
  const units = ttlMs === dayMs ? whole.slice(2) : whole;
  const [unit, ms] = units.find(([, ms]) => ttlMs % ms === 0) ?? whole[4];
  const count = ttlMs / ms;
  return `for ${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "28 Mar, 14:32 UTC", or "never". */
export function endInWords(expiresAt: number | null, now: number): string {
  // Another program may have set an expiry beyond the largest date.
  return expiresAt === null ? "never" : `${momentText(Math.min(expiresAt, 8.64e15), now)} UTC`;
}

/** Remaining share of an entry's lifetime, from 0 to 1. Undefined if the lifetime is unknown. */
export function shareLeft(expiresAt: number, lifeMs: number | null, now: number): number | undefined {
  if (lifeMs === null || lifeMs <= 0) return undefined;
  return Math.min(1, Math.max(0, (expiresAt - now) / lifeMs));
}
