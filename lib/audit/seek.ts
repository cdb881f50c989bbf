import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { isDamaged, readRow } from "./stored.ts";
import { newestNumber } from "./walk.ts";

/** Bans are recorded within seconds, or when a console runs again: what was made before may stand this much later. */
const slackMs = 3_600_000;

/** Where to begin so that what was recorded long after a moment is passed over: an id, or nothing for the newest. */
export async function seekEnd(redis: Connection, to: number): Promise<string | undefined> {
  let low = 1;
  let high = await newestNumber(redis);
  if (!Number.isSafeInteger(high)) return undefined;
  // Invariant: before `low` nothing is too late, from `high` on nothing is known.
  let end: string | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstFrom(redis, middle, high);
    if (found && found.at > to + slackMs) {
      end = `${found.n}-0`;
      high = middle - 1;
    } else low = (found?.n ?? high) + 1;
  }
  return end;
}

/** The first whole record from a number on. Runs of damage are left to whoever walks the log. */
async function firstFrom(redis: Connection, n: number, last: number) {
  const rows = await redis.xrange(keys.audit(), `${n}-0`, `${last}-0`, "COUNT", 4);
  for (const [id, fields] of rows) {
    const found = readRow({ id, fields });
    if (!isDamaged(found)) return { n: found.n, at: Date.parse(found.at) };
  }
  return undefined;
}
