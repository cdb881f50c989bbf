/** Numbers, durations and times as the console writes them. All times are UTC. */

const counts = new Intl.NumberFormat("en-GB");
const tenths = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/** `128,402`. */
export function countText(count: number): string {
  return counts.format(count);
}

/** `1 entry`, `1,204 entries`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A part of a whole: `100%`, `over 99%`, `52%`, `under 1%`. */
export function shareText(share: number): string {
  if (share < 0.01) return "under 1%";
  // Sums of parts are not exact.
  return share > 0.99 && share < 1 - 1e-9 ? "over 99%" : `${Math.round(100 * share)}%`;
}

/** `950`, `6k`, `1.2M`, for axes and narrow places. */
export function shortCount(count: number): string {
  if (count < 1_000) return counts.format(count);
  return count < 999_950 ? `${tenths.format(count / 1_000)}k` : `${tenths.format(count / 1_000_000)}M`;
}

/** `0.82`, `1,000.5`, `3`. */
export function decimalText(value: number): string {
  return hundredths.format(value);
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  ["d", day],
  ["h", hour],
  ["min", minute],
  ["s", second],
] as const;

/** A duration in its two largest adjacent units: `6 d 20 h`, `4 h 12 min`, `41 min`, `42 s`. */
export function durationText(ms: number): string {
  const whole = Math.max(0, ms);
  const first = units.findIndex(([, size]) => whole >= size);
  if (first === -1) return "under 1 s";
  let left = whole;
  const parts: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}

/** A rate: `4,812`, `41.4`, `0.08`. */
export function rateText(perSecond: number): string {
  if (perSecond >= 99.95) return countText(Math.round(perSecond));
  return perSecond >= 9.995 ? tenths.format(perSecond) : decimalText(perSecond);
}

/** Time that an operation took: `90 ms`, `1.4 s`. */
export function tookText(ms: number): string {
  return ms < second ? `${Math.round(ms)} ms` : `${(ms / second).toFixed(1)} s`;
}

const utc = { timeZone: "UTC", hourCycle: "h23" } as const;
const dayAndMonth = new Intl.DateTimeFormat("en-GB", { ...utc, day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", {
  ...utc,
  day: "numeric",
  month: "short",
  year: "numeric",
});
const weekday = new Intl.DateTimeFormat("en-GB", { ...utc, weekday: "long", day: "numeric", month: "long" });
const longDay = new Intl.DateTimeFormat("en-GB", { ...utc, day: "numeric", month: "long", year: "numeric" });
const hourAndMinute = { ...utc, hour: "2-digit", minute: "2-digit" } as const;
const clock = new Intl.DateTimeFormat("en-GB", hourAndMinute);
const clockWithSeconds = new Intl.DateTimeFormat("en-GB", { ...hourAndMinute, second: "2-digit" });
/** Tolerated difference between the clocks of the browser and the server, in ms. */
const skew = 5 * second;

export type Instant = number | string | Date;

export function millisecondsOf(at: Instant): number {
  return new Date(at).getTime();
}

/** `just now`, `42 s ago`, `5 min ago`, `3 h ago`, `yesterday`, `6 d ago`, `12 Mar`; and `in 3 h`. */
export function relativeTime(at: number, now: number): string {
  const age = now - at;
  if (age < -skew) return age > -14 * day ? `in ${largestUnit(-age)}` : dateText(at, now);
  if (age < skew) return "just now";
  if (age < day) return `${largestUnit(age)} ago`;
  const days = Math.floor(now / day) - Math.floor(at / day);
  if (days === 1) return "yesterday";
  return days < 14 ? `${days} d ago` : dateText(at, now);
}

/** `28 Mar, 14:32`, for future times. */
export function momentText(at: number, now: number): string {
  return `${dateText(at, now)}, ${minuteText(at)}`;
}

/** `2026-03-28 14:32:07 UTC`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `Today`, `Yesterday`, `Saturday 21 March`, `21 March 2025`. */
export function dayText(at: number, now: number): string {
  const days = Math.floor(now / day) - Math.floor(at / day);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return (isInSameYear(at, now) ? weekday : longDay).format(at);
}

/** `28 Mar` */
export function monthDayText(at: number): string {
  return dayAndMonth.format(at);
}

/** `14:32` */
export function minuteText(at: number): string {
  return clock.format(at);
}

/** `14:32:05` */
export function secondsText(at: number): string {
  return clockWithSeconds.format(at);
}

/** `14:31:54 UTC`, for times of today. */
export function clockText(at: number): string {
  return `${secondsText(at)} UTC`;
}

/** `28 Mar 14:32:05` */
export function dayClockText(at: number): string {
  return `${monthDayText(at)} ${secondsText(at)}`;
}

/** `14:32:05`, with its day if it is not today: `28 Mar 14:32:05` */
export function secondsOfDayText(at: number, now: number): string {
  return Math.floor(now / day) === Math.floor(at / day) ? secondsText(at) : dayClockText(at);
}

/** `14:32–14:40`; with seconds or days where the times have them: `14:32:05–14:33:10`, `28 Mar 23:00–29 Mar 02:00` */
export function spanText({ from, until }: { readonly from: number; readonly until: number }): string {
  const isWhole = from % minute === 0 && until % minute === 0;
  const isOneDay = Math.floor(from / day) === Math.floor(until / day);
  const text = (at: number) =>
    `${isOneDay ? "" : `${monthDayText(at)} `}${isWhole || !isOneDay ? minuteText(at) : secondsText(at)}`;
  return `${text(from)}–${text(until)}`;
}

/** `28 Mar`, with the year if it is not the current one. */
function dateText(at: number, now: number): string {
  return (isInSameYear(at, now) ? dayAndMonth : dayOfYear).format(at);
}

function isInSameYear(at: number, now: number): boolean {
  return new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
}

function largestUnit(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms >= size) ?? units[3];
  return `${Math.floor(ms / size)} ${unit}`;
}
