import type { Parsed } from "../ip/parse.ts";

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

export const oneWeekMs = unitMs.w;
const shortestMs = unitMs.s;
const longestMs = 3_653 * unitMs.d;

/** Reads `90s`, `30m`, `24h`, `7d`, `1w`, sums such as `1d12h`, and `never` (null). */
export function parseDuration(text: string): Parsed<number | null> {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "never") return { ok: true, value: null };
  if (!/^(\d{1,12}[wdhms])+$/.test(trimmed)) {
    return {
      ok: false,
      reason: `"${text.trim().slice(0, 50)}" is not a duration: write 90s, 30m, 24h, 7d, 1w or never`,
    };
  }
  let ms = 0;
  for (const [, count, unit] of trimmed.matchAll(/(\d+)([wdhms])/g))
    ms += Number(count) * unitMs[unitOf(unit)];
  const problem = lifeProblem(ms);
  return problem ? { ok: false, reason: problem } : { ok: true, value: ms };
}

/** Why an entry may not live so long, or so short. */
export function lifeProblem(ttlMs: number): string | undefined {
  if (!(ttlMs >= shortestMs)) return "An entry lives for a second at least, so it cannot end in the past";
  if (ttlMs > longestMs) return 'An entry lives for ten years at most; for longer choose "never"';
  return Number.isInteger(ttlMs) ? undefined : "An entry lives for whole milliseconds";
}

/** The two largest units: `6d 23h`. Null is `never`. */
export function formatDuration(ttlMs: number | null): string {
  if (ttlMs === null) return "never";
  const parts: string[] = [];
  let left = Math.max(0, ttlMs);
  for (const [unit, ms] of Object.entries(unitMs)) {
    const count = Math.floor(left / ms);
    left -= count * ms;
    if (count > 0) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(" ") || "under 1s";
}

function unitOf(letter: string | undefined): keyof typeof unitMs {
  return letter === "w" || letter === "d" || letter === "h" || letter === "m" ? letter : "s";
}
