import type { Connection } from "../../redis/connect.ts";
import type { FollowingWay } from "../../redis/following.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import type { Uplink } from "../../redis/uplink.ts";
import { type CountedDecision, Pace, type RequestText, type StatsReport, StatsTally } from "./tally.ts";

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
  /** The newest format of policies that it understands. */
  readonly policyFormat?: number;
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

/** Lengths of the buckets of the series, in seconds. Each counts everything; the short ones are deleted sooner. */
export const resolutions = [1, 10, 60, 3_600] as const;
export type Resolution = (typeof resolutions)[number];

interface ReportOfApp {
  readonly app: string;
  readonly node: string;
  readonly report: StatsReport;
  /** Of Redis' clock, as well as the node knows it. */
  readonly nowMs: number;
}

const script = defineScript({
  lua: lua.report,
  keys: ({ app, nowMs }: ReportOfApp) => {
    const seconds = Math.floor(nowMs / 1_000);
    const minute = Math.floor(seconds / 60);
    return [
      ...resolutions.map((length) => keys.series(length, Math.floor(seconds / length))),
      keys.hitters("all", app, minute),
      keys.hitters("denied", app, minute),
      keys.activeApps(minute),
      keys.feed(),
      keys.nodes(),
      keys.totals(),
    ];
  },
  args: ({ app, node, report: { counts, hitters, seen } }) => [
    app,
    JSON.stringify([...counts].flat()),
    JSON.stringify(hitters.flatMap(({ name, count, denied }) => [name, count, denied])),
    JSON.stringify(seen.map((one) => JSON.stringify({ ...one, app, node }))),
  ],
  reply: ([nowMs, nodes]: [number, number]) => ({ nowMs, nodes }),
});

/** Adds a node's counts to the fleet's, in one call. */
export function sendReport(
  redis: Connection,
  report: ReportOfApp,
): Promise<{ nowMs: number; nodes: number }> {
  return script.run(redis, report);
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

/** Most that all nodes together send to Redis in a second. */
const fleetHitters = 4_000;
const fleetSeen = 200;
const limits = { hitters: [50, 1_000], seen: [2, 20] } as const;
const minuteMs = 60_000;

const emptyReport: StatsReport = { counts: new Map(), hitters: [], seen: [] };

/**
 * A node's decisions, for the fleet's statistics. A second without decisions is sent too, so that a reader can distinguish it
 * from an unknown one. Reports are dropped while Redis is away.
 */
export class Reporter {
  readonly pace = new Pace();
  readonly #uplink: Uplink;
  readonly #of: { readonly app: string; readonly node: string };
  readonly #tally = new StatsTally();
  #minute = 0;

  constructor(uplink: Uplink, of: { readonly app: string; readonly node: string }) {
    this.#uplink = uplink;
    this.#of = of;
  }

  note<Decision extends CountedDecision>(
    decision: Decision,
    describe: (decision: Decision) => RequestText,
  ): void {
    this.#tally.note(decision, describe);
  }

  /** So much passed above the limit of a rule. */
  noteOver(rule: string, amount: number): void {
    this.#tally.noteOver(rule, amount);
  }

  async send(): Promise<void> {
    const report = this.#take();
    const { nowMs } = this.#uplink;
    await this.#uplink.tell((redis) => sendReport(redis, { ...this.#of, report, nowMs }));
    const { nodes = 1 } = this.#uplink;
    this.#tally.keepAtMost({
      hitters: within(limits.hitters, fleetHitters / nodes),
      seen: within(limits.seen, fleetSeen / nodes),
    });
  }

  #take(): StatsReport {
    const report = this.#tally.take();
    const minute = Math.floor(this.#uplink.nowMs / minuteMs);
    if (minute !== this.#minute) this.#tally.endMinute();
    this.#minute = minute;
    if (report) this.pace.add(report);
    return report ?? emptyReport;
  }
}

const within = ([least, most]: readonly [number, number], wanted: number): number =>
  Math.min(most, Math.max(least, Math.round(wanted)));
