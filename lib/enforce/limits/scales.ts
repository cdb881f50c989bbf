import { at } from "../../at.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { lua } from "../../redis/lua.generated.ts";
import { RedisClock } from "../../redis/redis-clock.ts";
import { isHolding, models } from "../algorithms/algorithms.ts";
import { AtMostOnce, hashedScript } from "./at-most-once.ts";
import { Batcher } from "./batcher.ts";
import { type LateCharge, LateCharges, type PassedCharge, PassedCharges } from "./late-charges.ts";
import {
  type CountedRequest,
  costAt,
  firstDenial,
  partOf,
  type Settlement,
  type Unweighed,
  type Weighed,
} from "./plan.ts";
import { counterKey, laneOf, newHold, WirePlan } from "./wire-plan.ts";

/** Where requests are counted and judged. */
export interface Scales {
  weigh(request: CountedRequest): Promise<Weighed | Unweighed>;
  /**
   * Ends the holds of a request, and charges what counts of it. What cannot be sent while Redis is silent waits, and the caller
   * does not. Lost if it fails: the holds expire.
   * @param atMicros Redis' clock when the request was weighed: its windows are charged
   */
  settle(settlement: Settlement, atMicros: number): Promise<void>;
  /**
   * Charges more than a request's costs, or gives some of them back, in the windows of the request. What is given back of a rate stays.
   * @param differences step by step
   */
  correct(request: CountedRequest, differences: readonly number[], atMicros: number): Promise<void>;
  /** The clock of these counters. */
  nowMicros(): number;
  /** The answer as it would be now; charges nothing. */
  read(request: CountedRequest): Promise<Weighed | Unweighed>;
  /** Gives the costs back. True if each step did: one that does not hold as much, or cannot give back, stays as it is. */
  refund(request: CountedRequest): Promise<boolean>;
  /** Deletes what is counted of the request's clients. False if the counters do not answer. */
  forget(request: CountedRequest): Promise<boolean>;
}

export interface RedisScales extends Scales {
  /** Charges EARRRL for hits that were denied without asking Redis. */
  charge(charges: readonly LateCharge[]): Promise<void>;
  /** Charges requests that have passed without asking Redis. */
  chargePassed(charges: readonly PassedCharge[]): Promise<void>;
  /** Redis' clock, in microseconds, at a moment of `performance.now()`. */
  momentAt(ms: number): number;
  /** Sends the script and reads the server's clock, so that the first request waits for neither. */
  prepare(): Promise<void>;
}

export interface ScalesOptions {
  /** How long an answer may take. */
  readonly withinMs?: number;
  /** How many requests go into one call at most. */
  readonly mostRequests?: number;
  /** Microseconds; for tests, instead of Redis' own clock. */
  readonly clock?: () => number;
}

/** Scales on Redis or on a cluster. The requests of one turn of the event loop that follow one plan go in one call. */
export function createScales(redis: CountersConnection, options: ScalesOptions = {}): RedisScales {
  const { isCluster } = redis;
  const settings = {
    caller: new AtMostOnce(redis),
    clock: new RedisClock(options.clock),
    withinMs: options.withinMs ?? 40,
    mostRequests: options.mostRequests ?? 128,
    isCluster,
  };
  const late = new LateCharges(settings);
  const passed = new PassedCharges(settings);
  const settlements = new Settlements(passed, isCluster);
  const settle: Scales["settle"] = (settlement, atMicros) => settlements.send(settlement, atMicros);
  const weighing = new Batcher({ ...settings, purpose: "weigh", settle });
  const reading = new Batcher({ ...settings, purpose: "read", settle });
  const refunds = new Refunds(settings);
  const corrections = new Corrections(passed, refunds, isCluster);
  const spread = new SpreadRequests(settlements, refunds);
  return {
    async weigh(request) {
      if (request.plan.steps.length === 0) return passing;
      return isCluster && isSpread(request)
        ? spread.weigh(request, (part) => weighing.take(part))
        : weighing.take(request);
    },
    async read(request) {
      if (request.plan.steps.length === 0) return passing;
      return isCluster && isSpread(request)
        ? spread.read(request, (part) => reading.take(part))
        : reading.take(request);
    },
    async refund(request) {
      const parts = isCluster ? partsOf(request) : [{ lane: 0, request }];
      const sent = parts.map((part) =>
        refunds.send(part.request, part.request.costs, { lane: part.lane, atMicros: undefined }),
      );
      return (await Promise.all(sent)).every((isWhole) => isWhole);
    },
    async forget({ plan, clients }) {
      const wirePlan = new WirePlan(plan, isCluster);
      wirePlan.turnTo(settings.clock.now());
      // One by one: on a cluster they need not lie together.
      const found = wirePlan.keysOf({ plan, clients, costs: [] }).map((key) => redis.del(key));
      return Promise.all(found).then(
        () => true,
        () => false,
      );
    },
    settle,
    correct: (request, differences, atMicros) => corrections.send(request, differences, atMicros),
    nowMicros: () => settings.clock.now(),
    charge: (charges) => late.send(charges),
    chargePassed: (charges) => passed.send(charges),
    momentAt: (ms) => settings.clock.at(ms),
    async prepare() {
      if (!isCluster) await weighing.prepare();
    },
  };
}

