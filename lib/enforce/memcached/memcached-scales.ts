import { createHash } from "node:crypto";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { second, windowEnd } from "../algorithms/model.ts";
import { fixed } from "../algorithms/windows.ts";
import { onceOverdue } from "../limits/at-most-once.ts";
import {
  type CountedRequest,
  costAt,
  firstDenial,
  type Reading,
  type Step,
  type Unweighed,
  type Weighed,
} from "../limits/plan.ts";
import type { Scales } from "../limits/scales.ts";
import { counterKey } from "../limits/wire-plan.ts";
import { type Address, MemcachedConnection, MemcachedError, timeIsUp } from "./connection.ts";

/**
 * A memcached client of the app's own. Keys are printable ASCII of at most 250 bytes. A command may be sent once only: a client
 * that repeats an unanswered command counts twice.
 *
 * @example
 * // memjs, for costs and limits below 2³²; one retry means one attempt.
 * const client = Client.create("10.0.0.5:11211", { retries: 1 });
 * const unlessMissing = (error: Error) => {
 *   if (!/not found/i.test(error.message)) throw error;
 *   return { value: null };
 * };
 * // This expiry means: do not make a key that is not there.
 * const options = { expires: 0xffffffff };
 * const source: Memcached = {
 *   incr: async (key, by) => (await client.increment(key, by, options).catch(unlessMissing)).value ?? undefined,
 *   decr: async (key, by) => (await client.decrement(key, by, options).catch(unlessMissing)).value ?? undefined,
 *   add: (key, value, expiry) => client.add(key, value, { expires: expiry }),
 *   get: async (key) => (await client.get(key)).value?.toString(),
 * };
 */
export interface Memcached {
  /** The new value of the counter. Undefined if there is none. Rejects with "… non-numeric …" if it is no number. */
  incr(key: string, by: number): Promise<number | undefined>;
  decr(key: string, by: number): Promise<number | undefined>;
  /**
   * True if there was none before.
   * @param expiry as memcached reads it: seconds, and more than 30 days is a moment of Unix time
   */
  add(key: string, value: string, expiry: number): Promise<boolean>;
  get(key: string): Promise<string | undefined>;
}

export interface MemcachedOptions {
  /** How long an answer may take. */
  readonly withinMs?: number;
  /** Microseconds; instead of this node's own clock. */
  readonly clock?: () => number;
}

export interface MemcachedScales extends Scales {
  /** Ends the connection to an address; a client of the app's own stays open. */
  close(): void;
}

/**
 * Scales on one memcached, for fixed windows. memcached cannot read and charge at once, so a counter is raised, judged by its new
 * value, and lowered again for a denied request. No more than the limit pass; while a charge is being taken back, fewer may.
 * memcached has no clock to read: this node's clock decides which window it is, so nodes have to agree on the time to a second.
 *
 * Counters are rack-attack's own, `rack::attack:<window>:<rule>:<client>`, and expire a second after their window. A key that
 * memcached would not take, over 250 bytes or with other than printable ASCII in it, is replaced by its SHA-1 in hex.
 *
 * @param source `memcached://host:port`, one server; or a client, which may spread its keys over many
 * @example
 * const scales = createMemcachedScales("memcached://10.0.0.5:11211");
 */
export function createMemcachedScales(
  source: string | Memcached,
  { withinMs = 40, clock = wallMicros }: MemcachedOptions = {},
): MemcachedScales {
  if (typeof source !== "string") return scalesOn(source, withinMs, clock);
  const connection = new MemcachedConnection(readMemcachedAddress(source), withinMs);
  connection.connect();
  return {
    ...scalesOn(connection, withinMs, clock),
    close: () => connection.close(),
  };
}

function refusalOf(steps: readonly Step[]): string | undefined {
  const others = steps.filter(({ algorithm }) => algorithm !== "fixed");
  if (others.length === 0) return undefined;
  const named = [...new Set(others.map(({ rule, algorithm }) => `rule ${rule} is ${algorithm}`))].join(", ");
  return `memcached keeps fixed windows only: ${named}. Choose algorithm "fixed", or counters on Redis.`;
}

function scalesOn(memcached: Memcached, withinMs: number, clock: () => number): MemcachedScales {
  async function on(request: CountedRequest, verb: "weigh" | "read"): Promise<Weighed | Unweighed> {
    const refusal = refusalOf(request.plan.steps);
    if (refusal) return unweighed(new MemcachedError("refused", refusal));
    return within(withinMs, (deadline) =>
      new MemcachedWeighing(memcached, request, clock(), deadline)[verb](),
    );
  }
  /** @param by how much of what a counter holds. Undefined where it cannot be lowered */
  async function lower(
    request: CountedRequest,
    by: (cost: number, held: number) => number | undefined,
  ): Promise<boolean> {
    if (refusalOf(request.plan.steps)) return false;
    const lowered = countersOf(request, clock()).map(async ({ key, cost }) => {
      const amount = by(cost, countOf(await memcached.get(key)));
      // memcached lowers no number below zero.
      if (amount !== undefined && amount > 0) await memcached.decr(key, amount);
      return amount !== undefined;
    });
    return Promise.all(lowered).then(
      (all) => all.every((isDone) => isDone),
      () => false,
    );
  }
  return {
    weigh: (request) => on(request, "weigh"),
    // Rules that hold are left out: memcached keeps fixed windows only.
    settle: async () => {},
    correct: async () => {},
    nowMicros: () => Date.now() * 1_000,
    read: (request) => on(request, "read"),
    refund: (request) => lower(request, (cost, held) => (held >= cost ? cost : undefined)),
    forget: (request) => lower(request, (_, held) => held),
    close: () => {},
  };
}

