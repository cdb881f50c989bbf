import { createHash } from "node:crypto";
import { at } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import type { SignInLevel } from "./sign-in-levels.ts";

/** What one level has counted. */
export interface Failures {
  readonly count: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

interface FailureQuery {
  readonly levels: readonly SignInLevel[];
  /** Number of keys that the call may make in Redis. Undefined to read and add nothing. */
  readonly mostNew: number | undefined;
  /** Ms; undefined for Redis' own clock. */
  readonly now: number | undefined;
}

interface RedisFailures extends Failures {
  /** Whether Redis stores it. */
  readonly isKept: boolean;
}

const script = defineScript({
  lua: lua.signInFailures,
  keys: ({ levels }: FailureQuery) =>
    levels.map(({ kind, client, periodSeconds }) => keys.signInFailures(kind, periodSeconds, digest(client))),
  args: ({ levels, mostNew, now }) => [
    ...[mostNew ?? "", now ?? ""],
    ...levels.map(({ periodSeconds }) => periodSeconds * 1_000),
  ],
  reply: (raw: number[]) => raw,
});

/** Every account of Redis that may walk over the keys reads their names, so they name neither addresses nor people. */
function digest(client: string): string {
  return createHash("sha256").update(client).digest("hex").slice(0, 32);
}

/** Reads the failures of these levels from Redis. */
export async function readFailures(redis: Connection, levels: readonly SignInLevel[]): Promise<Failures[]> {
  return queryFailures(redis, { levels, mostNew: undefined, now: undefined });
}

async function queryFailures(redis: Connection, query: FailureQuery): Promise<RedisFailures[]> {
  const raw = await script.run(redis, query);
  return query.levels.map((_, i) => ({
    ...{ count: at(raw, 3 * i), leftMs: at(raw, 3 * i + 1) },
    isKept: at(raw, 3 * i + 2) === 1,
  }));
}

const mostRemembered = 20_000;
/** New keys per minute. Enough for about 50 new clients: each has a dozen windows, of which the longest lasts a day. */
const mostNewKeys = 600;
const newKeysEveryMs = 60_000;

interface FailureRequest extends Omit<FailureQuery, "mostNew"> {
  readonly isAdding: boolean;
}

/**
 * Counts failures in Redis and also in this process, for times when Redis does not answer. Strangers choose how many clients
 * fail, and Redis holds the lists, too. Above a number of new keys a minute, only this process counts further clients.
 */
export class FailureCounts {
  readonly #redis: Connection;
  readonly #remembered = new RememberedFailures(mostRemembered);
  #left = mostNewKeys;
  #since = Number.NEGATIVE_INFINITY;

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** Reads the failures of these levels, or adds one to each. `remembered` are the counts of this process. */
  ask({ levels, isAdding, now }: FailureRequest) {
    const remembered = this.#remembered.ask({ levels, isAdding }, now ?? Date.now());
    return { remembered, answer: this.#ask({ levels, isAdding, now }, remembered) };
  }

  async #ask(
    { levels, isAdding, now }: FailureRequest,
    remembered: readonly Failures[],
  ): Promise<Failures[]> {
    // Taken before the call, so that parallel calls do not take the same keys.
    const mostNew = isAdding ? this.#take(levels.length, now ?? Date.now()) : undefined;
    const counted = await queryFailures(this.#redis, { levels, mostNew, now });
    const made = counted.filter(({ isKept, count }) => isKept && count === 1).length;
    if (mostNew !== undefined) this.#left = Math.min(mostNewKeys, this.#left + mostNew - made);
    return counted.map((one, i) => (one.isKept ? one : at(remembered, i)));
  }

  #take(wanted: number, now: number): number {
    if (now - this.#since >= newKeysEveryMs) [this.#left, this.#since] = [mostNewKeys, now];
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }
}

/** The same in this process alone, in bounded memory. */
class RememberedFailures {
  readonly #most: number;
  readonly #windows = new Map<string, { count: number; readonly endsAt: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  ask({ levels, isAdding }: Omit<FailureRequest, "now">, now: number): Failures[] {
    return levels.map(({ kind, client, periodSeconds }) => {
      const name = `${kind} ${periodSeconds} ${client}`;
      const held = this.#windows.get(name);
      const window = held && held.endsAt > now ? held : { count: 0, endsAt: now + periodSeconds * 1_000 };
      if (isAdding) {
        window.count++;
        this.#put(name, window);
      }
      return { count: window.count, leftMs: window.endsAt - now };
    });
  }

  /** The newest last; the oldest makes room. */
  #put(name: string, window: { count: number; readonly endsAt: number }): void {
    this.#windows.delete(name);
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined && this.#windows.size >= this.#most) this.#windows.delete(oldest);
    this.#windows.set(name, window);
  }
}
