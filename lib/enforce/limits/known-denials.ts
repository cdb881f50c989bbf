import { at, madeOnce } from "../../at.ts";
import { counterClient } from "../../redis/keys.ts";
import { isDeniedByHolds, isRate } from "../algorithms/algorithms.ts";
import { earrrl, lambdaOf } from "../algorithms/earrrl.ts";
import { judgedCost } from "../algorithms/model.ts";
import { Generations } from "./generations.ts";
import type { LateCharge } from "./late-charges.ts";
import {
  type CountedRequest,
  costAt,
  nameOfCounter,
  type Plan,
  type Reading,
  type Step,
  type Weighed,
} from "./plan.ts";

export interface KnownDenialsOptions {
  /** How many clients are remembered; those without a request for longest are forgotten first. */
  readonly mostClients?: number;
  /** The longest time for which a denial is used. */
  readonly longestMs?: number;
  /** Milliseconds that never step back. */
  readonly clock?: () => number;
}

/**
 * Denials that need no call to Redis: until a window ends its count only grows, and until an estimate has decayed below its
 * limit it stays over. What is denied here would be denied there. EARRRL counts these hits too: their weights are kept,
 * decaying, until `drain` takes them.
 */
export class KnownDenials {
  readonly #clients: Generations<LastReading[]>;
  readonly #mostUncharged: number;
  readonly #longestMs: number;
  readonly #clock: () => number;
  readonly #counters = new WeakMap<Plan, readonly string[]>();
  #lastPlan: Plan | undefined;
  #lastCounters: readonly string[] = [];
  #uncharged: LastReading[] = [];

  constructor(options: KnownDenialsOptions = {}) {
    const mostClients = options.mostClients ?? 100_000;
    this.#clients = new Generations(mostClients);
    this.#mostUncharged = 2 * mostClients;
    this.#longestMs = options.longestMs ?? Number.POSITIVE_INFINITY;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** The answer for a client that is known to be denied, whose hit is counted. Undefined for other clients. */
  find(request: CountedRequest, nowMs = this.#clock()): Weighed | undefined {
    if (this.#clients.size === 0) return undefined;
    const { steps } = request.plan;
    const counters = this.#countersOf(request.plan);
    let client: string | undefined;
    let known: LastReading[] | undefined;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i];
      if (request.clients[i] !== client) {
        client = request.clients[i] ?? "";
        known = this.#readingsOf(client);
      }
      if (!known || !step || step.isShadowed) continue;
      const last = readingAt(known, counters[i]);
      if (last?.isDenied(step, costAt(request, i), nowMs)) return this.#deny(request, i, nowMs);
    }
    return undefined;
  }

  /** @param weighed Redis' answer; it is remembered only if it denies */
  remember(request: CountedRequest, weighed: Weighed): void {
    if (weighed.deniedBy < 0) return;
    const { plan, clients } = request;
    const atMs = weighed.at?.askedAtMs ?? this.#clock();
    plan.steps.forEach((step, i) => {
      if (weighed.trouble.includes(i)) return;
      const last = this.#readingOf(plan, i, step, at(clients, i));
      last.record(step, costAt(request, i), at(weighed.readings, i), atMs, this.#longestMs);
    });
  }

  /** The weights to charge for the hits that were denied here since the last time. */
  drain(): LateCharge[] {
    const nowMs = this.#clock();
    const uncharged = this.#uncharged;
    this.#uncharged = [];
    return uncharged.flatMap((last) => {
      const weight = last.takeUncharged(nowMs);
      if (weight === 0) return [];
      // Redis' answer is a little younger than `nowMs`, so the sum decays a little too much.
      const onCharged = (sum: number) => last.correct(sum, nowMs);
      return [{ step: last.step, client: last.client, weight, onCharged }];
    });
  }

  /** For when limits have changed. Weights that were not drained yet are kept. */
  clear(): void {
    this.#clients.clear();
  }

  /** For when a client's counters were reset, or its limits have changed. */
  forgetClient(client: string): void {
    const name = counterClient(client);
    for (const last of this.#clients.get(name) ?? []) last.takeUncharged(0);
    this.#clients.delete(name);
  }

  #deny(request: CountedRequest, deniedBy: number, nowMs: number): Weighed {
    const { plan, clients } = request;
    const readings = new Array<Reading>(plan.steps.length);
    const counters = this.#countersOf(plan);
    let client: string | undefined;
    let known: LastReading[] | undefined;
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i];
      if (!step) continue;
      if (clients[i] !== client) {
        client = clients[i] ?? "";
        known = this.#readingsOf(client);
      }
      const cost = costAt(request, i);
      const last =
        (known && readingAt(known, counters[i])) ?? this.#readingOf(plan, i, step, clients[i] ?? "");
      const reading = last.read(step, cost, nowMs);
      readings[i] = reading;
      if (last.isRate && cost > 0 && step.limit > 0) this.#charge(last, step, cost, reading, nowMs);
    }
    return { outcome: "weighed", deniedBy, readings, trouble: none };
  }

  /** Beyond a bound a hit is denied and not charged: without drains memory must not grow. */
  #charge(last: LastReading, step: Step, cost: number, { isOver }: Reading, nowMs: number): void {
    const isNew = !last.isUncharged;
    last.hit(isOver ? cost * step.overageWeight : cost, nowMs);
    if (!isNew) return;
    if (this.#uncharged.length < this.#mostUncharged) this.#uncharged.push(last);
    else last.takeUncharged(nowMs);
  }

  #readingsOf(client: string): LastReading[] | undefined {
    const known = this.#clients.get(client);
    if (known) return known;
    const name = counterClient(client);
    return name === client ? undefined : this.#clients.get(name);
  }

  #readingOf(plan: Plan, index: number, step: Step, client: string): LastReading {
    const name = counterClient(client);
    const counter = this.#countersOf(plan)[index] ?? "";
    let known = this.#clients.get(name);
    if (!known) {
      known = [];
      this.#clients.set(name, known);
    }
    let last = readingAt(known, counter);
    if (!last) {
      last = new LastReading(counter, name, step);
      known.push(last);
    }
    return last;
  }

  #countersOf(plan: Plan): readonly string[] {
    if (plan !== this.#lastPlan) {
      this.#lastPlan = plan;
      this.#lastCounters = madeOnce(this.#counters, plan, () => plan.steps.map(nameOfCounter));
    }
    return this.#lastCounters;
  }
}

