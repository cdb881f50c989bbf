const utc = { timeZone: "UTC", hourCycle: "h23" } as const;
const clock = new Intl.DateTimeFormat("en-GB", { ...utc, hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat("en-GB", {
  ...utc,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const day = new Intl.DateTimeFormat("en-GB", { ...utc, day: "numeric", month: "short" });
const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/** `14:32` */
export function minuteText(at: number): string {
  return clock.format(at);
}

/** `14:32:05` */
export function secondsText(at: number): string {
  return seconds.format(at);
}

/** `28 Mar` */
export function dayText(at: number): string {
  return day.format(at);
}

/** `28 Mar 14:32:05` */
export function dayClockText(at: number): string {
  return `${day.format(at)} ${seconds.format(at)}`;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** `14:32–14:40`; with seconds or days where the times have them: `14:32:05–14:33:10`, `28 Mar 23:00–29 Mar 02:00` */
export function spanText({ from, until }: { readonly from: number; readonly until: number }): string {
  const isWhole = from % minuteMs === 0 && until % minuteMs === 0;
  const isOneDay = Math.floor(from / dayMs) === Math.floor(until / dayMs);
  const text = (at: number) =>
    `${isOneDay ? "" : `${day.format(at)} `}${isWhole || !isOneDay ? minuteText(at) : secondsText(at)}`;
  return `${text(from)}–${text(until)}`;
}

/** A rate: `4,812`, `12.5`, `0.08`. */
export function rateText(perSecond: number): string {
  return perSecond >= 100 ? whole.format(perSecond) : fine.format(perSecond);
}
