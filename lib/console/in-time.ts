import { setTimeout as pause } from "node:timers/promises";

/** The answer, or undefined when it takes longer. */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  const waiting = new AbortController();
  const tooLate = pause(ms, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined);
  return Promise.race([answer, tooLate]).finally(() => waiting.abort());
}
