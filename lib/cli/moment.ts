import { formatDuration } from "../enforce/lists/entry.ts";

// Another program may have set an expiry that is later than any Date.
const lastDate = 8.64e15;
const hourMs = 3_600_000;

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(Math.min(at, lastDate)).toISOString();
}

/** "2026-05-09 10:00 UTC" */
export function moment(at: number): string {
  const iso = new Date(Math.min(at, lastDate)).toISOString();
  return iso.replace(/T(\d\d:\d\d).*/, " $1 UTC");
}

/** "1w", "6d 23h". Rounded, so that a new entry for a week does not read as six days. */
export function left(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return "never expires";
  const unit = expiresAt - now > hourMs ? 60_000 : 1_000;
  return formatDuration(Math.round((expiresAt - now) / unit) * unit);
}

/** "until 2026-05-09 10:00 UTC (1w)", or "without expiry". */
export function until(expiresAt: number | null, now: number): string {
  return expiresAt === null ? "without expiry" : `until ${moment(expiresAt)} (${left(expiresAt, now)})`;
}
