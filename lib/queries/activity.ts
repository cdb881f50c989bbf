/** Header of a read whose user has pressed, typed or scrolled lately. Other reads are polls, which do not extend a session. */
export const activityHeader = "x-sluice-active";

const everyMs = 60_000;

let actedAt = 0;
let sentAt = 0;

export function noteActivity(now = Date.now()): void {
  actedAt = now;
}

/** Whether a read that begins now says so: once for what was done since the last time, and once a minute at most. */
export function takeActivity(now = Date.now()): boolean {
  if (actedAt <= sentAt || now - sentAt < everyMs) return false;
  sentAt = now;
  return true;
}
