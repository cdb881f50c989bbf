import type { Parsed } from "../ip/parse.ts";
import { parseDuration } from "./duration.ts";

/** How long an entry shall live: so many ms from now, until a moment (ms), or for ever. */
export type Life = { readonly forMs: number } | { readonly until: number } | "forever";

/** Null never ends, as in the verbs' `ttlMs`. */
export function lifeOf(ttlMs: number | null): Life {
  return ttlMs === null ? "forever" : { forMs: ttlMs };
}

export function endOf(life: Life, now: number): number | null {
  if (life === "forever") return null;
  return "until" in life ? life.until : now + life.forMs;
}

/** Redis tells what is left, not when it ends: the same end read twice differs by a moment. */
const sameMomentMs = 10;

/** Does one expiry come after another? Never is later than any moment. */
export function isLater(expiresAt: number | null, other: number | null): boolean {
  if (other === null) return false;
  return expiresAt === null || expiresAt - other > sameMomentMs;
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
