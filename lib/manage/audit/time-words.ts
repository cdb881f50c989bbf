const units = [
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;
const [, dayMs] = units[1];

/** "1 week", "24 h", "6 days 23 h": the two largest units; a day is said in hours, as the buttons do. */
export function sayDuration(ms: number): string {
  const whole = rounded(ms);
  if (whole < 1_000) return "under 1 s";
  const first = units.findIndex(([, size]) => whole >= size && !(whole === dayMs && size === dayMs));
  const parts: string[] = [];
  let left = whole;
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}${isWord(unit) && count !== 1 ? "s" : ""}`);
  }
  return parts.join(" ");
}

/** A life of a week differs from it by the time that the script took. */
function rounded(ms: number): number {
  const unit = ms > 3_600_000 ? 60_000 : 1_000;
  return Math.round(ms / unit) * unit;
}

function isWord(unit: string): boolean {
  return unit === "week" || unit === "day";
}

/** "for 1 week", "permanently" */
export function forHowLong(expiresAt: string | null, at: string): string {
  return expiresAt === null ? "permanently" : `for ${sayDuration(Date.parse(expiresAt) - Date.parse(at))}`;
}

/** "until 2026-03-28 14:32 UTC", "never expires" */
export function untilWhen(expiresAt: string | null): string {
  return expiresAt === null ? "never expires" : `until ${sayMoment(expiresAt)}`;
}

/** "2026-03-28 14:32 UTC" */
export function sayMoment(at: string): string {
  return new Date(at).toISOString().replace(/T(.{5}).*/, " $1 UTC");
}
