import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";

/**
 * How a node finds its counters. ok: nobody missed them lately. late: an answer is overdue, and only a probe now and then is
 * sent. away: there is no connection. refused: they answer with an error, as a full server does.
 */
export const countersStates = ["ok", "late", "away", "refused"] as const;
export type CountersState = (typeof countersStates)[number];

/** A process that enforces, as it last described itself. */
export interface NodeReport {
  readonly id: string;
  readonly app: string;
  readonly version: string;
  readonly host: string;
  readonly startedAt: number;
  /** Number of the last change it has applied. */
  readonly change: number;
  /** Since when, in ms, it cannot be sure to have missed nothing. */
  readonly replicaAgeMs: number;
  readonly safelisted: number;
  readonly blocklisted: number;
  /** Requests on which nothing could be enforced, because the app did not say who was asking. */
  readonly unknownClients: number;
  /** What it decided a second, and denied of it, lately; nothing of a node whose version does not tell. */
  readonly requestsPerSecond?: number;
  readonly deniedPerSecond?: number;
  readonly counters?: CountersState;
}

export interface LiveNode extends NodeReport {
  readonly seenAt: number;
}

export const heartbeatEveryMs = 2_000;
/** Three heartbeats may fail before a node counts as gone. */
const presumedDeadAfterMs = 8_000;
/** A node that was away longer than this many changes acknowledges only the last ones. */
const acknowledgedAtOnce = 64;

const beat = defineScript({
  lua: lua.heartbeat,
  keys: (report: NodeReport) => [keys.nodes(), keys.node(report.id)],
  args: (report) => [report.id, presumedDeadAfterMs, ...Object.entries(report).flat()],
  reply: (now: number) => now,
});

const applied = defineScript({
  lua: lua.acknowledge,
  keys: ({ id, from, to }: { id: string; from: number; to: number }) => [
    keys.node(id),
    ...Array.from({ length: to - from }, (_, i) => keys.changeProgress(from + 1 + i)),
  ],
  args: ({ id, to }) => [id, to],
  reply: (now: number) => now,
});

export async function heartbeat(redis: Connection, report: NodeReport): Promise<void> {
  await beat.run(redis, report);
}

/** Says at once that every change after `from` and up to `to` is in force on this node. */
export async function acknowledge(redis: Connection, id: string, from: number, to: number): Promise<void> {
  await applied.run(redis, { id, from: Math.max(from, to - acknowledgedAtOnce), to });
}

export async function leave(redis: Connection, id: string): Promise<void> {
  await redis.multi().zrem(keys.nodes(), id).del(keys.node(id)).exec();
}

export async function listNodes(redis: Connection): Promise<LiveNode[]> {
  const ids = await redis.zrange(keys.nodes(), 0, "-1");
  const hashes = await Promise.all(ids.map((id) => redis.hgetall(keys.node(id))));
  return hashes.flatMap((hash) => (hash.id === undefined ? [] : [readNode(hash)]));
}

export interface Progress {
  readonly change: number;
  readonly nodes: number;
  readonly reached: readonly { id: string; app: string; tookMs: number }[];
  readonly lagging: readonly { id: string; app: string }[];
}

/** How far a change got: the nodes that have it, after how long, and those that do not have it yet. */
export async function changeProgress(redis: Connection, change: number): Promise<Progress> {
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
  const text = (field: keyof LiveNode) => hash[field] ?? "";
  const number = (field: keyof LiveNode) => Number(hash[field] ?? 0);
  return {
    id: text("id"),
    app: text("app"),
    version: text("version"),
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
    seenAt: number("seenAt"),
  };
}
