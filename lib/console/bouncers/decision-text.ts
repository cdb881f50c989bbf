import type { Decision } from "./decision.ts";

/** A decision with the address or range that it is about. */
export interface NamedDecision extends Decision {
  readonly value: string;
}

/** A decision as CrowdSec's bouncers read it. Put together by hand: an answer may have a hundred thousand. */
export function decisionText({ value, endsAt, origin, scenario }: NamedDecision, now: number): string {
  const about = `"origin":"${origin}","type":"ban","scope":"${scopeOf(value)}","value":${JSON.stringify(value)}`;
  const rest = `"duration":"${goDuration(endsAt - now)}","scenario":${JSON.stringify(scenario)}`;
  return `{"id":${idOf(value)},${about},${rest}}`;
}

export function scopeOf(value: string): "Ip" | "Range" {
  return value.includes("/") ? "Range" : "Ip";
}

/** As Go reads and writes a duration. An end that has passed is a second ago. */
export function goDuration(ms: number): string {
  if (ms <= 0) return "-1s";
  const seconds = Math.ceil(ms / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

/** The same in every process and after every restart. 52 bits of two digests (FNV-1a): JSON's numbers hold them exactly. */
export function idOf(value: string): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < value.length; i++) {
    high = Math.imul(high ^ value.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ value.charCodeAt(i), 0x85ebca6b) ^ (low >>> 13);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0) + 1;
}
