import { counterClient } from "../redis/keys.ts";
import { Generations } from "./generations.ts";
import type { LateCharge } from "./late-charges.ts";
import { costAt, type Load, type Plan, type Reading, type Step, type Weighed } from "./plan.ts";
import { Sight } from "./sight.ts";

export interface KnownDenialsOptions {
  /** How many clients are remembered; those that did not come for longest are forgotten first. */
  readonly mostClients?: number;
  /** For how long a denial is believed at most. */
  readonly longestMs?: number;
  /** Milliseconds that never step back. */
  readonly clock?: () => number;
}

/**
 * Denials that Redis need not be asked for: until a window ends its count only grows, and until an estimate has decayed below
 * its limit it stays over. What is denied here would be denied there. EARRRL counts these hits too: their weights are kept,
 * decaying, until `drain` hands them over.
 */
export class KnownDenials {
  readonly #clients: Generations<Sight[]>;
  readonly #longestMs: number;
  readonly #clock: () => number;
  readonly #counters = new WeakMap<Plan, readonly string[]>();
  #untold: Sight[] = [];
  #count = 0;

  constructor(options: KnownDenialsOptions = {}) {
    this.#clients = new Generations(options.mostClients ?? 100_000);
    this.#longestMs = options.longestMs ?? Number.POSITIVE_INFINITY;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** How many hits were denied here so far. */
  get count(): number {
    return this.#count;
  }

  /** The answer for a client that is known to be denied; its hit is counted. */
  find(load: Load): Weighed | undefined {
    if (this.#clients.size === 0) return undefined;
    const { steps } = load.plan;
    const nowMs = this.#clock();
    const counters = this.#countersOf(load.plan);
    let client: string | undefined;
    let sights: Sight[] | undefined;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i];
      if (load.clients[i] !== client) {
        client = load.clients[i] ?? "";
        sights = this.#clients.get(counterClient(client));
      }
      if (!sights || !step || step.isShadowed) continue;
      const sight = sightAt(sights, counters[i]);
      if (sight?.isDenied(step, costAt(load, i), nowMs)) return this.#deny(load, i, nowMs);
    }
    return undefined;
  }

  /** @param weighed what Redis answered; nothing is remembered of it unless it denies */
  remember(load: Load, weighed: Weighed): void {
    if (weighed.deniedBy < 0) return;
    const { plan, clients } = load;
    const atMs = weighed.at?.askedAtMs ?? this.#clock();
    plan.steps.forEach((step, i) => {
      const reading = weighed.readings[i];
      if (!reading || weighed.trouble.includes(i)) return;
      const sight = this.#sight(plan, i, step, clients[i] ?? "");
      sight.see(step, costAt(load, i), reading, atMs, this.#longestMs);
    });
  }

  /** What EARRRL has to be charged for the hits that were denied here since the last time. */
  drain(): LateCharge[] {
    const nowMs = this.#clock();
    const sights = this.#untold;
    this.#untold = [];
    return sights.flatMap((sight) => {
      const weight = sight.takeUntold(nowMs);
      if (weight === 0) return [];
      // Redis' answer is of a little later; that it is taken for one of now makes it a little less.
      const onCharged = (sum: number) => sight.correct(sum, nowMs);
      return [{ step: sight.step, client: sight.client, weight, onCharged }];
    });
  }

  /** For when limits have changed. Hits that were counted remain to be drained. */
  clear(): void {
    this.#clients.clear();
  }

  /** For when a client's counters were reset, or its limits have changed. */
  forgetClient(client: string): void {
    const name = counterClient(client);
    for (const sight of this.#clients.get(name) ?? []) sight.takeUntold(0);
    this.#clients.delete(name);
  }

  /** For when a rule has changed. */
  forgetRule(rule: string): void {
    for (const sights of this.#clients.values()) {
      for (let i = sights.length - 1; i >= 0; i--) if (sights[i]?.step.rule === rule) sights.splice(i, 1);
    }
  }

  #deny(load: Load, deniedBy: number, nowMs: number): Weighed {
    this.#count++;
    const { plan, clients } = load;
    const readings: Reading[] = [];
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i];
      if (!step) continue;
      const cost = costAt(load, i);
      const sight = this.#sight(plan, i, step, clients[i] ?? "");
      const reading = sight.read(step, cost, nowMs);
      readings.push(reading);
      if (step.algorithm === "earrrl" && cost > 0) this.#charge(sight, step, cost, reading, nowMs);
    }
    return { outcome: "weighed", deniedBy, readings, trouble: none };
  }

  #charge(sight: Sight, step: Step, cost: number, { isOver }: Reading, nowMs: number): void {
    if (!sight.hasUntold) this.#untold.push(sight);
    sight.hit(isOver ? cost * step.overageWeight : cost, nowMs);
  }

  #sight(plan: Plan, index: number, step: Step, client: string): Sight {
    const name = counterClient(client);
    const counter = this.#countersOf(plan)[index] ?? "";
    let sights = this.#clients.get(name);
    if (!sights) {
      sights = [];
      this.#clients.set(name, sights);
    }
    let sight = sightAt(sights, counter);
    if (!sight) {
      sight = new Sight(counter, name, step);
      sights.push(sight);
    }
    return sight;
  }

  #countersOf(plan: Plan): readonly string[] {
    let counters = this.#counters.get(plan);
    if (!counters) {
      counters = plan.steps.map(
        ({ algorithm, periodSeconds, rule }) => `${algorithm} ${periodSeconds} ${rule}`,
      );
      this.#counters.set(plan, counters);
    }
    return counters;
  }
}

const none: readonly number[] = Object.freeze([]);

function sightAt(sights: readonly Sight[], counter: string | undefined): Sight | undefined {
  for (let i = 0; i < sights.length; i++) if (sights[i]?.counter === counter) return sights[i];
  return undefined;
}
