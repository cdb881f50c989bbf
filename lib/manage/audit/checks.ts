import { reasonProblem } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Holding } from "../../redis/snapshot.ts";
import { sayDuration } from "./time-words.ts";

/** Throws for a reason that a record cannot keep as it is. */
export function checkReason(reason: string): void {
  const problem = reasonProblem(reason);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { reason: problem });
}

/** Why a key may not be written: it holds another type, which its writer may still need. */
export function typeProblem(
  key: string,
  { kind }: Pick<Holding, "kind">,
  expected: "string" | "hash",
  what: string,
): string | undefined {
  if (kind === expected || kind === "none") return undefined;
  return `${key} in Redis is a ${kind}, not ${what}: remove it first.`;
}

export function requireType(...about: Parameters<typeof typeProblem>): void {
  const problem = typeProblem(...about);
  if (problem !== undefined) throw new DomainError("bad-input", problem);
}

const minuteMs = 60_000;
const yearMs = 366 * 24 * 60 * minuteMs;

/** Throws unless a change can end then. */
export function requireLater(
  atMs: number,
  nowMs: number,
  { leastMs = minuteMs, mostMs = yearMs } = {},
): void {
  // The clocks of a browser and of Redis differ a little.
  const isTime =
    Number.isSafeInteger(atMs) && atMs >= nowMs + leastMs - 10_000 && atMs <= nowMs + mostMs + 10_000;
  if (isTime) return;
  const problem = `choose a time from ${sayDuration(leastMs)} to ${sayDuration(mostMs)} from now`;
  throw new DomainError("bad-input", `Nothing was changed: ${problem}.`, { until: problem });
}
