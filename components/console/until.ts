import { momentText } from "@/components/ui/value-text.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 366 * dayMs;
const lengths = { "30m": 30 * minuteMs, "1h": 60 * minuteMs, "4h": 240 * minuteMs } as const;

type UntilChoice = "never" | keyof typeof lengths | "tomorrow" | "date";

/** When a change goes back, as chosen or typed. */
export interface Until {
  readonly choice: UntilChoice;
  /** Of a date: `2026-03-28T14:32`, in UTC. */
  readonly text: string;
}

export const noEnd: Until = { choice: "never", text: "" };

export const untilOptions: readonly { value: UntilChoice; label: string }[] = [
  { value: "never", label: "Permanently" },
  { value: "30m", label: "For 30 min" },
  { value: "1h", label: "For 1 h" },
  { value: "4h", label: "For 4 h" },
  { value: "tomorrow", label: "Until tomorrow, 18:00 UTC" },
  { value: "date", label: "Until another time…" },
];

type ReadUntil =
  | { readonly ok: true; readonly atMs: number | undefined }
  | { readonly ok: false; readonly problem: string };

/** Undefined for a change that does not go back. */
export function readUntil({ choice, text }: Until, now: number): ReadUntil {
  if (choice === "never") return { ok: true, atMs: undefined };
  if (choice === "tomorrow") return { ok: true, atMs: tomorrowEvening(now) };
  if (choice !== "date") return { ok: true, atMs: now + lengths[choice] };
  const atMs = Date.parse(`${text}Z`);
  if (Number.isNaN(atMs)) return { ok: false, problem: "Enter a date and a time" };
  const isIn = atMs >= now + minuteMs && atMs <= now + yearMs;
  return isIn ? { ok: true, atMs } : { ok: false, problem: "Choose a time from 1 min to 1 year from now" };
}

/** The end in words: `28 Mar, 14:32 UTC`. Undefined for a change that does not go back, and while it is typed. */
export function sayUntil(until: Until, now: number): string | undefined {
  const read = readUntil(until, now);
  return read.ok && read.atMs !== undefined ? `${momentText(read.atMs, now)} UTC` : undefined;
}

/** Another choice. The date that is proposed for one is what was chosen before. */
export function chosen(choice: UntilChoice, { text, ...before }: Until, now: number): Until {
  if (choice !== "date" || text !== "") return { choice, text };
  const read = readUntil({ ...before, text }, now);
  return { choice, text: toUntilField((read.ok && read.atMs) || tomorrowEvening(now)) };
}

export const untilDate = (atMs: number): Until => ({ choice: "date", text: toUntilField(atMs) });

const toUntilField = (atMs: number): string => new Date(Math.min(atMs, 8.64e15)).toISOString().slice(0, 16);

function tomorrowEvening(now: number): number {
  return (Math.floor(now / dayMs) + 1) * dayMs + 18 * 60 * minuteMs;
}
