import { type Model, millis, periodOf } from "./model.ts";

export interface Window {
  readonly used: number;
  readonly endsAt: number;
}

/** A window that opens with its first hit and lasts a period. */
export const firstHit: Model<Window> = {
  peek: (state, step, _, now) =>
    state && state.endsAt > now ? [state.used, state.endsAt] : [0, now + periodOf(step)],
  charge(state, step, cost, now) {
    const [used, endsAt] = firstHit.peek(state, step, cost, now);
    return { used: used + cost, endsAt };
  },
  read: ([used, endsAt], step, cost, now) => ({
    used,
    resetMs: millis(endsAt - now),
    isOver: used + cost > step.limit,
  }),
};
