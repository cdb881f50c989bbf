import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { readOver } from "../../enforce/edge/sightings.ts";
import { errorLine } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { setAnnounced } from "../../redis/change-stream.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { Lease } from "../../redis/lease.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { Budget } from "./budget.ts";
import { forgetCleared } from "./clear.ts";
import { decide, type Limited, limitsOf, worstOf } from "./decide.ts";
import type { Dictionary } from "./dictionary.ts";
import { DictionarySync } from "./dictionary-sync.ts";
import { readLimited, writeLimited } from "./limited.ts";
import { readState, staleAfterMs, writePass, writeState } from "./state.ts";
import { ExemptAddresses, type SyncInputs, SyncInputsReader } from "./sync-inputs.ts";

export interface EdgeSyncOptions {
  readonly redis: Connection;
  readonly dictionaries: readonly Dictionary[];
  /** Ranges that the environment names, in addition to those in Redis. */
  readonly neverBlock?: readonly (Ip | Cidr)[];
  readonly everyMs?: number;
  readonly leaseMs?: number;
  readonly log?: (line: string) => void;
}

const minuteMs = 60_000;
/** The number of limited clients while no edge is connected. */
const mostWithoutEdge = 1_000;
/** Longest time that a pass waits for the edges before it stores its state. */
const longestWaitMs = 3_000;
/** Longer than a pass and the pause after it, so that a living process keeps the lease. Another one takes over this long after a death. */
const defaultLeaseMs = 6_000;
/** Interval of reads of the limited clients: another process may have written them while both held the lease. */
const reloadEveryMs = 10_000;
const inUseSeconds = 1_200;
/** Most fingerprints over the limit that one pass reads. */
const mostRead = 100_000;
/** Passes that a process skips when it reaches none of its edges, so that another process can try. */
const passesSkipped = 3;

interface WantedTable {
  readonly sync: DictionarySync;
  readonly keys: ReadonlySet<string>;
}

/** Decides which clients the edge denies, and writes them into each dictionary. One process of all does it. */
export class EdgeSync {
  readonly #redis: Connection;
  readonly #inputs: SyncInputsReader;
  readonly #exempt: ExemptAddresses;
  readonly #lease: Lease;
  readonly #syncs: readonly DictionarySync[];
  readonly #most: number;
  readonly #everyMs: number;
  readonly #end = new AbortController();
  /** Name of this process on pages. */
  readonly by = `${hostname()}:${process.pid}`;
  #limited = new Map<string, Limited>();
  #tables: readonly WantedTable[] = [];
  #loadedAt: number | undefined;
  readonly #leaseMs: number;
  /** When this process asked for the lease that it holds. */
  #heldAt = Number.NEGATIVE_INFINITY;
  /** Lead of Redis' clock in ms. */
  #leadMs = 0;
  readonly #log: (line: string) => void;
  #hasFailed = false;
  #skips = 0;

  constructor({ redis, dictionaries, neverBlock = [], ...options }: EdgeSyncOptions) {
    const { everyMs = 1_000, leaseMs = defaultLeaseMs, log = console.warn } = options;
    this.#redis = redis;
    this.#log = log;
    this.#inputs = new SyncInputsReader(redis, neverBlock);
    this.#exempt = new ExemptAddresses(redis);
    this.#lease = new Lease(redis, "edge", leaseMs);
    this.#leaseMs = leaseMs;
    this.#syncs = dictionaries.map((one) => new DictionarySync(one, new Budget(redis, one), log));
    this.#most = Math.max(mostWithoutEdge, ...dictionaries.map(({ capacity }) => capacity));
    this.#everyMs = everyMs;
  }

