import { at } from "../../at.ts";
import type { Step } from "../limits/plan.ts";
import { judgedCost, type Model, millis, periodOf, windowAt, windowEnd } from "./model.ts";

/** What was used in the last few windows of the clock, newest first; more than one, because the clock may step back. */
export type WindowCounts = readonly { readonly index: number; readonly used: number }[];

const keptWindows = 4;

function countIn(counts: WindowCounts | undefined, index: number): number {
  return counts?.find((window) => window.index === index)?.used ?? 0;
}

function withCount(counts: WindowCounts | undefined, index: number, cost: number): WindowCounts {
  const others = (counts ?? []).filter((window) => window.index !== index);
  const windows = [...others, { index, used: countIn(counts, index) + cost }];
  return windows.sort((a, b) => b.index - a.index).slice(0, keptWindows);
}

function unchargeWindow(
  counts: WindowCounts,
  step: Step,
  cost: number,
  now: number,
): WindowCounts | undefined {
  const index = windowAt(step, now);
  return countIn(counts, index) >= cost ? withCount(counts, index, -cost) : undefined;
}

/** Windows that begin with the clock, at each full hour for a period of an hour, or with the calendar. */
export const fixed: Model<WindowCounts> = {
  peek: (state, step, _, now) => [countIn(state, windowAt(step, now)), 0],
  charge: (state, step, cost, now) => withCount(state, windowAt(step, now), cost),
  uncharge: unchargeWindow,
  read: ([used], step, cost, now) => ({
    used,
    resetMs: millis(windowEnd(step, now) - now),
    isOver: used + judgedCost(cost) > step.limit,
  }),
};

/** What this fixed window used, and of the one before it the share that the last period still covers. */
export const sliding: Model<WindowCounts> = {
  peek(state, step, _, now) {
    const index = windowAt(step, now);
    return [countIn(state, index), countIn(state, index - 1)];
  },
  charge: fixed.charge,
  uncharge: unchargeWindow,
  read([current, previous], step, cost, now) {
    const period = periodOf(step);
    const elapsed = now % period;
    const used = previous * ((period - elapsed) / period) + current;
    const judged = judgedCost(cost);
    const isOver = used + judged > step.limit;
    const wait = isOver ? untilItFits(current, previous, step, judged, elapsed) : period - elapsed;
    return { used, resetMs: millis(wait), isOver, windows: [current, previous] };
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

export interface OpenWindow {
  readonly used: number;
  readonly endsAt: number;
}

/** A window that opens with its first hit and lasts a period. */
export const firstHit: Model<OpenWindow> = {
  peek: (state, step, _, now) =>
    state && state.endsAt > now ? [state.used, state.endsAt] : [0, now + periodOf(step)],
  charge(state, step, cost, now) {
    const [used, endsAt] = firstHit.peek(state, step, cost, now);
    return { used: used + cost, endsAt };
  },
  uncharge({ used, endsAt }, step, cost, now) {
    const isOfWindow = endsAt > now && endsAt - periodOf(step) <= now;
    return isOfWindow && used >= cost ? { used: used - cost, endsAt } : undefined;
  },
  read: ([used, endsAt], step, cost, now) => ({
    used,
    resetMs: millis(endsAt - now),
    isOver: used + judgedCost(cost) > step.limit,
  }),
};

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
  uncharge({ backlog, at: since }, step, cost, now) {
    // What has drained since the charge may have been this very charge.
    const drained = Math.max(since - now, 0) * step.limit;
    const left = backlog - Math.max(cost * periodOf(step) - drained, 0);
    return left >= 0 ? { backlog: left, at: since } : undefined;
  },
  read([backlog], step, cost) {
    const period = periodOf(step);
    const judged = judgedCost(cost);
    const excess = backlog + judged * period - step.limit * period;
    const isOver = excess > 0;
    const wait = isOver && judged <= step.limit ? excess / step.limit : backlog / step.limit;
    return { used: backlog / period, resetMs: millis(step.limit > 0 ? wait : period), isOver };
  },
};

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
 * What was used within the last period, to the microsecond. In Redis it is a list or a sorted set; both decide the same. A hit
 * at t counts until just before t + period.
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
    const judged = judgedCost(cost);
    const frees = used + judged > step.limit ? lastInTheWay(state, newest, step, judged) : oldest;
    return [used, frees.at + period + now - clocked];
  },
  charge(state, step, cost, now) {
    const hits = state ?? { list: [], first: 0 };
    const newest = hits.list.at(-1);
    const clocked = Math.max(now, newest?.at ?? now);
    hits.first = firstAfter(hits, clocked - periodOf(step));
    hits.list.push({ at: clocked, cost, sum: (newest?.sum ?? 0) + cost });
    if (hits.first * 2 > hits.list.length) {
      hits.list = hits.list.slice(hits.first);
      hits.first = 0;
    }
    return hits;
  },
  uncharge({ list, first }, _, cost) {
    const place = list.findLastIndex((hit) => hit.cost === cost);
    if (place < first) return undefined;
    const newer = list.slice(place + 1).map((hit) => ({ ...hit, sum: hit.sum - cost }));
    return { list: [...list.slice(0, place), ...newer], first };
  },
  lower({ list, first }, _, amount, atMicros) {
    const place = list.findLastIndex((hit) => hit.at <= atMicros && hit.cost >= amount);
    const hit = list[place];
    if (!hit || place < first) return undefined;
    const lowered = { ...hit, cost: hit.cost - amount, sum: hit.sum - amount };
    const newer = list.slice(place + 1).map((other) => ({ ...other, sum: other.sum - amount }));
    return { list: [...list.slice(0, place), lowered, ...newer], first };
  },
  read: firstHit.read,
};

/** What a request has reserved until it is settled, or until the hold expires. */
export interface Hold {
  readonly name: string | undefined;
  readonly cost: number;
  readonly endsAt: number;
}

/** What is under way now. A hold that nothing releases lasts a period. */
export const concurrent: Model<readonly Hold[]> = {
  peek(state, step, _, now) {
    let held = 0;
    let ends = Number.POSITIVE_INFINITY;
    for (const { cost, endsAt } of state ?? []) {
      if (endsAt <= now) continue;
      held += cost;
      ends = Math.min(ends, endsAt);
    }
    return [held, ends === Number.POSITIVE_INFINITY ? now + periodOf(step) : ends];
  },
  /** One of a name: the levels of a rule share their holds. */
  charge: (state, step, cost, now, name) => [
    ...released(state, name).filter(({ endsAt }) => endsAt > now),
    { name, cost, endsAt: now + periodOf(step) },
  ],
  read: ([held, endsAt], step, cost, now) => ({
    used: held,
    held,
    resetMs: millis(endsAt - now),
    isOver: held + judgedCost(cost) > step.limit,
  }),
};

/** The state once the request of that name is settled. */
export function released(state: readonly Hold[] = [], name: string | undefined): readonly Hold[] {
  return name === undefined ? state : state.filter((hold) => hold.name !== name);
}

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
    if (at(list, middle).at > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
