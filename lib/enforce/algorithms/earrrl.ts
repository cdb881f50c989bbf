import type { Step } from "../limits/plan.ts";
import { type Model, millis, periodOf, second } from "./model.ts";

/** Cumulative weight N as of T. */
export interface Rate {
  readonly sum: number;
  readonly at: number;
}

/**
 * Estimated average recent request rate: each hit's weight decays by half in a half-life, and the estimate is the sum of what is
 * left times λ. A client is over the limit by the estimate before its own hit; the hit counts either way. A limit of 0 denies each
 * request, and counts none.
 */
export const earrrl: Model<Rate> = {
  peek: (state, step, _, now) => [state ? decayed(state, step, now) : 0, 0],
  charge(state, step, cost, now) {
    const sum = state ? decayed(state, step, now) : 0;
    const weight = sum * lambdaOf(step) > step.limit ? step.overageWeight * cost : cost;
    return { sum: sum + weight, at: Math.max(now, state?.at ?? now) };
  },
  read([sum], step, cost) {
    const estimate = sum * lambdaOf(step);
    if (step.limit === 0) return { used: estimate, resetMs: millis(periodOf(step)), isOver: true };
    const isOver = estimate > step.limit;
    // The denied hit counts, too: the client is clear later by the weight of this one.
    const after = estimate + step.overageWeight * cost * lambdaOf(step);
    return { used: estimate, resetMs: isOver ? millis(secondsUntilClear(after, step) * second) : 0, isOver };
  },
};

export const lambdaOf = (step: Step): number => Math.LN2 / step.periodSeconds;

/** A clock that steps back must not inflate the sum. */
export function decayed(rate: Rate, step: Step, nowMicros: number): number {
  if (rate.at > nowMicros) return rate.sum;
  return rate.sum * Math.exp(-lambdaOf(step) * ((nowMicros - rate.at) / second));
}

/** Until the estimate is down to the limit, without another hit. */
export function secondsUntilClear(estimate: number, step: Step): number {
  return Math.max(0, Math.log(estimate / step.limit) / lambdaOf(step));
}
