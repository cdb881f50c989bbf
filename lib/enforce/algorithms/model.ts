import type { Reading, Step } from "../limits/plan.ts";

/**
 * One way of counting without Redis: for counters of this process, for the Lab, and as what tests compare the Lua script with.
 * Times are whole microseconds, so that windows are exact.
 *
 * A peek finds one number or two, the same ones that the script replies. `read` derives everything else from them.
 */
export interface Model<State> {
  peek(state: State | undefined, step: Step, cost: number, nowMicros: number): Found;
  /** The state after a hit that is charged. A state has one owner and may be changed in place. */
  charge(state: State | undefined, step: Step, cost: number, nowMicros: number): State;
  read(found: Found, step: Step, cost: number, nowMicros: number): Reading;
}

/** The numbers of a peek; the second is 0 where the algorithm needs one alone. */
export type Found = readonly [number, number];

/** The cost by which a request is judged. A request of cost 0 asks whether one of cost 1 would pass. */
export const judgedCost = (cost: number): number => Math.max(1, cost);

export const second = 1_000_000;

export const periodOf = (step: Step): number => step.periodSeconds * second;

export const millis = (micros: number): number => Math.max(0, Math.ceil(micros / 1_000));
