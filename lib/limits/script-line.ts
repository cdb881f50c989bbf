import { createHash } from "node:crypto";
import type { CountersConnection } from "../redis/connect.ts";
import type { Unweighed } from "./plan.ts";

export interface LineScript {
  readonly lua: string;
  readonly sha: string;
}

export const lineScript = (lua: string): LineScript => ({
  lua,
  sha: createHash("sha1").update(lua).digest("hex"),
});

/** How often a server that fell silent is tried with a call. */
const probeEveryMs = 100;

/**
 * Calls of scripts that answer with doubles, in time or not at all. A call is sent once: it is repeated only if the server
 * said that it does not know the script, and so has done nothing. While an answer is overdue, further calls fail at once,
 * but for a probe now and then; what a frozen server has yet to read stays small.
 */
export class ScriptLine {
  readonly #redis: CountersConnection;
  /** When a lane (a server, or a slot of a cluster) that owes an answer was last asked. Answers come in order. */
  readonly #silent = new Map<number, number>();

  constructor(redis: CountersConnection) {
    this.#redis = redis;
  }

  /** @param words the keys, then the arguments */
  call(
    script: LineScript,
    lane: number,
    keyCount: number,
    words: string[],
    withinMs: number,
  ): Promise<Float64Array | Unweighed> {
    const askedAt = performance.now();
    if (withinMs <= 0 || !this.#mayAsk(lane, askedAt)) return Promise.resolve(late);
    return new Promise((resolve) => {
      const timer = onceOverdue(withinMs, () => {
        if (!this.#silent.has(lane)) this.#silent.set(lane, askedAt);
        resolve(late);
      });
      const settle = (answer: Float64Array | Unweighed) => {
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

  #mayAsk(lane: number, now: number): boolean {
    if (this.#silent.size === 0) return true;
    const probedAt = this.#silent.get(lane);
    if (probedAt === undefined) return true;
    if (now - probedAt < probeEveryMs) return false;
    this.#silent.set(lane, now);
    return true;
  }

  #send(script: LineScript, keyCount: number, words: string[]): Promise<unknown> {
    const redis = this.#redis;
    return redis.callBuffer("evalsha", script.sha, keyCount, ...words).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.callBuffer("eval", script.lua, keyCount, ...words);
    });
  }
}

const late: Unweighed = { outcome: "unweighed", reason: "late", message: "Redis has not answered in time." };

/** After a pause of this very process the answer may be here and only not read yet: an immediate comes after the poll. */
function onceOverdue(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(then), ms);
}

/** Aligned, which a piece of the socket's buffer need not be. */
function doubles(bytes: unknown): Float64Array | Unweighed {
  if (!Buffer.isBuffer(bytes) || bytes.length % 8 !== 0 || bytes.length === 0) return failure("no doubles");
  const numbers = new Float64Array(bytes.length / 8);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}

function failure(error: unknown): Unweighed {
  const message = error instanceof Error ? error.message : String(error);
  // Redis' own errors begin with a word in capitals; ioredis' are sentences.
  const isFromRedis = /^[A-Z]{3,}/.test(message);
  return { outcome: "unweighed", reason: isFromRedis ? "refused" : "away", message };
}
