import { momentText } from "../../../components/ui/relative-time.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const whole = [
  ["week", 7 * dayMs],
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "for 1 week", "for 36 hours", "permanently": in the largest unit that tells it exactly. */
export function forHowLong(ttlMs: number | null): string {
  if (ttlMs === null) return "permanently";
  // One day is said in hours, as the button that chooses it does.
  const units = ttlMs === dayMs ? whole.slice(2) : whole;
  const [unit, ms] = units.find(([, ms]) => ttlMs % ms === 0) ?? whole[4];
  const count = ttlMs / ms;
  return `for ${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "28 Mar, 14:32 UTC", or "never". */
export function endInWords(expiresAt: number | null, now: number): string {
  // A foreign writer may have set an end that no calendar has.
  return expiresAt === null ? "never" : `${momentText(Math.min(expiresAt, 8.64e15), now)} UTC`;
}

/** How much of its life an entry has left, from 0 to 1; nothing when nobody knows how long that was. */
export function shareLeft(expiresAt: number, lifeMs: number | null, now: number): number | undefined {
  if (lifeMs === null || lifeMs <= 0) return undefined;
  return Math.min(1, Math.max(0, (expiresAt - now) / lifeMs));
}

export const endsSoonMs = 6 * hourMs;
