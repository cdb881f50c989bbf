import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Cidr, Ip } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { Lease } from "../redis/lease.ts";
import { Budget } from "./budget.ts";
import { forgetCleared } from "./clear.ts";
import { decide, type Limited, limitsOf, worstOf } from "./decide.ts";
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
const reloadEveryMs = 10_000;
const inUseSeconds = 1_200;
/** Of those that came too often, in one sweep. */
const mostLookedAt = 100_000;
/** Who reaches none of its edges lets another process try for so many sweeps. */
const passesForOthers = 3;

interface Wish {
  readonly outpost: Outpost;
  readonly keys: ReadonlySet<string>;
}

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
  #wishes: readonly Wish[] = [];
  #loadedAt: number | undefined;
  readonly #leaseMs: number;
  /** When the lease was asked for that is ours. */
  #heldAt = Number.NEGATIVE_INFINITY;
  /** Ms that Redis' clock is ahead. */
  #leadMs = 0;
  readonly #log: (line: string) => void;
  #hasFailed = false;
  #passes = 0;

  constructor({ redis, dictionaries, neverBlock = [], ...options }: SweepOptions) {
    const { everyMs = 1_000, leaseMs = 8_000, log = console.warn } = options;
    this.#redis = redis;
    this.#log = log;
    this.#viewer = new Viewer(redis, neverBlock);
    this.#free = new FreeAddresses(redis);
    this.#lease = new Lease(redis, "edge", leaseMs);
    this.#leaseMs = leaseMs;
    this.#outposts = dictionaries.map((one) => new Outpost(one, new Budget(redis, one), log));
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
    if (await this.#isDoneByOthers().catch(() => false)) {
      this.#loadedAt = undefined;
      return false;
    }
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
    if (this.#passes > 0) {
      this.#passes--;
      return false;
    }
    const askedAt = performance.now();
    if (!(await this.#lease.isOurs())) {
      if (await this.#isAway()) this.#letGoByTime();
      else this.#loadedAt = undefined;
      return false;
    }
    // It may have run out since, and have been another's.
    if (performance.now() - this.#heldAt >= this.#leaseMs) this.#loadedAt = undefined;
    this.#heldAt = askedAt;
    try {
      await this.#sweep();
      this.#hasFailed = false;
      await this.#passOn();
    } catch (error) {
      this.#letGoByTime();
      if (!this.#hasFailed) this.#log(`sluice: a sweep of the edge failed, and is tried again: ${error}`);
      this.#hasFailed = true;
    }
    return true;
  }

  /** Another process may be nearer to the edges. */
  async #passOn(): Promise<void> {
    if (this.#outposts.length === 0 || this.#outposts.some(({ standing }) => standing.trouble === null))
      return;
    this.#loadedAt = undefined;
    this.#passes = passesForOthers;
    await this.#lease.release();
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
    const before = this.#limited;
    const { over, total, isFree } = await this.#readOver(view, minute);
    const limited = decide(before, {
      ...{ nowMs, policy: policy.edge, over, cleared, most: this.#most },
      isFree: ({ ip }) => isFree(ip),
    });
    this.#place(limited, view);
    await writeLimited(this.#redis, before, this.#limited);
    await forgetCleared(this.#redis, cleared, minute);
    return this.#limited.size < this.#most ? this.#limited.size : Math.max(total, this.#limited.size);
  }

  /** Enough to fill every place, however many of the worst are those that nobody may turn away. */
  async #readOver(view: View, minute: number) {
    const held = [...this.#limited.values()].map(({ fingerprint }) => fingerprint.ip);
    const asked = { minutes: [minute - 1, minute], limits: limitsOf(view.policy.edge) };
    for (let most = this.#most; ; most *= 4) {
      const { over, total } = await readOver(this.#redis, { ...asked, most });
      const isFree = await this.#free.among(
        [...held, ...over.map(({ fingerprint }) => fingerprint.ip)],
        view,
      );
      const bound = over.filter(({ fingerprint }) => !isFree(fingerprint.ip)).length;
      if (bound >= this.#most || over.length < most || most >= mostLookedAt) return { over, total, isFree };
    }
  }

  /** Who has a place at which edge. In shadow, and off, nobody has. */
  #place(limited: ReadonlyMap<string, Limited>, { isOn, policy }: View): void {
    const all = isOn && policy.mode === "enforce" ? [...limited.values()] : [];
    const wishes = this.#outposts.map((outpost) => {
      const worst = worstOf(all, outpost.capacity, outpost.wished);
      return { outpost, keys: new Set(worst.map(({ fingerprint }) => fingerprint.key)) };
    });
    const at = (key: string) => wishes.flatMap(({ outpost, keys }) => (keys.has(key) ? [outpost.name] : []));
    this.#limited = new Map([...limited].map(([key, one]) => [key, { ...one, at: at(key) }]));
    this.#wishes = wishes;
  }

  async #bring({ nowMs }: View): Promise<void> {
    const bring = async ({ outpost, keys }: Wish) => {
      const done = await outpost.bring(keys);
      if (done) await writeSweep(this.#redis, { at: nowMs, by: this.by, ...done }).catch(noop);
    };
    await Promise.all(this.#wishes.map(bring));
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

  /** Where it stands already nobody is told. It ends by itself, and is written again, also after Redis came back empty. */
  async #tellNodes(): Promise<void> {
    if (this.#outposts.length > 0) await this.#redis.set(keys.edgeInUse(), "1", "EX", inUseSeconds, "NX");
  }

  /** What another process decided is what counts for whoever takes over. */
  async #load(): Promise<void> {
    if (this.#loadedAt !== undefined && performance.now() - this.#loadedAt < reloadEveryMs) return;
    if (this.#loadedAt === undefined) for (const outpost of this.#outposts) outpost.doubt();
    await this.#tellNodes();
    const stored = await readLimited(this.#redis);
    this.#limited = new Map(stored.map((limited) => [limited.fingerprint.key, limited]));
    this.#loadedAt = performance.now();
  }
}

function noop(): void {}
