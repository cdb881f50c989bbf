import type { ClientRateLimitInfo, Options, Store } from "express-rate-limit";
import type { Guard } from "../guard/guard.ts";
import { WindowCounter } from "./window-counter.ts";

export interface SluiceStoreOptions {
  /** The name by which keys and statistics know this limiter. Each limiter of an app has its own. */
  readonly rule: string;
  /**
   * While Redis does not answer: `model` (the default) counts in this process, `throw` leaves it to `passOnStoreError`.
   */
  readonly onStoreError?: "model" | "throw" | undefined;
  /** False where Sluice's own middleware counts the same requests. */
  readonly isInStatistics?: boolean | undefined;
}

/**
 * A store of express-rate-limit (7 or later) that counts in Sluice's counters, for all processes together, and shows what is
 * denied in Sluice's statistics.
 *
 * @example
 * app.use(rateLimit({ windowMs: 60_000, limit: 100, store: new SluiceStore(guard, { rule: "api" }) }));
 */
export class SluiceStore implements Store {
  /** Counts are shared by all processes. */
  readonly localKeys = false;
  readonly prefix: string;
  readonly #guard: Guard;
  readonly #options: SluiceStoreOptions;
  #counter: WindowCounter;
  #limit: number | undefined;

  constructor(guard: Guard, options: SluiceStoreOptions) {
    this.prefix = `${options.rule}:`;
    this.#guard = guard;
    this.#options = options;
    // The length of express-rate-limit's default window, for a store that is used before it.
    this.#counter = this.#open(60_000);
  }

  /** Called by express-rate-limit with its options. */
  init({ windowMs, limit }: Options): void {
    this.#counter = this.#open(windowMs);
    this.#limit = typeof limit === "number" ? limit : undefined;
  }

  async get(key: string): Promise<ClientRateLimitInfo | undefined> {
    const count = await this.#counter.read(key);
    return count && { totalHits: count.used, resetTime: inMs(count.resetMs) };
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const startedAt = performance.now();
    const { used, resetMs } = await this.#counter.add(key, 1);
    const isDenied = this.#limit !== undefined && used > this.#limit;
    if (this.#options.isInStatistics ?? true) this.#counter.note(key, isDenied, startedAt);
    return { totalHits: used, resetTime: inMs(resetMs) };
  }

  async decrement(key: string): Promise<void> {
    await this.#counter.takeBack(key, 1);
  }

  async resetKey(key: string): Promise<void> {
    await this.#counter.delete(key);
  }

  #open(periodMs: number): WindowCounter {
    const { rule, onStoreError = "model" } = this.#options;
    return new WindowCounter(this.#guard, { rule, periodMs, onStoreError });
  }
}

const inMs = (ms: number) => new Date(Date.now() + ms);
