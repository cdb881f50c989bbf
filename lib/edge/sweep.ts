import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Cidr, Ip } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { Lease } from "../redis/lease.ts";
import { Budget } from "./budget.ts";
import { decide, type Limited, limitsOf, worseFirst } from "./decide.ts";
import type { Dictionary } from "./dictionary.ts";
import { readLimited, writeLimited } from "./limited.ts";
import { Outpost } from "./outpost.ts";
import { readOver } from "./sightings.ts";
import { readState, staleAfterMs, writeState, writeSweep } from "./state.ts";
import { FreeAddresses, type View, Viewer } from "./view.ts";

export interface SweepOptions {
  readonly redis: Connection;
  readonly dictionaries: readonly Dictionary[];
  /** What the environment names; what Redis names comes on top. */
  readonly neverBlock?: readonly (Ip | Cidr)[];
  readonly everyMs?: number;
  readonly leaseMs?: number;
  readonly log?: (line: string) => void;
}

const minuteMs = 60_000;
/** Where no edge is connected, as many are told of. */
const mostWithoutEdge = 1_000;
/** How long a sweep waits for an edge before it tells how things stand. */
const patienceMs = 3_000;
/** Other processes may have written meanwhile, if two believed that it was theirs. */
const reloadEveryMs = 60_000;
/** A clearing is remembered until what it speaks of is forgotten. */
const clearedForMinutes = 5;

/** Decides who is turned away at the edge, and sees to it that each dictionary says so. One process of all does it. */
export class Sweep {
  readonly #redis: Connection;
  readonly #viewer: Viewer;
  readonly #free: FreeAddresses;
  readonly #lease: Lease;
  readonly #outposts: readonly Outpost[];
  readonly #most: number;
  readonly #everyMs: number;
  readonly #end = new AbortController();
  /** How pages and others know this process. */
  readonly by = `${hostname()}:${process.pid}`;
  #limited = new Map<string, Limited>();
  #loadedAt: number | undefined;
  /** Ms that Redis' clock is ahead. */
  #leadMs = 0;
  readonly #log: (line: string) => void;
  #hasFailed = false;

  constructor({ redis, dictionaries, neverBlock = [], ...options }: SweepOptions) {
    const { everyMs = 1_000, leaseMs = 8_000, log = console.warn } = options;
    this.#redis = redis;
    this.#log = log;
    this.#viewer = new Viewer(redis, neverBlock);
    this.#free = new FreeAddresses(redis);
    this.#lease = new Lease(redis, "edge", leaseMs);
    this.#outposts = dictionaries.map((one) => new Outpost(one, new Budget(redis, one)));
    this.#most = Math.max(mostWithoutEdge, ...dictionaries.map(({ capacity }) => capacity));
    this.#everyMs = everyMs;
  }

  /** For as long as the process lives, or until it is stopped. */
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

