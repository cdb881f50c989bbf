import type { Connection } from "../../redis/connect.ts";
import type { FollowingWay } from "../../redis/following.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";

/**
 * State of a node's counters. ok: no request lately that they did not answer. late: an answer is overdue, and only a probe now
 * and then is sent. away: there is no connection. refused: they answer with an error, as a full server does.
 */
export const countersStates = ["ok", "late", "away", "refused"] as const;
export type CountersState = (typeof countersStates)[number];

/** A process that enforces, as it last described itself. */
export interface NodeReport {
  readonly id: string;
  readonly app: string;
  readonly version: string;
  /** The version of Next that runs the process. Undefined for other processes, and for older nodes. */
  readonly next?: string;
  /** The version of Node that runs the process. Undefined for older nodes. */
  readonly node?: string;
  readonly host: string;
  readonly startedAt: number;
  /** Number of the last change it has applied. */
  readonly change: number;
  /** Time in ms since it was last certain that it had missed no change. */
  readonly replicaAgeMs: number;
  readonly safelisted: number;
  readonly blocklisted: number;
  /** Requests on which nothing could be enforced, because the app did not name the client. */
  readonly unknownClients: number;
  /** Its recent decisions a second, and the denials among them; undefined for a node whose version does not report them. */
  readonly requestsPerSecond?: number;
  readonly deniedPerSecond?: number;
  readonly counters?: CountersState;
  /** How it learns of changes; undefined for a node whose version does not report it. */
  readonly following?: FollowingWay;
  /** A write by a program other than Sluice is in force there within this time. */
  readonly othersWithinMs?: number;
  /** Why it does not use client tracking. */
  readonly notTracking?: string;
  /** What its app's session gives customers and the policy cannot use. Undefined without any. */
  readonly ignoredLimits?: string;
  /** The newest format of policies that it understands. */
  readonly policyFormat?: number;
  /** The format of feeds that it enforces. 0 where Redis refuses to read their contents; undefined for older nodes, which ignore them. */
  readonly feedsFormat?: number;
  /** 1: it reports uses of overrides of groups and patterns. 0 where Redis refuses that; undefined for older nodes, which ignore these overrides. */
  readonly overridesFormat?: number;
  /** The format in which it reports customers of addresses. 0 where Redis refuses such reports; undefined for older nodes. */
  readonly ownersFormat?: number;
}

export const heartbeatEveryMs = 2_000;
/** Three heartbeats may fail before a node counts as gone. */
export const presumedDeadAfterMs = 8_000;
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

/** Reports at once that every change after `from` and up to `to` is in force on this node. */
export async function acknowledge(redis: Connection, id: string, from: number, to: number): Promise<void> {
  await applied.run(redis, { id, from: Math.max(from, to - acknowledgedAtOnce), to });
}

export async function leave(redis: Connection, id: string): Promise<void> {
  await redis.multi().zrem(keys.nodes(), id).del(keys.node(id)).exec();
}

/** What only the node itself knows of how it is. */
export type Condition = Omit<NodeReport, "id" | "change">;

/** Reports a node to the fleet: that it runs, its state, and which changes it has applied. */
export class Membership {
  readonly #redis: Connection;
  readonly #id: string;
  readonly #describe: () => Condition;
  #applied: number | undefined;

  constructor(redis: Connection, id: string, describe: () => Condition) {
    this.#redis = redis;
    this.#id = id;
    this.#describe = describe;
  }

  /** Sent once the node knows up to which change it is current: no writer waits for one that cannot answer. */
  async beat(): Promise<void> {
    if (this.#applied === undefined || this.#redis.status !== "ready") return;
    const report = { id: this.#id, change: this.#applied, ...this.#describe() };
    // A missed heartbeat shows as the outage itself.
    await heartbeat(this.#redis, report).catch(() => {});
  }

  async hasApplied(change: number): Promise<void> {
    const before = this.#applied;
    this.#applied = change;
    // A node that has just joined found the earlier changes in force; no writer waited for it.
    if (before === undefined) return this.beat();
    if (change === before) return;
    // Numbers begin again when Redis was emptied.
    const from = change < before ? 0 : before;
    // If Redis goes away before this, the next heartbeat says the same.
    await acknowledge(this.#redis, this.#id, from, change).catch(() => {});
  }

  /** Leaves the fleet. Redis may be away; the heartbeat's own expiry then says that this node left. */
  async close(): Promise<void> {
    await leave(this.#redis, this.#id).catch(() => {});
  }
}
