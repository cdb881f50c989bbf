const clock = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** `14:31:54 UTC`: for what happened today. */
export function clockText(at: number): string {
  return `${clock.format(at)} UTC`;
}
