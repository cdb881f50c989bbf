import { countersStates, type NodeReport, presumedDeadAfterMs } from "../../enforce/stats/membership.ts";
import type { Connection } from "../../redis/connect.ts";
import { followingWays } from "../../redis/following.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";

export interface LiveNode extends NodeReport {
  readonly seenAt: number;
}

export async function listNodes(redis: Connection): Promise<LiveNode[]> {
  const ids = await redis.zrange(keys.nodes(), 0, "-1");
  const hashes = await Promise.all(ids.map((id) => redis.hgetall(keys.node(id))));
  return hashes.flatMap((hash) => (hash.id === undefined ? [] : [readNode(hash)]));
}

/** Live nodes: as many share the slack of a rule. */
export async function countNodes(redis: Connection): Promise<number> {
  const oldest = (await redisNow(redis)) - presumedDeadAfterMs;
  return redis.zcount(keys.nodes(), `(${oldest}`, "+inf");
}

export interface ChangeProgress {
  readonly change: number;
  readonly nodes: number;
  readonly reached: readonly { id: string; app: string; tookMs: number }[];
  readonly lagging: readonly { id: string; app: string }[];
}

/** How far a change got: the nodes that have it, after how long, and those that do not have it yet. */
export async function changeProgress(redis: Connection, change: number): Promise<ChangeProgress> {
  const [marks, nodes] = await Promise.all([redis.hgetall(keys.changeProgress(change)), listNodes(redis)]);
  const madeAt = Number(marks.at);
  const reached = nodes.flatMap(({ id, app }) =>
    marks[id] === undefined ? [] : [{ id, app, tookMs: Number(marks[id]) - madeAt }],
  );
  const lagging = nodes.filter((node) => marks[node.id] === undefined && node.change < change);
  return { change, nodes: nodes.length, reached, lagging: lagging.map(({ id, app }) => ({ id, app })) };
}

function readNode(hash: Record<string, string>): LiveNode {
  const counters = countersStates.find((state) => state === hash.counters);
  const following = followingWays.find((way) => way === hash.following);
  const text = (field: keyof LiveNode) => hash[field] ?? "";
  const number = (field: keyof LiveNode) => Number(hash[field] ?? 0);
  return {
    id: text("id"),
    app: text("app"),
    version: text("version"),
    ...(hash.next !== undefined && { next: hash.next }),
    ...(hash.node !== undefined && { node: hash.node }),
    host: text("host"),
    startedAt: number("startedAt"),
    change: number("change"),
    replicaAgeMs: number("replicaAgeMs"),
    safelisted: number("safelisted"),
    blocklisted: number("blocklisted"),
    unknownClients: number("unknownClients"),
    ...(hash.requestsPerSecond !== undefined && { requestsPerSecond: number("requestsPerSecond") }),
    ...(hash.deniedPerSecond !== undefined && { deniedPerSecond: number("deniedPerSecond") }),
    ...(counters && { counters }),
    ...(following && { following, othersWithinMs: number("othersWithinMs") }),
    ...(hash.notTracking && { notTracking: hash.notTracking }),
    ...(hash.ignoredLimits && { ignoredLimits: hash.ignoredLimits }),
    ...(hash.policyFormat !== undefined && { policyFormat: number("policyFormat") }),
    ...(hash.feedsFormat !== undefined && { feedsFormat: number("feedsFormat") }),
    ...(hash.overridesFormat !== undefined && { overridesFormat: number("overridesFormat") }),
    ...(hash.ownersFormat !== undefined && { ownersFormat: number("ownersFormat") }),
    seenAt: number("seenAt"),
  };
}

export interface NewestChange {
  /** 0 before the first change. */
  readonly number: number;
  /** In ms of Redis' clock; undefined for a change made long ago, or by another program. */
  readonly at: number | undefined;
  /** Redis' clock when this was read. */
  readonly now: number;
}

/** A copy that was not confirmed for longer may have missed something. */
const oldestReplicaMs = 5_000;
/** A change takes a moment to reach the nodes: none of them lags behind one that has just been made. */
const onTheWayMs = 1_000;

/** The change that every node is compared with. */
export async function readNewestChange(redis: Connection): Promise<NewestChange> {
  const [text, now] = await Promise.all([redis.get(keys.change()), redisNow(redis)]);
  const number = Number(text) || 0;
  const at = number > 0 ? await redis.hget(keys.changeProgress(number), "at") : null;
  return {
    number,
    at: at === null ? undefined : Number(at),
    now,
  };
}

/** Written so that a value that is not a number counts as late. */
export function isInSync(
  { change, replicaAgeMs }: Pick<NodeReport, "change" | "replicaAgeMs">,
  { number, at, now }: NewestChange,
): boolean {
  const isOnTheWay = at !== undefined && now - at < onTheWayMs && change >= number - 1;
  return replicaAgeMs <= oldestReplicaMs && (change >= number || isOnTheWay);
}