  /** Makes passes until it is stopped. */
  async run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.once();
      await pause(this.#everyMs, undefined, { signal, ref: false }).catch(noop);
    }
    await this.close();
  }

  stop(): void {
    this.#end.abort();
  }

  /** Ends connections and releases the lease. For a caller of `once`; `run` does it at its end. */
  async close(): Promise<void> {
    for (const sync of this.#syncs) sync.close();
    await this.#lease.release();
  }

  /** Makes one pass. Returns whether this process holds the lease. */
  async once(): Promise<boolean> {
    if (this.#syncs.length > 0) return this.#once();
    // A process without an edge only decides, and only while no process with an edge makes passes.
    if (await this.#isDoneByOthers().catch(() => false)) {
      this.#loadedAt = undefined;
      return false;
    }
    const isOurs = await this.#once();
    await this.#lease.release();
    return isOurs;
  }

  async #isDoneByOthers(): Promise<boolean> {
    const [state, now] = await Promise.all([readState(this.#redis), redisNow(this.#redis)]);
    if (!state || state.dictionaries.length === 0) return false;
    return now - state.at < staleAfterMs;
  }

  async #once(): Promise<boolean> {
    if (this.#skips > 0) {
      this.#skips--;
      return false;
    }
    const askedAt = performance.now();
    if (!(await this.#lease.isOurs())) {
      if (await this.#isRedisAway()) this.#removeExpired();
      else this.#loadedAt = undefined;
      return false;
    }
    // The lease may have run out since, and have been another process'.
    if (performance.now() - this.#heldAt >= this.#leaseMs) this.#loadedAt = undefined;
    this.#heldAt = askedAt;
    try {
      await this.#pass();
      this.#hasFailed = false;
      await this.#yieldLease();
    } catch (error) {
      this.#removeExpired();
      if (!this.#hasFailed) this.#log(`sluice: edge sync failed. Retrying. ${errorLine(error)}`);
      this.#hasFailed = true;
    }
    return true;
  }

  /** Releases the lease if no edge can be reached: another process may reach one. */
  async #yieldLease(): Promise<void> {
    if (this.#syncs.length === 0 || this.#syncs.some(({ status }) => status.trouble === null)) return;
    this.#loadedAt = undefined;
    this.#skips = passesSkipped;
    await this.#lease.release();
  }

  async #pass(): Promise<void> {
    const startedAt = performance.now();
    await this.#load();
    const inputs = await this.#inputs.read();
    this.#leadMs = inputs.nowMs - Date.now();
    const found = await this.#decide(inputs);
    // Slower edges are not waited for: their changes continue beside the next pass.
    await Promise.race([this.#reconcile(inputs), pause(longestWaitMs, undefined, { ref: false })]);
    const { isOn, policy, nowMs } = inputs;
    await writeState(this.#redis, {
      ...{ at: nowMs, ms: Math.round(performance.now() - startedAt), by: this.by },
      ...{ isOn, mode: policy.mode, found, kept: this.#limited.size },
      dictionaries: this.#syncs.map(({ status }) => status),
    });
  }

  /** Returns the number of clients over the limit, also of those that do not fit. */
  async #decide(inputs: SyncInputs): Promise<number> {
    const { nowMs, policy, cleared } = inputs;
    const minute = Math.floor(nowMs / minuteMs);
    const before = this.#limited;
    const { over, total, isExempt } = await this.#readOver(inputs, minute);
    const limited = decide(before, {
      ...{ nowMs, policy: policy.edge, over, cleared, most: this.#most },
      isExempt: ({ ip }) => isExempt(ip),
    });
    this.#place(limited, inputs);
    await writeLimited(this.#redis, before, this.#limited);
    await forgetCleared(this.#redis, cleared, minute);
    return this.#limited.size < this.#most ? this.#limited.size : Math.max(total, this.#limited.size);
  }

  /** Reads enough fingerprints to fill every place, even if many of the worst may not be denied. */
  async #readOver(inputs: SyncInputs, minute: number) {
    const before = [...this.#limited.values()].map(({ fingerprint }) => fingerprint.ip);
    const query = { minutes: [minute - 1, minute], limits: limitsOf(inputs.policy.edge) };
    for (let most = this.#most; ; most *= 4) {
      const { over, total } = await readOver(this.#redis, { ...query, most });
      const isExempt = await this.#exempt.among(
        [...before, ...over.map(({ fingerprint }) => fingerprint.ip)],
        inputs,
      );
      const bound = over.filter(({ fingerprint }) => !isExempt(fingerprint.ip)).length;
      if (bound >= this.#most || over.length < most || most >= mostRead) return { over, total, isExempt };
    }
  }

  /** Assigns places at each edge. None in shadow and off. */
  #place(limited: ReadonlyMap<string, Limited>, { isOn, policy }: SyncInputs): void {
    const all = isOn && policy.mode === "enforce" ? [...limited.values()] : [];
    const tables = this.#syncs.map((sync) => {
      const worst = worstOf(all, sync.capacity, sync.wanted);
      return { sync, keys: new Set(worst.map(({ fingerprint }) => fingerprint.key)) };
    });
    const at = (key: string) => tables.flatMap(({ sync, keys }) => (keys.has(key) ? [sync.name] : []));
    this.#limited = new Map([...limited].map(([key, one]) => [key, { ...one, at: at(key) }]));
    this.#tables = tables;
  }

  async #reconcile({ nowMs }: SyncInputs): Promise<void> {
    const reconcile = async ({ sync, keys }: WantedTable) => {
      const done = await sync.reconcile(keys);
      if (done) await writePass(this.#redis, { at: nowMs, by: this.by, ...done }).catch(noop);
    };
    await Promise.all(this.#tables.map(reconcile));
  }

  /** Without Redis no client is added, and clients are removed at the end of their cool-down. */
  #removeExpired(): void {
    if (this.#loadedAt === undefined) return;
    const nowMs = Date.now() + this.#leadMs;
    for (const [key, { until }] of this.#limited) if (until <= nowMs) this.#limited.delete(key);
    for (const sync of this.#syncs) void sync.keepOnly(this.#limited);
  }

  #isRedisAway(): Promise<boolean> {
    return this.#redis.ping().then(
      () => false,
      () => true,
    );
  }

  /** Makes nodes count fingerprints. The key expires, and is announced only when it was missing, for example after a flush. */
  async #announceUse(): Promise<void> {
    if (this.#syncs.length === 0) return;
    await setAnnounced(this.#redis, keys.edgeInUse(), "1", inUseSeconds);
  }

  /** Reads the limited clients that another process may have stored. */
  async #load(): Promise<void> {
    if (this.#loadedAt !== undefined && performance.now() - this.#loadedAt < reloadEveryMs) return;
    if (this.#loadedAt === undefined) for (const sync of this.#syncs) sync.doubt();
    await this.#announceUse();
    const stored = await readLimited(this.#redis);
    this.#limited = new Map(stored.map((limited) => [limited.fingerprint.key, limited]));
    this.#loadedAt = performance.now();
  }
}

function noop(): void {}
