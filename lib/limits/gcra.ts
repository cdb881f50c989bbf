import { type Model, millis, periodOf } from "./model.ts";

export interface Meter {
  /** One request is as many units as the period has microseconds, and each of these drains `limit` units. */
  readonly backlog: number;
  readonly at: number;
}

/**
 * The generic cell rate algorithm as the leaky meter it is equal to: its theoretical arrival time lies `backlog / limit`
 * ahead. Whole numbers, so that exactly `limit` hits fit at once and nothing drifts.
 */
export const gcra: Model<Meter> = {
  peek(state, step, _, now) {
    if (!state) return [0, 0];
    return [Math.max(state.backlog - Math.max(now - state.at, 0) * step.limit, 0), 0];
  },
  charge(state, step, cost, now) {
    const [backlog] = gcra.peek(state, step, cost, now);
    return { backlog: backlog + cost * periodOf(step), at: Math.max(now, state?.at ?? now) };
  },
  read([backlog], step, cost) {
    const period = periodOf(step);
    const excess = backlog + cost * period - step.limit * period;
    const isOver = backlog + cost * period > step.limit * period;
    const wait = isOver && cost <= step.limit ? excess / step.limit : backlog / step.limit;
    return { used: backlog / period, resetMs: millis(step.limit > 0 ? wait : period), isOver };
  },
};
