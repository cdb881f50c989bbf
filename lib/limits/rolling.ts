import { type Model, millis, periodOf } from "./model.ts";
import type { Step } from "./plan.ts";

export interface Hit {
  readonly at: number;
  readonly cost: number;
  /** All costs up to and with this hit. */
  readonly sum: number;
}

/** Hits, oldest first; those before `first` are over. */
export interface Hits {
  list: Hit[];
  first: number;
}

/**
 * What was used within the last period, to the microsecond. In Redis it is a list or a sorted set; what they decide is the
 * same. A hit at t counts until just before t + period.
 */
export const rolling: Model<Hits> = {
  peek(state, step, cost, now) {
    const period = periodOf(step);
    const newest = state?.list.at(-1);
    if (!state || !newest) return [0, now + period];
    const clocked = Math.max(now, newest.at);
    const oldest = state.list[firstAfter(state, clocked - period)];
    if (!oldest) return [0, now + period];
    const used = newest.sum - oldest.sum + oldest.cost;
    const frees = used + cost > step.limit ? lastInTheWay(state, newest, step, cost) : oldest;
    return [used, frees.at + period + now - clocked];
  },
  charge(state, step, cost, now) {
    const hits = state ?? { list: [], first: 0 };
    const newest = hits.list.at(-1);
    const at = Math.max(now, newest?.at ?? now);
    hits.first = firstAfter(hits, at - periodOf(step));
    hits.list.push({ at, cost, sum: (newest?.sum ?? 0) + cost });
    if (hits.first * 2 > hits.list.length) {
      hits.list = hits.list.slice(hits.first);
      hits.first = 0;
    }
    return hits;
  },
  read: ([used, resetAt], step, cost, now) => ({
    used,
    resetMs: millis(resetAt - now),
    isOver: used + cost > step.limit,
  }),
};

/** The hit after which, once it is gone, the cost fits; the newest if it never does. */
function lastInTheWay({ list, first }: Hits, newest: Hit, step: Step, cost: number): Hit {
  const needed = newest.sum + cost - step.limit;
  return list.slice(first).find(({ sum }) => sum >= needed) ?? newest;
}

function firstAfter({ list, first }: Hits, moment: number): number {
  let low = first;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.at ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
