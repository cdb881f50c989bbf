import { at } from "../../at.ts";
import { lua } from "../../redis/lua.generated.ts";
import type { RedisClock } from "../../redis/redis-clock.ts";
import { type AtMostOnce, hashedScript } from "./at-most-once.ts";
import type { CountedRequest, Moment, Plan, Settlement, Unweighed, Weighed } from "./plan.ts";
import { Batch, laneOf, type PendingRequest, type Purpose, WirePlan } from "./wire-plan.ts";

export interface BatcherOptions {
  readonly caller: AtMostOnce;
  readonly clock: RedisClock;
  readonly withinMs: number;
  /** How many requests go into one call at most. */
  readonly mostRequests: number;
  readonly purpose: Purpose;
  /** The keys lie on a cluster: one call a slot. */
  readonly isCluster: boolean;
  /** Ends the holds of a request whose answer came too late: the request is decided without them. */
  readonly settle: (settlement: Settlement, atMicros: number) => unknown;
}

/** Requests that go into one call, or into few. */
interface Queue {
  readonly plan: WirePlan;
  readonly lane: number;
  readonly pending: PendingRequest[];
}

interface WeighReply {
  /** Step by step, number by number, request by request, after the clock. */
  readonly found: Float64Array;
  readonly moment: Moment;
}

/** Fewer requests than these are not worth a call of their own while more may come. */
const fewest = 16;
const smallestHalf = 32;

export const weighScript = hashedScript(lua.weigh);

/** One fixed window that is over: the script replies its clock and does nothing. */
const planOfThePast = "[1,1,1,1,1,-1]";
const prepareWithinMs = 1_000;

/** Collects the requests of one turn of the event loop, and sends those of one plan (and slot) together. */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #plans = new WeakMap<Plan, WirePlan>();
  #queues = new Map<WirePlan, Map<number, Queue>>();
  #callsUnderWay = 0;
  #takenThisTurn = 0;
  /** How many requests came in a turn at most, lately. */
  #busiestTurn = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  async prepare(): Promise<void> {
    const { caller, clock } = this.#options;
    const askedAtMs = performance.now();
    const found = await caller.call(weighScript, 0, 0, [planOfThePast], prepareWithinMs);
    if (!("outcome" in found)) clock.heard(found[0] ?? 0, askedAtMs, performance.now());
  }

  /** @param request one whose keys lie in one slot, if they lie on a cluster */
  take(request: CountedRequest): Promise<Weighed | Unweighed> {
    const queue = this.#queueFor(request);
    this.#takenThisTurn++;
    const answer = new Promise<Weighed | Unweighed>((resolve) => {
      queue.pending.push({ request, resolve });
    });
    if (this.#callsUnderWay === 0 && queue.pending.length >= this.#early) this.#sendNow(queue);
    return answer;
  }

  /**
   * While no call is under way, half of a turn's requests do not wait for its end: Redis works on them while this process
   * takes the others in, and from then on the two take turns.
   */
  get #early(): number {
    return Math.max(fewest, this.#busiestTurn / 2);
  }

  #sendNow(queue: Queue): void {
    this.#queues.get(queue.plan)?.delete(queue.lane);
    this.#divide(queue);
  }

  #queueFor({ plan, clients }: CountedRequest): Queue {
    const wirePlan = this.#wirePlanOf(plan);
    const lane = this.#options.isCluster ? laneOf(at(clients, 0)) : 0;
    if (this.#queues.size === 0) setImmediate(() => this.#flush());
    let lanes = this.#queues.get(wirePlan);
    if (!lanes) {
      lanes = new Map();
      this.#queues.set(wirePlan, lanes);
    }
    let queue = lanes.get(lane);
    if (!queue) {
      queue = { plan: wirePlan, lane, pending: [] };
      lanes.set(lane, queue);
    }
    return queue;
  }

  #wirePlanOf(plan: Plan): WirePlan {
    let wirePlan = this.#plans.get(plan);
    if (!wirePlan) {
      wirePlan = new WirePlan(plan, this.#options.isCluster);
      this.#plans.set(plan, wirePlan);
    }
    return wirePlan;
  }

  #flush(): void {
    const queues = this.#queues;
    this.#queues = new Map();
    this.#busiestTurn = Math.max(this.#takenThisTurn, 0.9 * this.#busiestTurn);
    this.#takenThisTurn = 0;
    for (const lanes of queues.values()) for (const queue of lanes.values()) this.#divide(queue);
  }

  /** Into halves at least, so that the answers to one are read while Redis works on the other. */
  #divide({ plan, lane, pending }: Queue): void {
    const half = Math.max(smallestHalf, Math.ceil(pending.length / 2));
    const size = Math.min(this.#options.mostRequests, plan.mostRequests, half);
    for (let from = 0; from < pending.length; from += size)
      void this.#send(new Batch(plan, pending.slice(from, from + size)), lane);
  }

  async #send(batch: Batch, lane: number): Promise<void> {
    this.#callsUnderWay++;
    const reply = await this.#call(batch, lane);
    this.#callsUnderWay--;
    if ("outcome" in reply) batch.fail(reply);
    else batch.settle(reply.found, reply.moment);
  }

  /** Calls again if a window was wrong: at a boundary Redis' clock may be a little further than it seemed. */
  async #call(batch: Batch, lane: number): Promise<WeighReply | Unweighed> {
    const { caller, clock, withinMs, purpose } = this.#options;
    for (const until = performance.now() + withinMs; ; ) {
      const askedAtMs = performance.now();
      const words = batch.words(clock.now(), { purpose, clockMicros: clock.injected() });
      const found = await caller.call(weighScript, lane, batch.keyCount, words, until - askedAtMs);
      if ("outcome" in found) {
        if (found.later && purpose === "weigh") void this.#releaseOnce(found.later, batch);
        return found;
      }
      const redisMicros = found[0] ?? 0;
      clock.heard(redisMicros, askedAtMs, performance.now());
      if (found.length > 1) return { found, moment: { askedAtMs, redisMicros } };
    }
  }

  async #releaseOnce(later: Promise<Float64Array | Unweighed>, batch: Batch): Promise<void> {
    const found = await later;
    if ("outcome" in found || found.length === 1) return;
    for (const settlement of batch.releases()) this.#options.settle(settlement, found[0] ?? 0);
  }
}
