import { longestOfStaffMs, parseDuration } from "../../enforce/lists/entry.ts";
import type { Parsed } from "../../ip/parse.ts";

/** How long an entry lives: so many ms from now, until a moment (ms), or without end. */
export type Life = { readonly forMs: number } | { readonly until: number } | "forever";

/** Null never ends, as in the verbs' `ttlMs`. */
export function lifeOf(ttlMs: number | null): Life {
  return ttlMs === null ? "forever" : { forMs: ttlMs };
}

export function endOf(life: Life, now: number): number | null {
  if (life === "forever") return null;
  return "until" in life ? life.until : now + life.forMs;
}

/** The permission that a change to this life takes. */
export function permissionFor(life: Life, now: number): "lists" | "lists-forever" {
  return isForAdmins(life, now) ? "lists-forever" : "lists";
}

/** Does it last longer than staff may choose? */
export function isForAdmins(life: Life, now: number): boolean {
  if (life === "forever") return true;
  return ("until" in life ? life.until - now : life.forMs) > longestOfStaffMs;
}

/** Redis returns the time that is left, not the end: the same end read twice differs by a few ms. */
const sameMomentMs = 10;

/** Does one expiry come after another? Never is later than any moment. */
export function isLater(expiresAt: number | null, other: number | null): boolean {
  if (other === null) return false;
  return expiresAt === null || expiresAt - other > sameMomentMs;
}

export function isSameMoment(expiresAt: number | null, other: number | null): boolean {
  return !isLater(expiresAt, other) && !isLater(other, expiresAt);
}

/** Reads a duration (`24h`, `never`) or a moment (`2030-01-31`, `2030-01-31T12:00:00Z`). */
export function parseLife(text: string): Parsed<Life> {
  if (/^\s*\d{4}-/.test(text)) return parseMoment(text.trim());
  const duration = parseDuration(text);
  return duration.ok ? { ok: true, value: lifeOf(duration.value) } : duration;
}

function parseMoment(text: string): Parsed<Life> {
  const isComplete = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const until = isComplete ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  if (!Number.isNaN(until)) return { ok: true, value: { until } };
  const shown = text.slice(0, 50);
  return {
    ok: false,
    reason: `"${shown}" is not a moment: write 2030-01-31 or 2030-01-31T12:00:00Z, with its zone`,
  };
}
