import { type Model, millis, periodOf } from "./model.ts";
import { countIn, type WindowCounts, withCount } from "./window-counts.ts";

/** Windows that begin with the clock: at each full hour for a period of an hour. */
export const fixed: Model<WindowCounts> = {
  peek: (state, step, _, now) => [countIn(state, Math.floor(now / periodOf(step))), 0],
  charge: (state, step, cost, now) => withCount(state, Math.floor(now / periodOf(step)), cost),
  read: ([used], step, cost, now) => ({
    used,
    resetMs: millis(periodOf(step) - (now % periodOf(step))),
    isOver: used + cost > step.limit,
  }),
};
