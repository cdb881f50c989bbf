import { at, madeOnce } from "../../at.ts";
import { lua } from "../../redis/lua.generated.ts";
import type { RedisClock } from "../../redis/redis-clock.ts";
import { second, windowEnd } from "../algorithms/model.ts";
import { type Addition, type AtMostOnce, hashedScript, unsent } from "./at-most-once.ts";
import { weighScript } from "./batcher.ts";
import { costAt, type Plan, type Step } from "./plan.ts";
import { Batch, counterKey, laneOf, type PendingRequest, WirePlan } from "./wire-plan.ts";

/** The weight, decayed to now, of a client's hits that were denied without asking Redis. */
export interface LateCharge {
  /** A step of EARRRL. */
  readonly step: Step;
  readonly client: string;
  readonly weight: number;
  /** Called with N as it is in Redis now. */
  readonly onCharged?: (sum: number) => void;
}

const mostCharges = 128;
/** Up to so many charges, plain commands cost Redis less than a script. A call that is full comes of a node under load: there they would
 * cost the node too much. */
const fewCharges = mostCharges - 1;
const withinMs = 1_000;

const script = hashedScript(lua.lateCharges);

/** Sends one call for up to 128 clients, however many hits each had. A charge that fails is lost: a hit counts once at most. */
export class LateCharges {
  readonly #caller: AtMostOnce;
  readonly #clock: RedisClock;
  readonly #isCluster: boolean;

  constructor(options: { caller: AtMostOnce; clock: RedisClock; isCluster: boolean }) {
    this.#caller = options.caller;
    this.#clock = options.clock;
    this.#isCluster = options.isCluster;
  }

