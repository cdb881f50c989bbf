import { earrrl, lambdaOf } from "./earrrl.ts";
import type { Reading, Step } from "./plan.ts";

/** What was last seen of one client at one counter, as far as it still holds. Times are milliseconds of one clock. */
export class Sight {
  readonly counter: string;
  readonly client: string;
  step: Step;
  #used = 0;
  #resetAtMs = 0;
  /** Until then this cost is denied under this limit, or a lower one. */
  #deniedUntilMs = 0;
  #cost = 0;
  #limit = 0;
  /** EARRRL: N at least, and what of it Redis was not told yet; both as of `#sumAtMs`. */
  #sum = 0;
  #untold = 0;
  #sumAtMs = 0;

  constructor(counter: string, client: string, step: Step) {
    this.counter = counter;
    this.client = client;
    this.step = step;
  }

  get hasUntold(): boolean {
    return this.#untold > 0;
  }

  see(step: Step, cost: number, reading: Reading, atMs: number, longestMs: number): void {
    this.step = step;
    if (step.algorithm === "earrrl") {
      const weight = reading.isOver ? cost * step.overageWeight : cost;
      this.#decayTo(atMs);
      this.#sum = Math.max(this.#sum, reading.used / lambdaOf(step) + weight);
      return;
    }
    this.#used = reading.used;
    // It was rounded up.
    const resetMs = Math.max(0, reading.resetMs - 1);
    this.#resetAtMs = atMs + resetMs;
    this.#deniedUntilMs = reading.isOver ? atMs + Math.min(resetMs, longestMs) : 0;
    this.#cost = cost;
    this.#limit = step.limit;
  }

  isDenied(step: Step, cost: number, nowMs: number): boolean {
    if (step.algorithm !== "earrrl")
      return nowMs < this.#deniedUntilMs && cost >= this.#cost && step.limit <= this.#limit;
    if (this.#sum === 0) return false;
    this.#decayTo(nowMs);
    return this.#sum * lambdaOf(step) > step.limit;
  }

  read(step: Step, cost: number, nowMs: number): Reading {
    const isOver = this.isDenied(step, cost, nowMs);
    if (step.algorithm !== "earrrl") {
      const leftMs = this.#resetAtMs - nowMs;
      return { used: leftMs > 0 ? this.#used : 0, resetMs: Math.max(0, Math.ceil(leftMs)), isOver };
    }
    return earrrl.read([this.#sum, 0], step, cost, 0);
  }

  /** EARRRL: one more hit. */
  hit(weight: number, nowMs: number): void {
    this.#decayTo(nowMs);
    this.#sum += weight;
    this.#untold += weight;
  }

  /** EARRRL: what Redis was not told, as it weighs now; the caller tells it. */
  takeUntold(nowMs: number): number {
    this.#decayTo(nowMs);
    const weight = this.#untold;
    this.#untold = 0;
    return weight;
  }

  /** EARRRL: what N was in Redis at a moment; what it was not told since comes on top. */
  correct(sum: number, atMs: number): void {
    this.#decayTo(atMs);
    const later = Math.exp(-lambdaOf(this.step) * ((this.#sumAtMs - atMs) / 1_000));
    this.#sum = sum * later + this.#untold;
  }

  #decayTo(nowMs: number): void {
    if (nowMs <= this.#sumAtMs) return;
    if (this.#sum > 0) {
      const left = Math.exp(-lambdaOf(this.step) * ((nowMs - this.#sumAtMs) / 1_000));
      this.#sum *= left;
      this.#untold *= left;
    }
    this.#sumAtMs = nowMs;
  }
}
