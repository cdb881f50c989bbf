import { formatDuration } from "../lists/duration.ts";

// A foreign writer may have set an expiry later than a Date can tell.
const lastDate = 8.64e15;
const hourMs = 3_600_000;

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(Math.min(at, lastDate)).toISOString();
}

/** "2026-05-09 10:00 UTC" */
export function moment(at: number): string {
  const [day = "", time = ""] = new Date(Math.min(at, lastDate)).toISOString().split("T");
  return `${day} ${time.slice(0, 5)} UTC`;
}

/** "1w", "6d 23h"; rounded, so that what was just made for a week does not read as six days. */
export function left(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return "never ends";
  const unit = expiresAt - now > hourMs ? 60_000 : 1_000;
  return formatDuration(Math.round((expiresAt - now) / unit) * unit);
}

/** "until 2026-05-09 10:00 UTC (1w)" */
export function until(expiresAt: number | null, now: number): string {
  return expiresAt === null ? "for good" : `until ${moment(expiresAt)} (${left(expiresAt, now)})`;
}
