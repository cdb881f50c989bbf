import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "../../errors.ts";
import type { Guard } from "../guard/guard.ts";
import { endlessMs, isEndless, type WindowCount, WindowCounter } from "./window-counter.ts";

export interface SluiceLimiterOptions
  extends Omit<
    ConstructorParameters<typeof RateLimiterRedis>[0],
    "storeClient" | "rejectIfRedisNotReady" | "customIncrTtlLuaScript" | "useRedisPackage"
  > {
  /** The name by which keys and statistics know this limiter; made of `keyPrefix` unless given. */
  readonly rule?: string | undefined;
  /** False where Sluice's own middleware counts the same requests. */
  readonly isInStatistics?: boolean | undefined;
}

/**
 * RateLimiterRedis of rate-limiter-flexible (5 or later) on Sluice's counters: the same methods, options and results, and what is
 * denied is in Sluice's statistics. While Redis does not answer, `insuranceLimiter` decides; without one, this process counts.
 *
 * @example
 * const limiter = new SluiceLimiter(guard, { keyPrefix: "login", points: 5, duration: 60, blockDuration: 900 });
 * await limiter.consume(request.ip);
 */
export class SluiceLimiter extends RateLimiterRedis {
  readonly #counter: WindowCounter;
  readonly #isInStatistics: boolean;

  constructor(guard: Guard, { rule, isInStatistics = true, ...options }: SluiceLimiterOptions) {
    super({ ...options, storeClient: {} });
    const foreign = ["storeClient", "customIncrTtlLuaScript"].filter((name) => name in options);
    if (foreign.length > 0) {
      const problem = `${foreign.join(" and ")} cannot be used: the guard has the connection and the script`;
      throw new DomainError("bad-input", `SluiceLimiter: ${problem}.`, { [String(foreign[0])]: problem });
    }
    this.#isInStatistics = isInStatistics;
    this.#counter = new WindowCounter(guard, {
      rule: rule ?? nameOf(options.keyPrefix ?? "rlflx"),
      periodMs: periodOf(this.msDuration),
      onStoreError: options.insuranceLimiter ? "throw" : "model",
    });
  }

  override async consume(
    ...[key, points, options]: Parameters<RateLimiterRedis["consume"]>
  ): Promise<RateLimiterRes> {
    const startedAt = performance.now();
    try {
      const result = await super.consume(key, points, options);
      this.#note(key, false, startedAt);
      return result;
    } catch (error) {
      if (error instanceof RateLimiterRes) this.#note(key, true, startedAt);
      throw error;
    }
  }

  /** Called by rate-limiter-flexible. */
  async _upsert(
    rlKey: string,
    points: number | string,
    msDuration: number,
    forceExpire = false,
  ): Promise<Consumed> {
    const amount = wholePoints(points);
    const key = this.#parse(rlKey);
    const periodMs = periodOf(Math.floor(msDuration / 1_000) * 1_000);
    const count = forceExpire
      ? await this.#counter.set(key, amount, periodMs)
      : await this.#counter.add(key, amount, periodMs);
    return foundOf(count);
  }

  /** Called by rate-limiter-flexible. */
  async _get(rlKey: string): Promise<Consumed | null> {
    const count = await this.#counter.read(this.#parse(rlKey));
    return count ? foundOf(count) : null;
  }

  /** Called by rate-limiter-flexible. */
  _delete(rlKey: string): Promise<boolean> {
    return this.#counter.delete(this.#parse(rlKey));
  }

  #parse(rlKey: string): string {
    return this.keyPrefix.length > 0 ? rlKey.slice(this.keyPrefix.length + 1) : rlKey;
  }

  #note(key: string | number, isDenied: boolean, startedAt: number): void {
    if (this.#isInStatistics) this.#counter.note(String(key), isDenied, startedAt);
  }
}

/** As RateLimiterRedis reads it: what was consumed, and ms until it ends or -1. */
type Consumed = [consumed: number, ttlMs: number];

function foundOf({ used, resetMs }: WindowCount): Consumed {
  return [used, isEndless(resetMs) ? -1 : resetMs];
}

/** A duration of 0 never ends. */
const periodOf = (ms: number) => (ms > 0 ? ms : endlessMs);

function wholePoints(points: number | string): number {
  const amount = typeof points === "string" && /^[1-9]\d*$/.test(points) ? Number(points) : points;
  if (typeof amount === "number" && Number.isSafeInteger(amount)) return amount;
  throw new Error("Only whole numbers of points can be consumed.");
}

/** Names of rules hold no other characters. */
const nameOf = (prefix: string) =>
  prefix
    .replaceAll(":", "/")
    .replace(/[^A-Za-z0-9_./-]/g, "_")
    .slice(0, 64) || "rlflx";