/** Waits so long for the answer and no longer, and sets the deadline's flag for what is still under way. */
function within(ms: number, ask: (deadline: Deadline) => Promise<Weighed>): Promise<Weighed | Unweighed> {
  return new Promise((resolve) => {
    const deadline = { isPast: false };
    const timer = onceOverdue(ms, () => {
      deadline.isPast = true;
      resolve(unweighed(timeIsUp));
    });
    ask(deadline)
      .catch(unweighed)
      .then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
  });
}

/** The errors of a client of the app's own have a message and no reason. */
function unweighed(error: unknown): Unweighed {
  const message = error instanceof Error ? error.message : String(error);
  const worded = /^(SERVER|CLIENT)_ERROR/.test(message) ? "refused" : "away";
  return {
    outcome: "unweighed",
    reason: error instanceof MemcachedError ? error.reason : worded,
    message,
  };
}

/** Throws without repeating the text, which may hold a password. */
export function readMemcachedAddress(text: string): Address {
  const parts = /^memcached:\/\/(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(text.trim());
  const port = Number(parts?.[2] ?? 11_211);
  if (parts && port >= 1 && port <= 65_535) return { host: at(parts, 1).replace(/^\[|\]$/g, ""), port };
  throw new DomainError(
    "bad-input",
    text.includes(",")
      ? "memcached is one server here: name one host, or give a client that spreads its keys over several."
      : "The address of memcached cannot be read: expected memcached://host:port, without user or password.",
  );
}

const wallMicros = (): number => Date.now() * 1_000;

interface Deadline {
  readonly isPast: boolean;
}

interface MemcachedCounter {
  readonly step: Step;
  readonly key: string;
  readonly cost: number;
}

function countersOf(request: CountedRequest, nowMicros: number): MemcachedCounter[] {
  return request.plan.steps.map((step, i) => {
    const key = keyFor(counterKey(step, at(request.clients, i), nowMicros, false));
    return { step, key, cost: costAt(request, i) };
  });
}

/** One request at one moment, on fixed windows alone. */
class MemcachedWeighing {
  readonly #memcached: Memcached;
  readonly #deadline: Deadline;
  readonly #nowMicros: number;
  readonly #counters: readonly MemcachedCounter[];
  /** The value of each counter before this request; NaN for a text that is no number. */
  #used: number[] = [];

  constructor(memcached: Memcached, request: CountedRequest, nowMicros: number, deadline: Deadline) {
    this.#memcached = memcached;
    this.#deadline = deadline;
    this.#nowMicros = nowMicros;
    this.#counters = countersOf(request, nowMicros);
  }

  async read(): Promise<Weighed> {
    const values = await Promise.all(this.#counters.map(({ key }) => this.#memcached.get(key)));
    this.#used = values.map(countOf);
    return this.#judge();
  }

  /** A request denied on the first read is not charged. Otherwise counters are charged one by one; the first that denies refunds all. */
  async weigh(): Promise<Weighed> {
    const seen = await this.read();
    if (seen.deniedBy >= 0) return seen;
    const charged: MemcachedCounter[] = [];
    try {
      for (const [i, counter] of this.#counters.entries()) {
        const { step, cost } = counter;
        if (cost === 0 || at(seen.readings, i).isOver) continue;
        if (this.#deadline.isPast) throw timeIsUp;
        const sum = await this.#charge(counter);
        this.#used[i] = sum - cost;
        // A counter that is no number was not charged.
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

  /** The counter's value with this request, or NaN. A new counter gets its expiry by the same command. */
  async #charge({ step, key, cost }: MemcachedCounter): Promise<number> {
    const expiry = expiryOf(step, this.#nowMicros);
    for (let attempt = 0; attempt < 3; attempt++) {
      const sum = await this.#memcached.incr(key, cost).catch(nanIfForeign);
      if (sum !== undefined) return sum;
      if (await this.#memcached.add(key, String(cost), expiry)) return cost;
    }
    throw new MemcachedError("refused", "memcached forgets its counters as soon as they are made.");
  }

  /** Does not wait. A charge that cannot be taken back stays until its window ends: then too few pass, not too many. */
  #takeBack(charged: readonly MemcachedCounter[]): void {
    for (const { key, cost } of charged) this.#memcached.decr(key, cost).catch(() => {});
  }

  #judge(): Weighed {
    const trouble: number[] = [];
    const readings = this.#counters.map(({ step, cost }, i): Reading => {
      const used = at(this.#used, i);
      if (!Number.isNaN(used)) return fixed.read([used, 0], step, cost, this.#nowMicros);
      trouble.push(i);
      return { used: 0, resetMs: 0, isOver: false };
    });
    const steps = this.#counters.map(({ step }) => step);
    return { outcome: "weighed", deniedBy: firstDenial(steps, readings), readings, trouble };
  }
}

/** A longer expiry is a moment of Unix time to memcached. */
const longestSeconds = 30 * 86_400;

/** As rack-attack does it: until a second after the window. */
function expiryOf(step: Step, nowMicros: number): number {
  const now = Math.floor(nowMicros / second);
  const left = windowEnd(step, now * second) / second - now + 1;
  return left > longestSeconds ? now + left : left;
}

/** A key may hold neither spaces nor control characters, and each client encodes other letters in its own way. */
const keyFor = (name: string): string =>
  /^[!-~]{1,250}$/.test(name) ? name : createHash("sha1").update(name).digest("hex");

/** memcached pads a lowered number with spaces. */
function countOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return /^\d+ *$/.test(text) ? Number(text) : Number.NaN;
}

function nanIfForeign(error: unknown): number {
  if (error instanceof Error && /non-numeric/i.test(error.message)) return Number.NaN;
  throw error;
}
