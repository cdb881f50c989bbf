import type { Report } from "./tally.ts";

interface Stretch {
  readonly at: number;
  readonly requests: number;
  readonly denied: number;
}

/** How far what is told looks back. */
const spanMs = 10_000;

/** How much a node has to do, by what it counted in the last ten seconds. Times are milliseconds of one clock. */
export class Pace {
  readonly #startedAt: number;
  #stretches: Stretch[] = [];

  constructor(nowMs = performance.now()) {
    this.#startedAt = nowMs;
  }

  /** What was counted since the last time. */
  add({ counts }: Pick<Report, "counts">, nowMs = performance.now()): void {
    const count = (outcome: string) => counts.get(outcome) ?? 0;
    const denied = count("throttled") + count("blocked");
    this.#forget(nowMs);
    this.#stretches.push({ at: nowMs, requests: denied + count("pass") + count("safelisted"), denied });
  }

  read(nowMs = performance.now()): { requestsPerSecond: number; deniedPerSecond: number } {
    this.#forget(nowMs);
    const seconds = Math.max(1_000, Math.min(spanMs, nowMs - this.#startedAt)) / 1_000;
    const perSecond = (what: "requests" | "denied") => {
      const sum = this.#stretches.reduce((all, stretch) => all + stretch[what], 0);
      return Math.round((10 * sum) / seconds) / 10;
    };
    return { requestsPerSecond: perSecond("requests"), deniedPerSecond: perSecond("denied") };
  }

  #forget(nowMs: number): void {
    this.#stretches = this.#stretches.filter(({ at }) => nowMs - at < spanMs);
  }
}
