import type { Reading, Step } from "./plan.ts";

/**
 * What an algorithm does, without Redis: for the in-process store, for the Lab, and to hold the script to. Times are whole
 * microseconds, so that windows are exact.
 *
 * A peek finds one number or two, the same that the script finds and replies; everything a caller wants to know follows
 * from them by `read`.
 */
export interface Model<State> {
  peek(state: State | undefined, step: Step, cost: number, nowMicros: number): Found;
  /** The state after a hit that is charged. A state has one owner and may be changed in place. */
  charge(state: State | undefined, step: Step, cost: number, nowMicros: number): State;
  read(found: Found, step: Step, cost: number, nowMicros: number): Reading;
}

export type Found = readonly [number, number];

/** How many numbers of a peek mean something. */
export const foundCount = {
  fixed: 1,
  "first-hit": 2,
  "rolling-list": 2,
  "rolling-set": 2,
  sliding: 2,
  gcra: 1,
  earrrl: 1,
} as const;

export const second = 1_000_000;

export const periodOf = (step: Step): number => step.periodSeconds * second;

export const millis = (micros: number): number => Math.max(0, Math.ceil(micros / 1_000));
