import type { Memcached } from "./memcached-client.ts";
import { type Address, MemcachedError, MemcachedLine } from "./memcached-line.ts";
import { isRefusal, type Reply, read } from "./memcached-replies.ts";

export const timeIsUp = new MemcachedError("late", "memcached has not answered in time.");

/**
 * One connection to one memcached by its text protocol, pipelined. A command is sent once, or fails at once: while there is
 * no connection as away, while an answer is overdue as late. What is overdue is still waited for, since answers come in
 * order and the first one tells that the server is back. Keys are trusted to be such as memcached takes.
 */
export class MemcachedConnection implements Memcached {
  readonly #line: MemcachedLine;
  readonly #withinMs: number;

  /** @param withinMs how long the answer to one command may take */
  constructor(address: Address, withinMs: number) {
    this.#line = new MemcachedLine(address);
    this.#withinMs = withinMs;
  }

  /** Once the server has answered for the first time. */
  ready(): Promise<void> {
    return this.#line.ready;
  }

  incr(key: string, by: number): Promise<number | undefined> {
    return this.#ask(`incr ${key} ${by}\r\n`, read.count);
  }

  decr(key: string, by: number): Promise<number | undefined> {
    return this.#ask(`decr ${key} ${by}\r\n`, read.count);
  }

  add(key: string, value: string, expiry: number): Promise<boolean> {
    return this.#ask(`add ${key} 0 ${expiry} ${value.length}\r\n${value}\r\n`, read.isStored);
  }

  get(key: string): Promise<string | undefined> {
    return this.#ask(`get ${key}\r\n`, read.value);
  }

  close(): void {
    this.#line.close();
  }

  #ask<T>(words: string, reader: (reply: Reply) => T): Promise<T> {
    const line = this.#line;
    if (!line.isReady) return Promise.reject(line.away());
    if (line.isSilent) return Promise.reject(timeIsUp);
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const timer = onceOverdue(this.#withinMs, () => {
        if (!isSettled) line.fallSilent();
        reject(timeIsUp);
      });
      const settle = () => {
        isSettled = true;
        clearTimeout(timer);
      };
      line.send(words, {
        answer(reply) {
          if (isRefusal(reply)) reject(new MemcachedError("refused", reply.line));
          else resolve(reader(reply));
          settle();
        },
        fail(error) {
          settle();
          reject(error);
        },
      });
    });
  }
}

/** After a pause of this very process the answer may be here and only not read yet: an immediate comes after the poll. */
export function onceOverdue(ms: number, then: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(then), ms);
}
