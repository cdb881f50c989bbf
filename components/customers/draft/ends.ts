import { lifeProblem } from "@/lib/enforce/lists/entry.ts";

const dayMs = 86_400_000;
const lives = { "24h": dayMs, "1w": 7 * dayMs, "30d": 30 * dayMs } as const;
const words = { "24h": "24 hours", "1w": "1 week", "30d": "30 days" } as const;

const endChoices = ["24h", "1w", "30d", "date", "never"] as const;
export type EndChoice = (typeof endChoices)[number];

/** End of a custom throttle, as chosen or typed. */
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

/** The choice that means the end in Redis. */
export function endsOf(expiresAt: number | null): Ends {
  if (expiresAt === null) return { choice: "never", text: "" };
  return { choice: "date", text: toField(expiresAt) };
}

/** To the minute, as the field of a date takes it. */
export function toField(ms: number): string {
  return new Date(Math.min(ms, 8.64e15)).toISOString().slice(0, 16);
}

/** @param kept the moment in Redis: its seconds are kept until another minute is chosen */
export function readEnds({ choice, text }: Ends, now: number, kept: number | null): ReadEnds {
  if (choice === "never") return { ok: true, at: null };
  if (choice !== "date") return { ok: true, inMs: lives[choice] };
  if (kept !== null && text === toField(kept)) return { ok: true, at: kept };
  const at = Date.parse(`${text}Z`);
  if (Number.isNaN(at)) return { ok: false, problem: "Enter a date and a time" };
  if (at <= now) return { ok: false, problem: "This time is in the past" };
  return lifeProblem(at - now) ? { ok: false, problem: "At most 10 years, or never" } : { ok: true, at };
}

/** The end in ms. Null for never, undefined while it is being typed. */
export function momentOf(ends: Ends, now: number, kept: number | null): number | null | undefined {
  const read = readEnds(ends, now, kept);
  if (!read.ok) return undefined;
  return "inMs" in read ? now + read.inMs : read.at;
}

/** What follows the object on the button: `for 1 week`, `until 28 Mar, 14:32 UTC`, `with no end`. */
export function sayFor({ choice }: Ends, moment: string): string {
  if (choice === "never") return "permanently";
  return choice === "date" ? `until ${moment} UTC` : `for ${words[choice]}`;
}
