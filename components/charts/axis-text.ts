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
export function clockText(at: number): string {
  return clock.format(at);
}

/** `14:32:05` */
export function secondsText(at: number): string {
  return seconds.format(at);
}

/** `28 Mar 14:32:05` */
export function dayClockText(at: number): string {
  return `${day.format(at)} ${seconds.format(at)}`;
}

/** A rate as one would say it: `4,812`, `12.5`, `0.08`. */
export function rateText(perSecond: number): string {
  return perSecond >= 100 ? whole.format(perSecond) : fine.format(perSecond);
}