const passing: Weighed = { outcome: "weighed", deniedBy: -1, readings: [], trouble: [] };

/** Weighs a request whose keys all lie in one slot. */
type Weigh = (request: CountedRequest) => Promise<Weighed | Unweighed>;

/** A request's steps that lie in one slot. */
interface SlotPart {
  readonly lane: number;
  /** Their places in the request's plan. */
  readonly steps: readonly number[];
  readonly request: CountedRequest;
}

const refundWithinMs = 1_000;
const refundScript = hashedScript(lua.refund);

/** True if a request's keys lie in more than one slot: it is counted for more than one client. */
function isSpread({ clients }: CountedRequest): boolean {
  const [first = ""] = clients;
  return clients.some((client) => client !== first && laneOf(client) !== laneOf(first));
}

/**
 * Requests whose keys lie in several slots of a cluster, which no script can reach at once: each slot charges its steps if none
 * of them denies, and gets its charge back if a step in another slot does. In between, other requests may be denied, but no
 * client passes beyond a limit.
 */
class SpreadRequests {
  readonly #settlements: Settlements;
  readonly #refunds: Refunds;

  constructor(settlements: Settlements, refunds: Refunds) {
    this.#settlements = settlements;
    this.#refunds = refunds;
  }

  async read(request: CountedRequest, read: Weigh): Promise<Weighed | Unweighed> {
    const parts = partsOf(request);
    return together(request, parts, await Promise.all(parts.map((part) => read(part.request))));
  }

  async weigh(given: CountedRequest, weigh: Weigh): Promise<Weighed | Unweighed> {
    const request = given.plan.steps.some(isHolding) ? { hold: newHold(), ...given } : given;
    const parts = partsOf(request);
    const answers = await Promise.all(parts.map((part) => weigh(part.request)));
    const answer = together(request, parts, answers);
    if (answer.outcome === "unweighed" || answer.deniedBy >= 0)
      await Promise.all(parts.map((part, i) => this.#refund(part, at(answers, i))));
    return answer;
  }

  /** Takes back what this part was charged. If one of its own steps denied, that was EARRRL's charge alone, which stays. */
  async #refund({ lane, request }: SlotPart, answer: Weighed | Unweighed): Promise<void> {
    if (answer.outcome !== "weighed" || answer.deniedBy >= 0 || !answer.at) return;
    const { redisMicros } = answer.at;
    const { hold } = request;
    if (hold !== undefined) await this.#settlements.send({ ...request, hold, charged: [] }, redisMicros);
    const charged = request.plan.steps.map((step, i) =>
      isHolding(step) || answer.trouble.includes(i) || at(answer.readings, i).isOver ? 0 : costAt(request, i),
    );
    await this.#refunds.send(request, charged, { lane, atMicros: redisMicros });
  }
}

/** Takes back what requests were charged. */
class Refunds {
  readonly #caller: AtMostOnce;
  readonly #clock: RedisClock;
  readonly #isCluster: boolean;

  constructor({ caller, clock, isCluster }: { caller: AtMostOnce; clock: RedisClock; isCluster: boolean }) {
    this.#caller = caller;
    this.#clock = clock;
    this.#isCluster = isCluster;
  }