  /** For who sweeps by hand. */
  async close(): Promise<void> {
    for (const outpost of this.#outposts) outpost.close();
    await this.#lease.release();
  }

  /** Whether the sweep is ours. */
  async once(): Promise<boolean> {
    if (this.#outposts.length > 0) return this.#once();
    // Who reaches no edge only decides, and only as long as nobody who reaches one does.
    if (await this.#isDoneByOthers().catch(() => false)) return false;
    const isOurs = await this.#once();
    await this.#lease.release();
    return isOurs;
  }

  async #isDoneByOthers(): Promise<boolean> {
    const [state, [seconds]] = await Promise.all([readState(this.#redis), this.#redis.time()]);
    if (!state || state.dictionaries.length === 0) return false;
    return Number(seconds) * 1_000 - state.at < staleAfterMs;
  }

  async #once(): Promise<boolean> {
    if (!(await this.#lease.isOurs())) {
      if (await this.#isAway()) this.#letGoByTime();
      else this.#loadedAt = undefined;
      return false;
    }
    try {
      await this.#sweep();
      this.#hasFailed = false;
    } catch (error) {
      this.#letGoByTime();
      if (!this.#hasFailed) this.#log(`sluice: a sweep of the edge failed, and is tried again: ${error}`);
      this.#hasFailed = true;
    }
    return true;
  }

  async #sweep(): Promise<void> {
    const startedAt = performance.now();
    await this.#load();
    const view = await this.#viewer.look();
    this.#leadMs = view.nowMs - Date.now();
    const found = await this.#decide(view);
    // Nobody shall wait for an edge that hangs, so what takes longer goes on beside the next sweep.
    await Promise.race([this.#bring(view), pause(patienceMs, undefined, { ref: false })]);
    const { isOn, policy, nowMs } = view;
    await writeState(this.#redis, {
      ...{ at: nowMs, ms: Math.round(performance.now() - startedAt), by: this.by },
      ...{ isOn, mode: policy.mode, found, kept: this.#limited.size },
      dictionaries: this.#outposts.map(({ standing }) => standing),
    });
  }

  /** How many there are, also those that do not fit. */
  async #decide(view: View): Promise<number> {
    const { nowMs, policy, cleared } = view;
    const minute = Math.floor(nowMs / minuteMs);
    const { over, total } = await readOver(this.#redis, {
      ...{ minutes: [minute - 1, minute], limits: limitsOf(policy.edge), most: this.#most },
    });
    const before = this.#limited;
    const known = [...before.values(), ...over].map(({ fingerprint }) => fingerprint.ip);
    const isFree = await this.#free.among(known, view);
    this.#limited = decide(before, {
      ...{ nowMs, policy: policy.edge, over, cleared, most: this.#most },
      isFree: ({ ip }) => isFree(ip),
    });
    await writeLimited(this.#redis, before, this.#limited);
    await this.#forgetCleared(cleared, minute);
    return this.#limited.size < this.#most ? this.#limited.size : Math.max(total, this.#limited.size);
  }

  /** In shadow, and off, nobody is turned away. */
  async #bring({ isOn, policy, nowMs }: View): Promise<void> {
    const worst = isOn && policy.mode === "enforce" ? [...this.#limited.values()].sort(worseFirst) : [];
    const wished = worst.map(({ fingerprint }) => fingerprint.key);
    const bring = async (outpost: Outpost) => {
      const done = await outpost.bring(new Set(wished.slice(0, outpost.capacity)));
      if (done) await writeSweep(this.#redis, { at: nowMs, by: this.by, ...done }).catch(noop);
    };
    await Promise.all(this.#outposts.map(bring));
  }

  /** Without Redis nobody is added, and who has cooled down is let in all the same. */
  #letGoByTime(): void {
    if (this.#loadedAt === undefined) return;
    const nowMs = Date.now() + this.#leadMs;
    for (const [key, { until }] of this.#limited) if (until <= nowMs) this.#limited.delete(key);
    for (const outpost of this.#outposts) void outpost.keepOnly(this.#limited);
  }

  #isAway(): Promise<boolean> {
    return this.#redis.ping().then(
      () => false,
      () => true,
    );
  }

  /** What another process decided is what counts for whoever takes over. */
  async #load(): Promise<void> {
    if (this.#loadedAt !== undefined && performance.now() - this.#loadedAt < reloadEveryMs) return;
    if (this.#loadedAt === undefined) for (const outpost of this.#outposts) outpost.doubt();
    const stored = await readLimited(this.#redis);
    this.#limited = new Map(stored.map((limited) => [limited.fingerprint.key, limited]));
    this.#loadedAt = performance.now();
  }

  async #forgetCleared(cleared: ReadonlyMap<string, number>, minute: number): Promise<void> {
    const old = [...cleared].flatMap(([key, at]) => (at < minute - clearedForMinutes ? [key] : []));
    if (old.length > 0) await this.#redis.hdel(keys.edgeCleared(), ...old);
  }
}

function noop(): void {}