  async send(charges: readonly LateCharge[]): Promise<void> {
    const lanes = new Map<number, LateCharge[]>();
    for (const charge of charges) {
      const lane = this.#isCluster ? laneOf(charge.client) : 0;
      const others = lanes.get(lane);
      if (others) others.push(charge);
      else lanes.set(lane, [charge]);
    }
    const calls: Promise<void>[] = [];
    for (const [lane, inLane] of lanes) {
      for (let from = 0; from < inLane.length; from += mostCharges)
        calls.push(this.#call(lane, inLane.slice(from, from + mostCharges)));
    }
    await Promise.all(calls);
  }

  async #call(lane: number, charges: readonly LateCharge[]): Promise<void> {
    const words = charges.map(({ step, client }) => counterKey(step, client, 0, this.#isCluster));
    const rows = charges.flatMap(({ step, weight }) => [step.periodSeconds, step.limit, weight]);
    words.push(JSON.stringify(rows), ...this.#clock.injectedWords());
    const sums = await this.#caller.call(script, lane, charges.length, words, withinMs);
    if ("outcome" in sums) return;
    charges.forEach(({ onCharged }, i) => {
      const sum = sums[i + 1];
      if (sum !== undefined && !Number.isNaN(sum)) onCharged?.(sum);
    });
  }
}

/** Requests of one client that have passed without asking Redis, as one request with their costs together. */
export interface PassedCharge extends PendingRequest {
  /** Redis has all of its counters, as far as this process knows. */
  readonly isOfKnown?: boolean;
  /** Redis' clock at the last one of them. */
  readonly atMicros: number;
}

interface PassedChargesOptions {
  readonly caller: AtMostOnce;
  readonly clock: RedisClock;
  readonly mostRequests: number;
  readonly isCluster: boolean;
}

/** Charges that go into one call: they follow one plan and fall into the same windows. */
interface Group {
  readonly plan: WirePlan;
  readonly lane: number;
  readonly charges: PassedCharge[];
  lastMicros: number;
}

/** Sends charges in few calls. One that was sent and fails is lost: a request counts once at most. */
export class PassedCharges {
  readonly #options: PassedChargesOptions;
  readonly #plans = new WeakMap<Plan, WirePlan>();

  constructor(options: PassedChargesOptions) {
    this.#options = options;
  }

  /** @param charges oldest first, each settled once */
  async send(charges: readonly PassedCharge[]): Promise<void> {
    const calls: Promise<void>[] = [];
    const groups = new Map<WirePlan, Map<number, Group>>();
    let last: { readonly of: Plan; readonly group: Group } | undefined;
    for (const charge of charges) {
      const { plan } = charge.request;
      const isSame = last?.of === plan && !this.#options.isCluster;
      const group: Group = last && isSame ? last.group : this.#groupOf(groups, charge);
      if (!isSame) last = { of: plan, group };
      const isFull = group.charges.length >= Math.min(this.#options.mostRequests, group.plan.mostRequests);
      // Groups of several slots share the windows of a plan.
      group.plan.turnTo(group.charges.length > 0 ? group.lastMicros : charge.atMicros);
      if (isFull || !group.plan.holds(charge.atMicros)) {
        calls.push(this.#call(group));
        group.charges.length = 0;
      }
      group.charges.push(charge);
      group.lastMicros = charge.atMicros;
    }
    for (const lanes of groups.values()) for (const group of lanes.values()) calls.push(this.#call(group));
    await Promise.all(calls);
  }

  #groupOf(groups: Map<WirePlan, Map<number, Group>>, { request }: PassedCharge): Group {
    const { plan, clients } = request;
    const { isCluster } = this.#options;
    const wirePlan = madeOnce(this.#plans, plan, () => new WirePlan(plan, isCluster));
    const lane = isCluster ? laneOf(clients[0] ?? "") : 0;
    const lanes = madeOnce(groups, wirePlan, () => new Map<number, Group>());
    return madeOnce(lanes, lane, () => ({ plan: wirePlan, lane, charges: [], lastMicros: 0 }));
  }

  async #call({ plan, lane, charges, lastMicros }: Group): Promise<void> {
    const { caller } = this.#options;
    if (caller.isSilent(lane)) {
      for (const charge of charges) charge.resolve(unsent);
      return;
    }
    const batch = new Batch(plan, [...charges]);
    const askedAtMs = performance.now();
    const moment = { askedAtMs, redisMicros: lastMicros };
    if (charges.length <= fewCharges && arePlain(plan, charges) && !this.#options.isCluster) {
      const held = await caller.add(additionsOf(plan, charges, lastMicros), withinMs);
      if ("outcome" in held) batch.fail(held);
      else batch.settle(asReplied(held, plan.steps.length), moment);
      return;
    }
    const words = batch.words(lastMicros, { purpose: "charge", clockMicros: Math.round(lastMicros) });
    const found = await caller.call(weighScript, lane, batch.keyCount, words, withinMs);
    if ("outcome" in found) batch.fail(found);
    else batch.settle(found, moment);
  }
}

/** Whether each counter is a number that Redis adds to without a script. */
function arePlain({ steps }: WirePlan, charges: readonly PassedCharge[]): boolean {
  return (
    steps.every(({ algorithm, countWhen }) => algorithm === "fixed" && !countWhen) &&
    charges.every(({ request }) => steps.every((_, i) => costAt(request, i) > 0))
  );
}

/** @returns charge by charge, step by step */
function additionsOf(plan: WirePlan, charges: readonly PassedCharge[], atMicros: number): Addition[] {
  plan.turnTo(atMicros);
  // A second more, as the script has it.
  const lives = plan.steps.map((step) => Math.ceil((windowEnd(step, atMicros) - atMicros + second) / 1_000));
  return charges.flatMap(({ request, isOfKnown }) =>
    plan.keysOf(request).map((key, i) => ({
      key,
      by: costAt(request, i),
      lifeMs: at(lives, i),
      isNew: isOfKnown !== true,
    })),
  );
}

/** In the order of the script's reply: a clock, which is not read, then step by step, charge by charge. */
function asReplied(held: Float64Array, steps: number): Float64Array {
  const count = held.length / steps;
  const found = new Float64Array(1 + held.length);
  for (let i = 0; i < held.length; i++)
    found[1 + (i % steps) * count + Math.floor(i / steps)] = held[i] ?? Number.NaN;
  return found;
}
