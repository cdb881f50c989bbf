import {
  type CountersConnection,
  connectCounters,
  lastErrorOf,
  Pulse,
  type RedisSource,
} from "../../redis/connect.ts";
import { describeConnectionError, safeTargetName } from "../../redis/connection-error.ts";
import type { Schedule, Task } from "../../redis/schedule.ts";
import { Allowances } from "../limits/allowances.ts";
import { KnownDenials } from "../limits/known-denials.ts";
import { createMemoryScales, type MemoryScales } from "../limits/memory.ts";
import type { Unweighed } from "../limits/plan.ts";
import { createScales, type Scales } from "../limits/scales.ts";
import { createMemcachedScales, type Memcached } from "../memcached/memcached-scales.ts";
import type { CountersState } from "../stats/membership.ts";

/** Redis or memcached, each by its address or as an instance; or `memory:`, for one process that is all there is. */
export type CountersSource = RedisSource | Memcached;

/** Where counts are kept. */
export interface Store {
  readonly scales: Scales;
  /** What need not be asked. Undefined where asking costs no more: the counters are in this process. */
  readonly denials?: KnownDenials;
  /** What passes without asking. Redis alone. */
  readonly allowances?: Allowances;
  /** Redis alone: what counts denials for bans. */
  readonly connection?: CountersConnection;
  /** Settles when that connection has opened for the first time, or failed to. Undefined from then on. */
  readonly opening?: Promise<unknown> | undefined;
  /** Where that connection leads, without secrets. */
  readonly target?: string;
  /** memcached cannot do what other algorithms need. */
  readonly keepsFixedWindowsOnly: boolean;
  /** Charges for the hits that were denied without asking. */
  send?(): Promise<void>;
  /** Charges what has passed without asking. */
  settle?(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly schedule: Schedule;
  /** Processes that share the slack of rules. Undefined until it is known. */
  readonly nodes: () => number | undefined;
  /** How much passed above a rule's limit. */
  readonly onOver?: (rule: string, amount: number) => void;
}

const pulseEveryMs = 1_000;
/** Few are due at once, so that no call keeps Redis busy for long. */
const chargeEveryMs = 50;
/** A foreign hand, or an eviction, may take a counter away at any time. */
const believedMs = 5_000;
/** What another slot has reserved, and gives back, may deny for a moment. */
const believedOnClusterMs = 1_000;

/** Connects in the background. */
export function openStore(source: CountersSource, options: StoreOptions): Store {
  if (source === "memory:") return inMemory(createMemoryScales());
  if (typeof source === "string") {
    return source.startsWith("memcached:") ? onMemcached(source) : onRedis(source, options);
  }
  return "duplicate" in source ? onRedis(source, options) : onMemcached(source);
}

/** Counts in this process. */
export function inMemory(scales: MemoryScales): Store {
  return { scales, keepsFixedWindowsOnly: false, close: async () => {} };
}

function onMemcached(source: string | Memcached): Store {
  const scales = createMemcachedScales(source);
  const denials = new KnownDenials();
  return { scales, denials, keepsFixedWindowsOnly: true, close: async () => scales.close() };
}

function onRedis(source: RedisSource, { schedule, nodes, onOver }: StoreOptions): Store {
  const connection = connectCounters(source, "promptly", "sluice-counters");
  const denials = new KnownDenials({ longestMs: connection.isCluster ? believedOnClusterMs : believedMs });
  const scales = createScales(connection);
  const allowances = new Allowances({
    send: (charges) => scales.chargePassed(charges),
    momentAt: (ms) => scales.momentAt(ms),
    nodes,
    isCluster: connection.isCluster,
    ...(onOver && { onOver }),
  });
  schedule.every(chargeEveryMs, () => allowances.sendDue());
  connection.on("close", () => allowances.shut());
  // A failed ping is followed by the close of its connection, which tells more.
  const pulse = new Pulse(connection, () => connection.ping().then(noop, noop));
  // A cluster finds its silent nodes on its own.
  if (!connection.isCluster) schedule.every(pulseEveryMs, () => pulse.beat());
  connection.on("ready", () => void scales.prepare().then(() => allowances.open()));
  let opening: Promise<unknown> | undefined = Promise.race([
    new Promise((resolve) => connection.once("ready", resolve)),
    new Promise((resolve) => connection.once("close", resolve)),
  ]).then(() => {
    opening = undefined;
  });
  return {
    get opening() {
      return opening;
    },
    scales,
    denials,
    allowances,
    connection,
    target: safeTargetName(source),
    keepsFixedWindowsOnly: false,
    send: () => scales.charge(denials.drain()),
    settle: () => allowances.close(),
    async close() {
      connection.disconnect();
    },
  };
}

const noop = () => {};

/** By then the node, too, has found that the server is away. */
const tellAfterMs = 250;
/** A part of a cluster may be away while others answer: it is back when no request has missed it for so long. */
const clusterBackAfterMs = 1_000;
/** Without a request for this long, the counters' state is unknown. */
const missedLatelyMs = 5_000;
const repeatEveryMs = 5 * 60_000;

interface CountersHealthOptions {
  readonly store: Store;
  readonly schedule: Schedule;
  readonly log: (line: string) => void;
  /** Whether the log has it that the server is away. */
  readonly isLoggedAlready: () => boolean;
}

/** Where a node counts: in its store, in what it knows without asking, and in a model of its own while the store is away. */
export class CountersHealth {
  readonly model: MemoryScales = createMemoryScales();
  readonly store: Store;
  readonly #schedule: Schedule;
  readonly #log: (line: string) => void;
  readonly #isLoggedAlready: () => boolean;
  #isAway = false;
  #isLogged = false;
  #hasMet = false;
  /** Date.now() of the last miss on this connection. */
  #missedAt = Number.NEGATIVE_INFINITY;
  #missedSince: number | undefined;
  /** Date.now() when the connection closed, or when the counters were missed before that. Undefined while it is ready. */
  #closedSince: number | undefined;
  #answeredSince: number | undefined;
  #why: Unweighed["reason"] = "away";
  #message = "";
  #telling: Task | undefined;

