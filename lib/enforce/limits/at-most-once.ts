import { createHash } from "node:crypto";
import type { CountersConnection } from "../../redis/connect.ts";
import { LongCommand } from "../../redis/long-command.ts";
import type { Unweighed } from "./plan.ts";

export interface HashedScript {
  readonly lua: string;
  readonly sha: string;
}

/** A cost that a counter of a fixed window gets. */
export interface Addition {
  readonly key: string;
  readonly by: number;
  /** How long the key is to live, if it is new. */
  readonly lifeMs: number;
  /** Redis may not have the key yet. */
  readonly isNew: boolean;
}

export const hashedScript = (lua: string): HashedScript => ({
  lua,
  sha: createHash("sha1").update(lua).digest("hex"),
});

/** Of a call without an answer in time: what the server answers later, if it does. */
interface Unanswered extends Unweighed {
  readonly later?: Promise<Float64Array | Unweighed>;
}

/** Time between two calls to a server that is silent. */
const probeEveryMs = 100;

/**
 * Calls scripts that reply doubles, and adds to counters, each call once and with a time limit. A call is repeated only if the server does not know
 * the script and therefore has done nothing. While an answer is overdue, other calls fail at once, except for one probe every
 * 100 ms: what a frozen server has yet to read stays small.
 */
export class AtMostOnce {
  readonly #redis: CountersConnection;
  /** When a lane (a server, or a slot of a cluster) with an overdue answer was last called. Answers come in order. */
  readonly #silent = new Map<number, number>();

  constructor(redis: CountersConnection) {
    this.#redis = redis;
  }

  /** @param words the keys, then the arguments */
  call(
    script: HashedScript,
    lane: number,
    keyCount: number,
    words: string[],
    withinMs: number,
  ): Promise<Float64Array | Unanswered> {
    return this.#once(lane, withinMs, async () => doubles(await this.#send(script, keyCount, words)));
  }

  /**
   * Adds to counters by plain commands: for few keys they cost Redis a fraction of what a script does. What each key held before;
   * NaN for a key that Sluice did not write.
   */
  add(additions: readonly Addition[], withinMs: number): Promise<Float64Array | Unweighed> {
    return this.#once(0, withinMs, async () => {
      const pipeline = this.#redis.pipeline();
      for (const { key, by } of additions) pipeline.call("incrby", key, by);
      for (const { key, isNew, lifeMs } of additions) if (isNew) pipeline.call("pexpire", key, lifeMs);
      const outcomes = (await pipeline.exec()) ?? [];
      const before = new Float64Array(additions.length);
      for (const [i, { key, by, isNew, lifeMs }] of additions.entries()) {
        const [error, sum] = outcomes[i] ?? [new Error("no reply"), undefined];
        if (error && !isForeign(error)) return failure(error);
        before[i] = error ? Number.NaN : Number(sum) - by;
        // It was evicted since.
        if (before[i] === 0 && !isNew) this.#redis.call("pexpire", key, lifeMs).catch(() => {});
      }
      return before;
    });
  }

  #once(
    lane: number,
    withinMs: number,
    send: () => Promise<Float64Array | Unweighed>,
  ): Promise<Float64Array | Unanswered> {
    const calledAt = performance.now();
    if (withinMs <= 0 || !this.#mayCall(lane, calledAt)) return Promise.resolve(unsent);
    return new Promise((resolve) => {
      let isAnswered = false;
      let resolveLater: ((answer: Float64Array | Unweighed) => void) | undefined;
      const timer = onceOverdue(withinMs, () => {
        if (isAnswered) return;
        if (!this.#silent.has(lane)) this.#silent.set(lane, calledAt);
        const later = new Promise<Float64Array | Unweighed>((answer) => {
          resolveLater = answer;
        });
        resolve({ ...late, later });
      });
      const settle = (answer: Float64Array | Unweighed) => {
        isAnswered = true;
        clearTimeout(timer);
        if (this.#silent.size > 0) this.#silent.delete(lane);
        resolve(answer);
        resolveLater?.(answer);
      };
      send().then(settle, (error: unknown) => settle(failure(error)));
    });
  }

  /** Whether a call would not be made now. */
  isSilent(lane: number, now = performance.now()): boolean {
    const probedAt = this.#silent.get(lane);
    return probedAt !== undefined && now - probedAt < probeEveryMs;
  }

  #mayCall(lane: number, now: number): boolean {
    if (this.#silent.size === 0) return true;
    if (this.isSilent(lane, now)) return false;
    if (this.#silent.has(lane)) this.#silent.set(lane, now);
    return true;
  }

  #send(script: HashedScript, keyCount: number, words: string[]): Promise<unknown> {
    const run = (name: string, text: string): Promise<unknown> => {
      const command = new LongCommand(this.#redis, name, [text, String(keyCount), ...words]);
      this.#redis.sendCommand(command);
      return command.promise;
    };
    return run("evalsha", script.sha).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return run("eval", script.lua);
    });
  }
}

const late: Unweighed = { outcome: "unweighed", reason: "late", message: "Redis has not answered in time." };
/** For a call that is not made, because the answer to another one is overdue. */
export const unsent: Unweighed = { ...late, isUnsent: true };

/** After a pause of this process the answer may be here and not read yet: an immediate comes after the poll. */
export function onceOverdue(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(then), ms);
}

/** An error of its key alone, as lua/parts/numbers.lua tells them apart. */
const isForeign = ({ message }: Error) => /WRONGTYPE|not an integer|overflow/.test(message);

/** A copy that is aligned, which a piece of the socket's buffer may not be. */
function doubles(bytes: unknown): Float64Array | Unweighed {
  if (!Buffer.isBuffer(bytes) || bytes.length % 8 !== 0 || bytes.length === 0) return failure("no doubles");
  const numbers = new Float64Array(bytes.length / 8);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}

function failure(error: unknown): Unweighed {
  const message = error instanceof Error ? error.message : String(error);
  // Errors of Redis begin with a word in capitals; those of ioredis are sentences.
  const isFromRedis = /^[A-Z]{3,}/.test(message);
  return { outcome: "unweighed", reason: isFromRedis ? "refused" : "away", message };
}
