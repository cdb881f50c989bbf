import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../../redis/connect.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { type EdgeSyncState, readState } from "./state.ts";
import type { EdgeSync } from "./sync.ts";

const longestMs = 15_000;
const readEveryMs = 100;

/**
 * Waits until a pass of the sync has read earlier changes and every connected edge is in sync. Makes the passes here if no
 * other process does. Undefined if no pass ends in time.
 */
export async function settle(redis: Connection, ownSync: EdgeSync): Promise<EdgeSyncState | undefined> {
  const changedAt = await redisNow(redis);
  const deadline = performance.now() + longestMs;
  let last: EdgeSyncState | undefined;
  try {
    while (performance.now() < deadline) {
      await ownSync.once();
      const state = await readState(redis);
      if (state && state.at > changedAt) {
        last = state;
        if (state.dictionaries.every(({ behindSince }) => behindSince === null)) return state;
      }
      await pause(readEveryMs);
    }
    return last;
  } finally {
    await ownSync.close();
  }
}
