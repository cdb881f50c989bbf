import { createHash } from "node:crypto";
import type { CountersConnection } from "../../redis/connect.ts";
import type { Unweighed } from "./plan.ts";

export interface HashedScript {
  readonly lua: string;
  readonly sha: string;
}

export const hashedScript = (lua: string): HashedScript => ({
  lua,
  sha: createHash("sha1").update(lua).digest("hex"),
});

/** Time between two calls to a server that is silent. */
const probeEveryMs = 100;

/**
 * Calls scripts that reply doubles, each call once and with a time limit. A call is repeated only if the server does not know
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
  ): Promise<Float64Array | Unweighed> {
    const calledAt = performance.now();
    if (withinMs <= 0 || !this.#mayCall(lane, calledAt)) return Promise.resolve(unsent);
    return new Promise((resolve) => {
      let isAnswered = false;
      const timer = onceOverdue(withinMs, () => {
        if (isAnswered) return;
        if (!this.#silent.has(lane)) this.#silent.set(lane, calledAt);
        resolve(late);
      });
      const settle = (answer: Float64Array | Unweighed) => {
        isAnswered = true;
        clearTimeout(timer);
        if (this.#silent.size > 0) this.#silent.delete(lane);
        resolve(answer);
      };
      this.#send(script, keyCount, words).then(
        (bytes) => settle(doubles(bytes)),
        (error: unknown) => settle(failure(error)),
      );
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
    const redis = this.#redis;
    return redis.callBuffer("evalsha", script.sha, keyCount, ...words).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.callBuffer("eval", script.lua, keyCount, ...words);
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
