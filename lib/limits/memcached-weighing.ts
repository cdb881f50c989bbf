import { createHash } from "node:crypto";
import { fixed } from "./fixed.ts";
import type { Memcached } from "./memcached-client.ts";
import { timeIsUp } from "./memcached-connection.ts";
import { MemcachedError } from "./memcached-line.ts";
import { second } from "./model.ts";
import { firstDenial, type Load, type Reading, type Step, type Weighed } from "./plan.ts";
import { counterKey } from "./recipe.ts";

export interface Deadline {
  readonly isPast: boolean;
}

interface Counter {
  readonly step: Step;
  readonly key: string;
  readonly cost: number;
}

/** One request at one moment, on fixed windows alone. */
export class MemcachedWeighing {
  readonly #memcached: Memcached;
  readonly #deadline: Deadline;
  readonly #nowMicros: number;
  readonly #counters: readonly Counter[];
  /** What each counter held before this request; NaN for what is not a number. */
  #used: number[] = [];

  constructor(memcached: Memcached, { plan, clients, costs }: Load, nowMicros: number, deadline: Deadline) {
    this.#memcached = memcached;
    this.#deadline = deadline;
    this.#nowMicros = nowMicros;
    this.#counters = plan.steps.map((step, i) => {
      const key = keyFor(counterKey(step, clients[i] ?? "", nowMicros, false));
      return { step, key, cost: costs[i] ?? 1 };
    });
  }

  async read(): Promise<Weighed> {
    const values = await Promise.all(this.#counters.map(({ key }) => this.#memcached.get(key)));
    this.#used = values.map(countOf);
    return this.#judge();
  }

  /** Who is denied at first sight is not charged. Others are, counter by counter; the first one that denies gives all back. */
  async weigh(): Promise<Weighed> {
    const seen = await this.read();
    if (seen.deniedBy >= 0) return seen;
    const charged: Counter[] = [];
    try {
      for (const [i, counter] of this.#counters.entries()) {
        const { step, cost } = counter;
        if (cost === 0 || seen.readings[i]?.isOver) continue;
        if (this.#deadline.isPast) throw timeIsUp;
        const sum = await this.#charge(counter);
        this.#used[i] = sum - cost;
        // What is not a number was not charged either.
        if (!Number.isNaN(sum)) charged.push(counter);
        if (sum <= step.limit || Number.isNaN(sum)) continue;
        this.#takeBack(step.isShadowed ? charged.splice(-1) : charged);
        if (!step.isShadowed) break;
      }
    } catch (error) {
      this.#takeBack(charged);
      throw error;
    }
    return this.#judge();
  }

  /** What the counter holds with this request, or NaN. One that begins is given its life by the same command. */
  async #charge({ step, key, cost }: Counter): Promise<number> {
    const expiry = expiryOf(step, this.#nowMicros);
    for (let attempt = 0; attempt < 3; attempt++) {
      const sum = await this.#memcached.incr(key, cost).catch(nanIfForeign);
      if (sum !== undefined) return sum;
      if (await this.#memcached.add(key, String(cost), expiry)) return cost;
    }
    throw new MemcachedError("refused", "memcached forgets its counters as soon as they are made.");
  }

  /** Not waited for. What cannot be taken back stays until its window ends: then too few pass, not too many. */
  #takeBack(charged: readonly Counter[]): void {
    for (const { key, cost } of charged) this.#memcached.decr(key, cost).catch(() => {});
  }

  #judge(): Weighed {
    const trouble: number[] = [];
    const readings = this.#counters.map(({ step, cost }, i): Reading => {
      const used = this.#used[i] ?? Number.NaN;
      if (!Number.isNaN(used)) return fixed.read([used, 0], step, cost, this.#nowMicros);
      trouble.push(i);
      return { used: 0, resetMs: 0, isOver: false };
    });
    const steps = this.#counters.map(({ step }) => step);
    return { outcome: "weighed", deniedBy: firstDenial(steps, readings), readings, trouble };
  }
}

/** memcached takes what is longer for a moment of Unix time. */
const longestSeconds = 30 * 86_400;

/** As rack-attack does it: until a second after the window. */
function expiryOf({ periodSeconds }: Step, nowMicros: number): number {
  const now = Math.floor(nowMicros / second);
  const left = periodSeconds - (now % periodSeconds) + 1;
  return left > longestSeconds ? now + left : left;
}

/** A key may hold neither spaces nor control characters, and clients write other letters each in their own way. */
const keyFor = (name: string): string =>
  /^[!-~]{1,250}$/.test(name) ? name : createHash("sha1").update(name).digest("hex");

/** A number that was lowered may have spaces behind it. */
function countOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return /^\d+ *$/.test(text) ? Number(text) : Number.NaN;
}

function nanIfForeign(error: unknown): number {
  if (error instanceof Error && /non-numeric/i.test(error.message)) return Number.NaN;
  throw error;
}