  /**
   * True if each step held its amount.
   * @param amounts what is given back, step by step; its steps lie in one slot
   * @param at the moment of the charge; undefined for the newest of that cost
   */
  async send(
    request: CountedRequest,
    amounts: readonly number[],
    { lane, atMicros }: { lane: number; atMicros: number | undefined },
  ): Promise<boolean> {
    const windowMicros = atMicros ?? this.#clock.now();
    const keys: string[] = [];
    const rows: number[] = [];
    request.plan.steps.forEach((step, i) => {
      const amount = at(amounts, i);
      const refund = models[step.algorithm].refund;
      if (amount <= 0 || !refund) return;
      keys.push(counterKey(step, at(request.clients, i), windowMicros, this.#isCluster));
      rows.push(...refund(step, amount), costAt(request, i));
    });
    if (keys.length === 0) return false;
    const words = [
      ...keys,
      JSON.stringify(rows),
      atMicros === undefined ? "" : String(Math.round(atMicros)),
      ...this.#clock.injectedWords(),
    ];
    const taken = await this.#caller.call(refundScript, lane, keys.length, words, refundWithinMs);
    return (
      !("outcome" in taken) && keys.length === request.plan.steps.length && taken.every((one) => one === 1)
    );
  }
}

/** Corrects the costs of requests that have been charged. */
class Corrections {
  readonly #passed: PassedCharges;
  readonly #refunds: Refunds;
  readonly #isCluster: boolean;

  constructor(passed: PassedCharges, refunds: Refunds, isCluster: boolean) {
    this.#passed = passed;
    this.#refunds = refunds;
    this.#isCluster = isCluster;
  }

  async send(request: CountedRequest, differences: readonly number[], atMicros: number): Promise<void> {
    const corrected = differences.flatMap((difference, i) => (difference === 0 ? [] : [i]));
    const slots = slotsOf(request, corrected, this.#isCluster).map(async ({ lane, steps }) => {
      const part = partOf(request, steps);
      const ofPart = steps.map((step) => at(differences, step));
      const more = { ...part, costs: ofPart.map((difference) => Math.max(0, difference)) };
      const less = ofPart.map((difference) => Math.max(0, -difference));
      await Promise.all([
        more.costs.some((cost) => cost > 0) && this.#charge(more, atMicros),
        this.#refunds.send(part, less, { lane, atMicros }),
      ]);
    });
    await Promise.all(slots);
  }

  #charge(request: CountedRequest, atMicros: number): Promise<unknown> {
    return new Promise((resolve) => void this.#passed.send([{ request, atMicros, resolve }]));
  }
}

/** More settlements than these do not wait for Redis: their holds expire. */
const mostUnsent = 4_096;
const tryAgainAfterMs = 100;

/** Settles requests. Those of one turn of the event loop go in few calls. */
class Settlements {
  readonly #passed: PassedCharges;
  readonly #isCluster: boolean;
  #waiting: PassedCharge[] = [];
  #unsent: PassedCharge[] = [];

  constructor(passed: PassedCharges, isCluster: boolean) {
    this.#passed = passed;
    this.#isCluster = isCluster;
  }

  async send(settlement: Settlement, atMicros: number): Promise<void> {
    const held = settlement.plan.steps.flatMap((step, i) => (isHolding(step) ? [i] : []));
    const slots = slotsOf(settlement, held, this.#isCluster);
    await Promise.all(slots.map(({ steps }) => this.#take(withSteps(settlement, steps), atMicros)));
  }

  #take(request: Settlement, atMicros: number): Promise<void> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#passed.send(this.#waiting.splice(0)));
    return new Promise((done) => {
      const settlement: PassedCharge = {
        request,
        atMicros,
        resolve: (answer) => {
          if (answer.outcome === "unweighed" && answer.isUnsent) this.#sendLater(settlement);
          done();
        },
      };
      this.#waiting.push(settlement);
    });
  }

  #sendLater(settlement: PassedCharge): void {
    if (this.#unsent.length >= mostUnsent) return;
    if (this.#unsent.length === 0)
      setTimeout(() => void this.#passed.send(this.#unsent.splice(0)), tryAgainAfterMs).unref();
    this.#unsent.push(settlement);
  }
}

function withSteps(settlement: Settlement, steps: readonly number[]): Settlement {
  const { hold, charged } = settlement;
  return { ...partOf(settlement, steps), hold, charged: steps.map((step) => charged[step] ?? 0) };
}

function partsOf(request: CountedRequest): SlotPart[] {
  const all = request.plan.steps.map((_, i) => i);
  return slotsOf(request, all, true).map((slot) => ({ ...slot, request: partOf(request, slot.steps) }));
}

/** Some steps of a request, slot by slot. */
function slotsOf(
  { clients }: CountedRequest,
  steps: readonly number[],
  isCluster: boolean,
): Omit<SlotPart, "request">[] {
  const laneAt = (step: number) => (isCluster ? laneOf(at(clients, step)) : 0);
  return [...new Set(steps.map(laneAt))].map((lane) => {
    return { lane, steps: steps.filter((step) => laneAt(step) === lane) };
  });
}

/** Step for step as the request has them. Without the answer of one part the request has none. */
function together(
  { plan }: CountedRequest,
  parts: readonly SlotPart[],
  answers: readonly (Weighed | Unweighed)[],
): Weighed | Unweighed {
  const weighed: Weighed[] = [];
  for (const answer of answers) {
    if (answer.outcome === "unweighed") return answer;
    weighed.push(answer);
  }
  const places = plan.steps.map((_, step) => {
    const part = parts.findIndex(({ steps }) => steps.includes(step));
    return { answer: at(weighed, part), place: at(parts, part).steps.indexOf(step) };
  });
  const readings = places.map(({ answer, place }) => at(answer.readings, place));
  const trouble = places.flatMap(({ answer, place }, step) => (answer.trouble.includes(place) ? [step] : []));
  const { at: moment } = at(weighed, 0);
  const deniedBy = firstDenial(plan.steps, readings);
  return { outcome: "weighed", deniedBy, readings, trouble, ...(moment && { at: moment }) };
}
