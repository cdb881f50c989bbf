import { lifeProblem } from "../../../../../lib/lists/duration.ts";

const dayMs = 86_400_000;
const lives = { "24h": dayMs, "1w": 7 * dayMs, "30d": 30 * dayMs } as const;
const words = { "24h": "24 hours", "1w": "1 week", "30d": "30 days" } as const;

export const endChoices = ["24h", "1w", "30d", "date", "never"] as const;
export type EndChoice = (typeof endChoices)[number];

/** When a custom throttle ends, as somebody chose or is typing it. */
export interface Ends {
  readonly choice: EndChoice;
  /** Of a date: `2026-03-28T14:32`, in UTC. */
  readonly text: string;
}

export type ReadEnds =
  | { readonly ok: true; readonly inMs: number }
  | { readonly ok: true; readonly at: number | null }
  | { readonly ok: false; readonly problem: string };

export const inAWeek: Ends = { choice: "1w", text: "" };

/** As what stands in Redis would have been chosen. */
export function endsOf(expiresAt: number | null): Ends {
  if (expiresAt === null) return { choice: "never", text: "" };
  return { choice: "date", text: toField(expiresAt) };
}

/** To the minute, as the field of a date takes it. */
export function toField(ms: number): string {
  return new Date(Math.min(ms, 8.64e15)).toISOString().slice(0, 16);
}

/** @param kept the moment that stands in Redis: its seconds are not lost as long as nobody chose another minute */
export function readEnds({ choice, text }: Ends, now: number, kept: number | null): ReadEnds {
  if (choice === "never") return { ok: true, at: null };
  if (choice !== "date") return { ok: true, inMs: lives[choice] };
  if (kept !== null && text === toField(kept)) return { ok: true, at: kept };
  const at = Date.parse(`${text}Z`);
  if (Number.isNaN(at)) return { ok: false, problem: "Choose a day and a time" };
  if (at <= now) return { ok: false, problem: "That moment has passed" };
  return lifeProblem(at - now) ? { ok: false, problem: "Ten years at most, or never" } : { ok: true, at };
}

/** The moment itself; null for never, nothing while it is being typed. */
export function momentOf(ends: Ends, now: number, kept: number | null): number | null | undefined {
  const read = readEnds(ends, now, kept);
  if (!read.ok) return undefined;
  return "inMs" in read ? now + read.inMs : read.at;
}

/** What follows the object on the button: `for 1 week`, `until 28 Mar, 14:32 UTC`, `with no end`. */
export function sayFor({ choice }: Ends, moment: string): string {
  if (choice === "never") return "with no end";
  return choice === "date" ? `until ${moment} UTC` : `for ${words[choice]}`;
}