  constructor({ store, schedule, log, isLoggedAlready }: CountersHealthOptions) {
    this.store = store;
    this.#schedule = schedule;
    this.#log = log;
    this.#isLoggedAlready = isLoggedAlready;
    const { connection } = this.store;
    if (connection) this.#closedSince = Date.now();
    connection?.on("close", () => this.#noteClose());
    connection?.on("ready", () => this.#noteReady());
  }

  get state(): CountersState {
    if (this.#closedSince !== undefined) return "away";
    return this.#isMissed ? this.#why : "ok";
  }

  /** Date.now() when this outage began. Undefined while the counters answer. */
  get missedSince(): number | undefined {
    return this.#closedSince ?? (this.#isMissed ? this.#missedSince : undefined);
  }

  /** Date.now() when the last outage of the counters ended. Undefined if there was none. */
  get answeredSince(): number | undefined {
    const hasLapsed = this.#isAway && !this.#isMissed && Number.isFinite(this.#missedAt);
    return hasLapsed ? this.#missedAt + missedLatelyMs : this.#answeredSince;
  }

  get #isMissed(): boolean {
    return this.#isAway && this.#sinceMissedMs < missedLatelyMs;
  }

  #noteClose(): void {
    this.#closedSince ??= (this.#isMissed ? this.#missedSince : undefined) ?? Date.now();
  }

  /** What another connection missed says nothing of this one. */
  #noteReady(): void {
    this.#closedSince = undefined;
    this.#missedAt = Number.NEGATIVE_INFINITY;
    this.#answeredSince = Date.now();
  }

  /** Cause, then consequence. */
  sayOutage(): string {
    return `The counters are unavailable. ${this.#sayCause()} Each rule does what its onStoreError says.`;
  }

  #sayCause(): string {
    const { connection, target } = this.store;
    const message = `${this.#message.replace(/\.$/, "")}.`;
    if (!connection || target === undefined) return message;
    if (connection.status !== "ready" || this.#why === "away") {
      const error = lastErrorOf(connection) ?? new Error("Connection is closed");
      return describeConnectionError(error, target);
    }
    return this.#why === "late"
      ? `Redis at ${target} does not answer in time.`
      : `Redis at ${target} refuses to count: ${message}`;
  }

  #logOutage(): void {
    this.#log(`sluice: ${this.sayOutage()}`);
  }

  /** One line at the beginning of an outage and one every five minutes, unless another reports the same one. */
  noteUnavailable({ reason, message }: Unweighed): void {
    if (!this.#isMissed) this.#missedSince = Date.now();
    this.#missedAt = Date.now();
    this.#why = reason;
    this.#message = message;
    this.#hasMet = false;
    if (this.#isAway) return;
    this.#isAway = true;
    this.#telling = this.#schedule.once(tellAfterMs, () => {
      // Away for a moment only.
      if (this.#hasMet && this.#sinceMissedMs > tellAfterMs / 2) return this.#end();
      if (this.#isLoggedAlready()) return;
      this.#isLogged = true;
      this.#logOutage();
      this.#telling = this.#schedule.every(repeatEveryMs, () => this.#logOutage());
    });
  }

  /** And one at its end. */
  noteAnswered(): void {
    if (!this.#isAway) return;
    this.#hasMet = true;
    const isPartial = this.store.connection?.isCluster && this.#sinceMissedMs < clusterBackAfterMs;
    if (!isPartial) this.#end();
  }

  get #sinceMissedMs(): number {
    return Date.now() - this.#missedAt;
  }

  #end(): void {
    this.#answeredSince = this.#isMissed ? Date.now() : this.answeredSince;
    this.#isAway = false;
    this.#telling?.cancel();
    this.model.clear();
    if (this.#isLogged) this.#log("sluice: The counters answer again.");
    this.#isLogged = false;
  }
}
