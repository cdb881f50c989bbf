import { type Model, millis, second } from "./model.ts";
import type { Step } from "./plan.ts";

/** Cumulative weight N, as it stood at T. */
export interface Rate {
  readonly sum: number;
  readonly at: number;
}

/**
 * Estimated average recent request rate: each hit's weight decays by half in a half-life, and the estimate is what is left
 * times λ. A client is over the limit by the estimate before its own hit; the hit counts either way.
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
    const isOver = estimate > step.limit;
    // The hit that is turned away counts, too: it is clear later by what this one adds.
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

/** Until the estimate, left alone, is down to the limit. */
export function secondsUntilClear(estimate: number, step: Step): number {
  return Math.max(0, Math.log(estimate / step.limit) / lambdaOf(step));
}

/** Until less than a thousandth of the limit is left, when forgetting changes no verdict worth the name. */
export function secondsToKeep(sum: number, step: Step): number {
  return Math.max(1, Math.log((sum * lambdaOf(step) * 1_000) / step.limit) / lambdaOf(step));
}
