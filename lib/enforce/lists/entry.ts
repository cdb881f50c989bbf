import type { Parsed } from "../../ip/parse.ts";

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

export const oneWeekMs = unitMs.w;
const shortestMs = unitMs.s;
const longestMs = 3_653 * unitMs.d;

/** What staff may choose. A longer life, like none that ends, outlasts any emergency: it is for admins to decide. */
export const longestOfStaffMs = 90 * unitMs.d;
export const staffLimit = "Staff may choose at most 90 days, an admin may choose longer";

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
  for (const [, count, unit] of trimmed.matchAll(/(\d{1,12})([wdhms])/g))
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

/** What an entry's value says. A foreign writer may have left out everything but a word. */
export interface Note {
  readonly reason: string;
  readonly by?: string;
  /** ISO */
  readonly at?: string;
  /** Through which door: "console", "cli", "auto:<rule>". */
  readonly via?: string;
  /** Short words to find the entry by; left out where it has none. Older versions ignore them. */
  readonly tags?: readonly string[];
}

/** A note as Sluice writes it. */
export type SignedNote = Required<Omit<Note, "tags">> & Pick<Note, "tags">;

export const mostTags = 8;
export const tagForm = /^[a-z0-9][a-z0-9._:-]{0,31}$/;

const longestReason = 500;

/** Why a reason cannot be kept as it is. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.length > longestReason)
    return `A reason has at most ${longestReason} characters, this one ${reason.length}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach terminals and logs.
  return /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(reason) ? "A reason has no control characters" : undefined;
}

export function writeNote({ reason, by, at, via, tags = [] }: SignedNote): string {
  return JSON.stringify({ reason, by, at, via, ...(tags.length > 0 && { tags }) });
}

/** The source of entries that a feed has written, for programs that know no feeds. */
export const feedSource = "feed";

/** Whether an entry's value is of a feed. */
export function isOfFeed(value: string): boolean {
  return value.endsWith(`,"via":"${feedSource}"}`);
}

// What `writeNote` makes as a rule, and nothing else: what it cannot match is parsed as any JSON.
const usual =
  /^\{"reason":"([^"\\\p{Cc}\p{Cs}]*)","by":"([^"\\\p{Cc}\p{Cs}]*)","at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","via":"([^"\\\p{Cc}\p{Cs}]*)"(?:,"tags":\["([a-z0-9._:",-]+)"\])?\}$/u;

/** A note exactly as Sluice writes it, four times as fast as by parsing JSON; nothing for any other text. */
export function readUsualNote(value: string): SignedNote | undefined {
  const [, reason, by, at, via, words] = usual.exec(value) ?? [];
  if (reason === undefined || by === undefined || at === undefined || via === undefined) return undefined;
  if (words === undefined) return { reason, by, at, via };
  const written = words.split('","');
  const tags = readTags(written);
  return tags.length === written.length ? { reason, by, at, via, tags } : undefined;
}

/** Any text is an entry: what is not our JSON is taken as the reason. */
export function readNote(value: string): Note {
  const { reason, by, at, via, tags } = parseObject(value) ?? {};
  if (typeof reason !== "string") return { reason: value };
  const words = readTags(tags);
  return {
    reason,
    ...(typeof by === "string" && { by }),
    ...(typeof at === "string" && { at }),
    ...(typeof via === "string" && { via }),
    ...(words.length > 0 && { tags: words }),
  };
}

/** Of what any writer may have put there, the first words that are tags. */
function readTags(written: unknown): readonly string[] {
  if (!Array.isArray(written)) return [];
  const tags = written.filter((word): word is string => typeof word === "string" && tagForm.test(word));
  return [...new Set(tags)].slice(0, mostTags);
}

export function parseObject(value: string): Record<string, unknown> | undefined {
  if (!value.startsWith("{")) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
