import { type Model, millis, periodOf } from "./model.ts";
import type { Step } from "./plan.ts";
import { countIn, type WindowCounts, withCount } from "./window-counts.ts";

/** What this fixed window used, and of the one before it the share that the last period still covers. */
export const sliding: Model<WindowCounts> = {
  peek(state, step, _, now) {
    const index = Math.floor(now / periodOf(step));
    return [countIn(state, index), countIn(state, index - 1)];
  },
  charge: (state, step, cost, now) => withCount(state, Math.floor(now / periodOf(step)), cost),
  read([current, previous], step, cost, now) {
    const period = periodOf(step);
    const elapsed = now % period;
    const used = previous * ((period - elapsed) / period) + current;
    const isOver = used + cost > step.limit;
    const wait = isOver ? untilItFits(current, previous, step, cost, elapsed) : period - elapsed;
    return { used, resetMs: millis(wait), isOver };
  },
};

/** In this window if the share of the one before shrinks enough, else in the next, where this one is the one before. */
function untilItFits(current: number, previous: number, step: Step, cost: number, elapsed: number): number {
  const period = periodOf(step);
  const room = step.limit - cost;
  if (room < 0) return 2 * period - elapsed;
  if (current <= room) return period - (period * (room - current)) / previous - elapsed;
  return 2 * period - (period * room) / current - elapsed;
}
