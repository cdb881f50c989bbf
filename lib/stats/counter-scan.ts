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
  /** When the walk began, in ms. */
  readonly at: number;
  readonly counters: readonly Counter[];
}

const mostKept = 100;
const keysAtOnce = 2_000;
/** Of Redis' time. */
const share = 0.02;
const restBetweenWalksMs = 15_000;
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

  async #walkOnce(): Promise<boolean> {
    const at = Date.now();
    const highest = new Highest();
    let askedAt = Number.NEGATIVE_INFINITY;
    let cursor = "0";
    do {
      if (performance.now() - askedAt > askLeaseEveryMs) {
        if (this.#end.signal.aborted || !(await this.#lease.isOurs())) return false;
        askedAt = performance.now();
      }
      const startedAt = performance.now();
      cursor = await this.#step(cursor, highest);
      // What the call took is more than it cost Redis.
      await pause((performance.now() - startedAt) * (1 / share - 1), undefined, { ref: false });
    } while (cursor !== "0");
    const found: HighestCounters = { at, counters: highest.all() };
    await this.#control.set(keys.highestCounters(), JSON.stringify(found), "PX", keptMs);
    return true;
  }

  async #step(cursor: string, highest: Highest): Promise<string> {
    // The one cast: a cluster has been refused.
    const redis = this.#counters as Connection;
    const [next, names] = await redis.scan(cursor, "MATCH", keys.anyFixedWindow(), "COUNT", keysAtOnce);
    const running = names.flatMap((name) => readName(name, Date.now() / 1_000) ?? []);
    if (running.length === 0) return next;
    const values = await redis.mget(running.map(({ name }) => name));
    running.forEach(({ counter }, i) => {
      const count = Number(values[i]);
      if (Number.isSafeInteger(count) && count > 0) highest.add({ ...counter, count });
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

/** The highest of any number, in memory that does not grow. */
class Highest {
  #kept: Counter[] = [];
  #least = 0;

  add(counter: Counter): void {
    if (counter.count <= this.#least) return;
    this.#kept.push(counter);
    if (this.#kept.length < 4 * mostKept) return;
    this.#kept = this.all();
    this.#least = this.#kept.at(-1)?.count ?? 0;
  }

  all(): Counter[] {
    return this.#kept.toSorted((a, b) => b.count - a.count).slice(0, mostKept);
  }
}

function readName(name: string, nowSeconds: number) {
  const [, window = "", rest = ""] = /^rack::attack:(\d{1,12}):(.+)$/s.exec(name) ?? [];
  const periodSeconds = window === "" ? undefined : periodOf(Number(window), nowSeconds);
  const at = rest.indexOf(":");
  if (periodSeconds === undefined || at < 1) return undefined;
  return { name, counter: { rule: rest.slice(0, at), client: rest.slice(at + 1), periodSeconds } };
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
