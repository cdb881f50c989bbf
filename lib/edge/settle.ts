import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../redis/connect.ts";
import { readState, type SweepState } from "./state.ts";
import type { Sweep } from "./sweep.ts";

const patienceMs = 15_000;
const lookEveryMs = 100;

/**
 * Waits until a sweep has taken up what was changed before, and every edge it reaches is as wished. Where no process
 * holds the sweep, it is done by hand. Nothing when even that did not come about in time.
 */
export async function settle(redis: Connection, byHand: Sweep): Promise<SweepState | undefined> {
  const changedAt = await redisMs(redis);
  const deadline = performance.now() + patienceMs;
  let last: SweepState | undefined;
  try {
    while (performance.now() < deadline) {
      await byHand.once();
      const state = await readState(redis);
      if (state && state.at > changedAt) {
        last = state;
        if (state.dictionaries.every(({ behindSince }) => behindSince === null)) return state;
      }
      await pause(lookEveryMs);
    }
    return last;
  } finally {
    await byHand.close();
  }
}

async function redisMs(redis: Connection): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