const none: readonly number[] = Object.freeze([]);

function readingAt(known: readonly LastReading[], counter: string | undefined): LastReading | undefined {
  for (let i = 0; i < known.length; i++) if (known[i]?.counter === counter) return known[i];
  return undefined;
}

/** The last reading of one client's counter, as far as it still holds. Times are milliseconds of one clock. */
class LastReading {
  readonly counter: string;
  readonly client: string;
  readonly isRate: boolean;
  #step: Step;
  #used = 0;
  #resetAtMs = 0;
  /** The moment until which this cost is denied under this limit, or a lower one. */
  #deniedUntilMs = 0;
  #cost = 0;
  #limit = 0;
  /** EARRRL: N at least, and what of it has not been charged in Redis; both as of `#sumAtMs`. */
  #sum = 0;
  #uncharged = 0;
  #sumAtMs = 0;

  constructor(counter: string, client: string, step: Step) {
    this.counter = counter;
    this.client = client;
    this.#step = step;
    this.isRate = isRate(step.algorithm);
  }

  get step(): Step {
    return this.#step;
  }

  get isUncharged(): boolean {
    return this.#uncharged > 0;
  }

  record(step: Step, cost: number, reading: Reading, atMs: number, longestMs: number): void {
    this.#step = step;
    if (this.isRate) {
      if (step.limit === 0) return;
      const weight = reading.isOver ? cost * step.overageWeight : cost;
      this.#decayTo(atMs);
      this.#sum = Math.max(this.#sum, reading.used / lambdaOf(step) + weight);
      return;
    }
    this.#used = reading.used;
    // Rounded up before.
    const resetMs = Math.max(0, reading.resetMs - 1);
    this.#resetAtMs = atMs + resetMs;
    const isLasting = reading.isOver && !isDeniedByHolds(step, reading, cost);
    this.#deniedUntilMs = isLasting ? atMs + Math.min(resetMs, longestMs) : 0;
    this.#cost = judgedCost(cost);
    this.#limit = step.limit;
  }

  isDenied(step: Step, cost: number, nowMs: number): boolean {
    if (!this.isRate)
      return nowMs < this.#deniedUntilMs && judgedCost(cost) >= this.#cost && step.limit <= this.#limit;
    if (step.limit === 0) return true;
    if (this.#sum === 0) return false;
    this.#decayTo(nowMs);
    return this.#sum * lambdaOf(step) > step.limit;
  }

  read(step: Step, cost: number, nowMs: number): Reading {
    const isOver = this.isDenied(step, cost, nowMs);
    if (!this.isRate) {
      const leftMs = this.#resetAtMs - nowMs;
      return { used: leftMs > 0 ? this.#used : 0, resetMs: Math.max(0, Math.ceil(leftMs)), isOver };
    }
    return earrrl.read([this.#sum, 0], step, cost, 0);
  }

  /** EARRRL: one more hit. */
  hit(weight: number, nowMs: number): void {
    this.#decayTo(nowMs);
    this.#sum += weight;
    this.#uncharged += weight;
  }

  /** EARRRL: the weight to charge in Redis, decayed to now. The caller charges it. */
  takeUncharged(nowMs: number): number {
    this.#decayTo(nowMs);
    const weight = this.#uncharged;
    this.#uncharged = 0;
    return weight;
  }

  /** EARRRL: takes over N as it was in Redis at a moment, plus what has not been charged since. */
  correct(sum: number, atMs: number): void {
    this.#decayTo(atMs);
    const later = Math.exp(-lambdaOf(this.#step) * ((this.#sumAtMs - atMs) / 1_000));
    this.#sum = sum * later + this.#uncharged;
  }

  #decayTo(nowMs: number): void {
    if (nowMs <= this.#sumAtMs) return;
    if (this.#sum > 0) {
      const left = Math.exp(-lambdaOf(this.#step) * ((nowMs - this.#sumAtMs) / 1_000));
      this.#sum *= left;
      this.#uncharged *= left;
    }
    this.#sumAtMs = nowMs;
  }
}
