import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { NodeReport } from "./nodes.ts";

export interface NewestChange {
  /** 0 when nothing was ever changed. */
  readonly number: number;
  /** In ms of Redis' clock; nothing when it was made long ago, or by a foreign writer. */
  readonly at: number | undefined;
  /** Redis' clock when this was read. */
  readonly now: number;
}

/** A copy that nobody has confirmed for longer may have missed something. */
const oldestReplicaMs = 5_000;
/** A change takes a moment to reach the nodes: none of them lags behind one that has just been made. */
const onTheWayMs = 1_000;

/** What every node is held against. */
export async function readNewestChange(redis: Connection): Promise<NewestChange> {
  const [text, time] = await Promise.all([redis.get(keys.change()), redis.time()]);
  const [seconds, micros] = time.map(Number);
  const number = Number(text) || 0;
  const at = number > 0 ? await redis.hget(keys.changeProgress(number), "at") : null;
  return {
    number,
    at: at === null ? undefined : Number(at),
    now: (seconds ?? 0) * 1_000 + Math.floor((micros ?? 0) / 1_000),
  };
}

/** Written so that a number that is none counts as late. */
export function isInSync(
  { change, replicaAgeMs }: Pick<NodeReport, "change" | "replicaAgeMs">,
  { number, at, now }: NewestChange,
): boolean {
  const isOnTheWay = at !== undefined && now - at < onTheWayMs && change >= number - 1;
  return replicaAgeMs <= oldestReplicaMs && (change >= number || isOnTheWay);
}
