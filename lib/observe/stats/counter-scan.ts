import { setTimeout as pause } from "node:timers/promises";
import { at } from "../../at.ts";
import type { Environment } from "../../env.ts";
import type { Connection, CountersConnection } from "../../redis/connect.ts";
import { controlConnection, countersConnection } from "../../redis/connections.ts";
import { keys } from "../../redis/keys.ts";
import { Lease } from "../../redis/lease.ts";

/** A fixed window's counter, by Sluice or another system. */
export interface FixedWindowCounter {
  readonly rule: string;
  readonly client: string;
  readonly periodSeconds: number;
  readonly count: number;
}

export interface HighestCounters {
  /** Ms: every counter was read since. */
  readonly at: number;
  readonly counters: readonly FixedWindowCounter[];
}

const mostKept = 100;
const keysAtOnce = 2_000;
/** Calls go on for no more than this share of the time. Redis works for half of that, so for a fiftieth. */
const share = 0.038;
/** A walk takes at least this long. */
const shortestWalkMs = 58_000;
const restBetweenWalksMs = 5_000;
/** Fewer steps than this need no pause. */
const fewSteps = 50;
/** Intermediate results of a walk are stored this often. */
const storeEveryMs = 5_000;
const askLeaseEveryMs = 2_000;
const keptMs = 300_000;

/**
 * Scans all counters, at a pace that does not delay requests, and stores the highest: this finds clients that only another
 * system counts. One process of the fleet does it.
 */
export class CounterScan {
  readonly #counters: CountersConnection;
  readonly #control: Connection;
  readonly #lease: Lease;
  readonly #end = new AbortController();
  /** The result of the last complete walk, and how long it took. */
  #last: { readonly found: readonly ScannedCounter[]; readonly ms: number } | undefined;

  constructor(counters: CountersConnection, control: Connection) {
    this.#counters = counters;
    this.#control = control;
    this.#lease = new Lease(control, "counter-scan");
  }

  /** Until the process ends or `stop` is called. A cluster is not scanned: no other system writes its counters. */
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
    const startedAt = Date.now();
    const highest = new Highest();
    let askedAt = Number.NEGATIVE_INFINITY;
    let storedAt = performance.now();
    const steps = Math.max(1, (await this.#server.dbsize()) / keysAtOnce);
    const leastMs = steps < fewSteps ? 0 : shortestWalkMs / steps;
    let cursor = "0";
    do {
      if (performance.now() - askedAt > askLeaseEveryMs) {
        if (this.#end.signal.aborted || !(await this.#lease.isOurs())) return false;
        askedAt = performance.now();
      }
      const stepAt = performance.now();
      cursor = await this.#step(cursor, highest);
      const tookMs = performance.now() - stepAt;
      await pause(Math.max(tookMs / share, leastMs) - tookMs, undefined, { ref: false });
      if (this.#last && performance.now() - storedAt > storeEveryMs) {
        await this.#storeIntermediate(highest, this.#last);
        storedAt = performance.now();
      }
    } while (cursor !== "0");
    this.#last = { found: highest.all(), ms: Date.now() - startedAt };
    await this.#store(startedAt, this.#last.found);
    return true;
  }

  /** Counters not read yet are those of the last walk. */
  async #storeIntermediate(
    highest: Highest,
    { found, ms }: { found: readonly ScannedCounter[]; ms: number },
  ): Promise<void> {
    const both = new Highest();
    const fresh = highest.all();
    const names = new Set(fresh.map(({ name }) => name));
    for (const one of fresh) both.add(one);
    for (const one of found) if (!names.has(one.name) && one.endsAt > Date.now()) both.add(one);
    await this.#store(Date.now() - ms - restBetweenWalksMs, both.all());
  }

  async #store(since: number, found: readonly ScannedCounter[]): Promise<void> {
    const highest: HighestCounters = { at: since, counters: found.map(({ counter }) => counter) };
    await this.#control.set(keys.highestCounters(), JSON.stringify(highest), "PX", keptMs);
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

/** Scans until the process ends or the returned function is called. */
export function startCounterScan({ redisUrl, countersRedisUrl }: Environment): () => void {
  if (redisUrl === undefined) return () => {};
  const scan = new CounterScan(countersConnection(countersRedisUrl ?? redisUrl), controlConnection(redisUrl));
  void scan.run();
  return () => scan.stop();
}

/** The result of the last walk; undefined before the first one. */
export async function readHighestCounters(redis: Connection): Promise<HighestCounters | undefined> {
  const text = await redis.get(keys.highestCounters());
  return text === null ? undefined : JSON.parse(text);
}

interface ScannedCounter {
  /** Its key. */
  readonly name: string;
  /** Ms: the end of its window. */
  readonly endsAt: number;
  readonly counter: FixedWindowCounter;
}

/** The highest of any number, in memory that does not grow. */
class Highest {
  #kept: ScannedCounter[] = [];
  #least = 0;

  add(found: ScannedCounter): void {
    if (found.counter.count <= this.#least) return;
    this.#kept.push(found);
    if (this.#kept.length < 4 * mostKept) return;
    this.#kept = this.all();
    this.#least = at(this.#kept, this.#kept.length - 1).counter.count;
  }

  all(): ScannedCounter[] {
    return this.#kept.toSorted((a, b) => b.counter.count - a.counter.count).slice(0, mostKept);
  }
}

function readName(name: string, nowSeconds: number) {
  const [, window = "", rest = ""] = /^rack::attack:(\d{1,12}):(.+)$/s.exec(name) ?? [];
  const periodSeconds = window === "" ? undefined : periodOf(Number(window), nowSeconds);
  const colon = rest.indexOf(":");
  if (periodSeconds === undefined || colon < 1) return undefined;
  const endsAt = (Number(window) + 1) * periodSeconds * 1_000;
  const [rule, client] = [rest.slice(0, colon), rest.slice(colon + 1)];
  return { name, endsAt, counter: { rule, client, periodSeconds } };
}

/**
 * The length of a running window follows from its number: so many of them fit between the epoch and now. For long ones several
 * lengths fit, of which people choose round ones. Undefined for a window that is over.
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
