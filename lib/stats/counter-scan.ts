import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../env.ts";
import type { Connection, CountersConnection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { Lease } from "../redis/lease.ts";
import { controlConnection, countersConnection } from "../redis/roles.ts";

/** A fixed window's counter, whoever wrote it. */
export interface Counter {
  readonly rule: string;
  readonly client: string;
  readonly periodSeconds: number;
  readonly count: number;
}

export interface HighestCounters {
  /** Ms: every counter was looked at since. */
  readonly at: number;
  readonly counters: readonly Counter[];
}

const mostKept = 100;
const keysAtOnce = 2_000;
/** Calls go on for no more than this share of the time. Redis works for half of that, so for a fiftieth. */
const share = 0.038;
/** A walk takes no less. */
const shortestWalkMs = 58_000;
const restBetweenWalksMs = 5_000;
/** Of fewer nobody would feel anything. */
const fewSteps = 50;
/** What a walk has found is told before it is done. */
const tellEveryMs = 5_000;
const askLeaseEveryMs = 2_000;
const keptMs = 300_000;

/**
 * Walks all counters, slowly enough that nobody feels it, and keeps the highest: so that a client that only another
 * system counts is found, too. One process of all does it.
 */
export class CounterScan {
  readonly #counters: CountersConnection;
  readonly #control: Connection;
  readonly #lease: Lease;
  readonly #end = new AbortController();
  /** What the last whole walk found, and how long it took. */
  #last: { readonly found: readonly Found[]; readonly ms: number } | undefined;

  constructor(counters: CountersConnection, control: Connection) {
    this.#counters = counters;
    this.#control = control;
    this.#lease = new Lease(control, "counter-scan");
  }

  /** For as long as the process lives, or until it is stopped. A cluster shares its counters with nobody. */
  async run(): Promise<void> {
    if (this.#counters.isCluster) return;
    const { signal } = this.#end;
    while (!signal.aborted) {
      const isDone = await this.#walkOnce().catch(() => false);
      await pause(isDone ? restBetweenWalksMs : askLeaseEveryMs, undefined, { signal, ref: false }).catch(
        noop,
      );
    }
    await this.#lease.release();
  }

  stop(): void {
    this.#end.abort();
  }

  /** The one cast: a cluster has been refused. */
  get #server(): Connection {
    return this.#counters as Connection;
  }

  async #walkOnce(): Promise<boolean> {
    const at = Date.now();
    const highest = new Highest();
    let askedAt = Number.NEGATIVE_INFINITY;
    let toldAt = performance.now();
    const steps = Math.max(1, (await this.#server.dbsize()) / keysAtOnce);
    const leastMs = steps < fewSteps ? 0 : shortestWalkMs / steps;
    let cursor = "0";
    do {
      if (performance.now() - askedAt > askLeaseEveryMs) {
        if (this.#end.signal.aborted || !(await this.#lease.isOurs())) return false;
        askedAt = performance.now();
      }
      const startedAt = performance.now();
      cursor = await this.#step(cursor, highest);
      const tookMs = performance.now() - startedAt;
      await pause(Math.max(tookMs / share, leastMs) - tookMs, undefined, { ref: false });
      if (this.#last && performance.now() - toldAt > tellEveryMs) {
        await this.#tellSoFar(highest, this.#last);
        toldAt = performance.now();
      }
    } while (cursor !== "0");
    this.#last = { found: highest.all(), ms: Date.now() - at };
    await this.#tell(at, this.#last.found);
    return true;
  }

  /** What is not looked at yet is as the last walk found it. */
  async #tellSoFar(highest: Highest, { found, ms }: { found: readonly Found[]; ms: number }): Promise<void> {
    const both = new Highest();
    const fresh = highest.all();
    const names = new Set(fresh.map(({ name }) => name));
    for (const one of fresh) both.add(one);
    for (const one of found) if (!names.has(one.name) && one.endsAt > Date.now()) both.add(one);
    await this.#tell(Date.now() - ms - restBetweenWalksMs, both.all());
  }

  async #tell(at: number, found: readonly Found[]): Promise<void> {
    const told: HighestCounters = { at, counters: found.map(({ counter }) => counter) };
    await this.#control.set(keys.highestCounters(), JSON.stringify(told), "PX", keptMs);
  }

  async #step(cursor: string, highest: Highest): Promise<string> {
    const redis = this.#server;
    const [next, names] = await redis.scan(cursor, "MATCH", keys.anyFixedWindow(), "COUNT", keysAtOnce);
    const running = names.flatMap((name) => readName(name, Date.now() / 1_000) ?? []);
    if (running.length === 0) return next;
    const values = await redis.mget(running.map(({ name }) => name));
    running.forEach(({ name, endsAt, counter }, i) => {
      const count = Number(values[i]);
      if (Number.isSafeInteger(count) && count > 0)
        highest.add({ name, endsAt, counter: { ...counter, count } });
    });
    return next;
  }
}

/** For as long as the process lives, or until the returned function is called. */
export function startCounterScan({ redisUrl, countersRedisUrl }: Environment): () => void {
  if (redisUrl === undefined) return () => {};
  const scan = new CounterScan(countersConnection(countersRedisUrl ?? redisUrl), controlConnection(redisUrl));
  void scan.run();
  return () => scan.stop();
}

/** What the walk found last; nothing when no walk was done. */
export async function readHighestCounters(redis: Connection): Promise<HighestCounters | undefined> {
  const text = await redis.get(keys.highestCounters());
  return text === null ? undefined : JSON.parse(text);
}

interface Found {
  /** Its key. */
  readonly name: string;
  /** Ms: the end of its window. */
  readonly endsAt: number;
  readonly counter: Counter;
}

/** The highest of any number, in memory that does not grow. */
class Highest {
  #kept: Found[] = [];
  #least = 0;

  add(found: Found): void {
    if (found.counter.count <= this.#least) return;
    this.#kept.push(found);
    if (this.#kept.length < 4 * mostKept) return;
    this.#kept = this.all();
    this.#least = this.#kept.at(-1)?.counter.count ?? 0;
  }

  all(): Found[] {
    return this.#kept.toSorted((a, b) => b.counter.count - a.counter.count).slice(0, mostKept);
  }
}

function readName(name: string, nowSeconds: number) {
  const [, window = "", rest = ""] = /^rack::attack:(\d{1,12}):(.+)$/s.exec(name) ?? [];
  const periodSeconds = window === "" ? undefined : periodOf(Number(window), nowSeconds);
  const at = rest.indexOf(":");
  if (periodSeconds === undefined || at < 1) return undefined;
  const endsAt = (Number(window) + 1) * periodSeconds * 1_000;
  return { name, endsAt, counter: { rule: rest.slice(0, at), client: rest.slice(at + 1), periodSeconds } };
}

/**
 * A running window's number says how long it is: so many of them fit between the epoch and now. For long ones that leaves
 * a few lengths to choose from, of which people choose round ones. Nothing for a window that is over.
 */
export function periodOf(window: number, nowSeconds: number): number | undefined {
  const longest = window === 0 ? undefined : Math.floor(nowSeconds / window);
  const shortest = Math.floor(nowSeconds / (window + 1)) + 1;
  if (longest === undefined || longest < shortest) return undefined;
  for (const unit of [86_400, 3_600, 60, 10]) {
    const round = Math.floor(longest / unit) * unit;
    if (round >= shortest) return round;
  }
  return longest;
}

const noop = () => {};
