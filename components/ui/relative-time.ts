import { durationText } from "./duration-text.ts";

const utc = { timeZone: "UTC" } as const;
const dayAndMonth = new Intl.DateTimeFormat("en-GB", { ...utc, day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", {
  ...utc,
  day: "numeric",
  month: "short",
  year: "numeric",
});
const clock = new Intl.DateTimeFormat("en-GB", { ...utc, hour: "2-digit", minute: "2-digit" });

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** A browser's clock may be a little behind the server's. */
const skew = 5 * second;

export type Instant = number | string | Date;

export function millisecondsOf(at: Instant): number {
  return new Date(at).getTime();
}

/** `just now`, `42 s ago`, `5 min ago`, `3 h ago`, `yesterday`, `6 d ago`, `12 Mar`; and `in 3 h`. */
export function relativeTime(at: number, now: number): string {
  const age = now - at;
  if (age < -skew) return age > -14 * day ? `in ${roughly(-age)}` : dateText(at, now);
  if (age < skew) return "just now";
  if (age < day) return `${roughly(age)} ago`;
  const days = Math.floor(now / day) - Math.floor(at / day);
  if (days === 1) return "yesterday";
  return days < 14 ? `${days} d ago` : dateText(at, now);
}

/** `28 Mar`, with the year when it is another. */
export function dateText(at: number, now: number): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (isThisYear ? dayAndMonth : dayOfYear).format(at);
}

/** `28 Mar, 14:32`: for what is to come. All times are UTC. */
export function momentText(at: number, now: number): string {
  return `${dateText(at, now)}, ${clock.format(at)}`;
}

/** `2026-03-28 14:32:07 UTC`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function roughly(ms: number): string {
  if (ms >= day) return `${Math.floor(ms / day)} d`;
  if (ms >= hour) return `${Math.floor(ms / hour)} h`;
  return ms >= minute ? `${Math.floor(ms / minute)} min` : durationText(ms);
}
