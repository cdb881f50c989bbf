import { setTimeout as pause } from "node:timers/promises";
import { at, madeOnce } from "../../at.ts";
import type { ClientAddress } from "../../ip/block.ts";
import { counterClient } from "../../redis/keys.ts";
import { isRate, models, shareOf } from "../algorithms/algorithms.ts";
import { lambdaOf } from "../algorithms/earrrl.ts";
import { windowEnd } from "../algorithms/model.ts";
import { Generations } from "./generations.ts";
import type { PassedCharge } from "./late-charges.ts";
import {
  type CountedRequest,
  costAt,
  nameOfCounter,
  type Plan,
  type Reading,
  type Step,
  type Unweighed,
  type Weighed,
} from "./plan.ts";

export interface AllowancesOptions {
  /** Sends charges, and settles each once. */
  readonly send: (charges: readonly PassedCharge[]) => Promise<void>;
  /** Redis' clock, in microseconds, at a moment of `clock`. */
  readonly momentAt: (ms: number) => number;
  /** Processes that share the slack. Undefined until it is known: then every request waits. */
  readonly nodes: () => number | undefined;
  /** How much passed above a rule's limit. */
  readonly onOver?: (rule: string, amount: number) => void;
  /** A request that counts several clients waits: no call reaches all of their keys. */
  readonly isCluster?: boolean;
  readonly mostClients?: number;
  /** Milliseconds that never step back. */
  readonly clock?: () => number;
  /** 0 to 1: when this node charges what passed in a window that has ended. Not all nodes do at once. */
  readonly turn?: number;
}

/** Above this share of a limit a request waits for its count. */
const farBelow = 0.8;
/**
 * What a node knows of a client is as old as its own last request of it. Until its next one, the others pass as many requests as
 * there are nodes, on average; so many times as many leave one node in fifty behind.
 */
const turnsAhead = 4;
/** What has passed is charged after this time at most. */
const chargeAfterMs = 900;
/** What passed in a window that has ended, after this time at most: the window's counter is there for a second more. */
const chargeEndedWithinMs = 400;
/** A client whose request had to wait sends another one soon, so that what passes is charged at once. */
const busyForMs = 5_000;
/** A rate is charged before its turn from this part of a share on: the script that it needs costs more than a window's charge. */
const ratesDueFrom = 0.75;
/** So many are sent at once. */
const fullCall = 128;
/**
 * Charges without an answer. With more, requests that wait would wait for them, too. With as many clients whose count is not known
 * yet, other unknown clients wait: Redis sets the pace.
 */
const mostUnderWay = 1_024;
/** Half of them: while Redis counts one half, this process makes the other. */
const sentAtOnce = mostUnderWay / 2;
/** Then those ask for their count, like all that wait. */
const longestForRoomMs = 5;
/** When this closes and Redis is slow. */
const [mostAttempts, tryAgainAfterMs] = [10, 100];
/** After this time charges that were under way are in Redis, or lost. */
const underWayMs = 1_000;

/** Too many unknown clients are to be counted. */
const crowded = Symbol("crowded");

/** A request of an unknown client that waits for room. */
interface WaitingRequest {
  readonly request: CountedRequest;
  readonly address: ClientAddress | undefined;
  /** In ms of the process, as timers count. */
  readonly sinceMs: number;
  readonly resolve: (found: Weighed | undefined) => void;
}

/** The place of each number in a counter's part of `KnownClient.numbers`. `until` is a moment of Redis' clock in ms. */
const [used, unsent, until, size] = [0, 1, 2, 3];

/**
 * Requests that pass without asking Redis: of a client that, as far as this process knows, is far below its limits, and that has
 * used less than this node's share of the slack since Redis last told. What passed is charged afterwards.
 *
 * A client that is not known yet passes, too, within the same share. So no client gets more than the share in a window without
 * being known; and once this process has forgotten a client that was near a limit, unknown clients wait.
 *
 * Rates are charged from a client's second request on, which charges the first one, too. Most clients of a crowd send one: their
 * estimates, of a hundredth of a request a second, would be a third of what Redis has to write and to keep.
 */
export class Allowances {
  readonly #options: AllowancesOptions;
  readonly #clock: () => number;
  readonly #clients: Generations<KnownClient>;
  readonly #chargeEndedAfterMs: number;
  readonly #terms = new WeakMap<Plan, Terms>();
  #lastTerms: Terms | undefined;
  #shapes = new Shapes();
  #isOpen = false;
  #isClosing = false;
  /** Oldest first. Some have been sent before they were this old. */
  #charges: Charge[] = [];
  /** The same, of clients whose count is not known yet. */
  #ofUnknown: Charge[] = [];
  #ofRates: Charge[] = [];
  #due: Charge[] = [];
  #underWay = 0;
  #unknownUnderWay = 0;
  /** Requests of unknown clients that wait for room. */
  #waiting: WaitingRequest[] = [];
  #lateTimer: NodeJS.Timeout | undefined;
  #isAdmitting = false;
  /** By Redis' clock: then the first window of a charge that waits ends. */
  #firstEndMs = Number.POSITIVE_INFINITY;
  /** Until then a client that is near its limit may have been forgotten. */
  #askUntilMs = 0;
  /** Until then a client that was near its limit may still be. */
  #nearUntilMs = 0;

  constructor(options: AllowancesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#chargeEndedAfterMs = chargeEndedWithinMs * (options.turn ?? Math.random());
    this.#clients = new Generations(options.mostClients ?? 200_000, () => this.#distrust(this.#clock()));
  }

  /** The counters answer. */
  open(): void {
    this.#isOpen = true;
  }

  /** The counters are away: every request has to learn that. */
  shut(): void {
    this.#isOpen = false;
    this.clear();
    this.#admit();
  }

  /**
   * The answer for a request that passes, which is counted. Undefined for one that has to ask. A promise of either where Redis
   * has many unknown clients to count first.
   * @param address of the client, which remembers what was found: a look-up less for its next request
   */
  find(
    request: CountedRequest,
    nowMs = this.#clock(),
    address?: ClientAddress,
  ): Weighed | undefined | Promise<Weighed | undefined> {
    const found = this.#find(request, nowMs, address);
    if (found !== crowded) return found;
    this.#lateTimer ??= setTimeout(this.#giveUp, longestForRoomMs);
    const sinceMs = performance.now();
    return new Promise((resolve) => this.#waiting.push({ request, address, sinceMs, resolve }));
  }

  /** Once for all charges that one answer settles. */
  #admitSoon(): void {
    if (this.#isAdmitting || this.#waiting.length === 0) return;
    this.#isAdmitting = true;
    queueMicrotask(() => {
      this.#isAdmitting = false;
      this.#admit();
    });
  }

  /** Answers requests that wait, oldest first, until too many clients are unknown again. */
  #admit(): void {
    const nowMs = this.#clock();
    let admitted = 0;
    for (; admitted < this.#waiting.length; admitted++) {
      const { request, address, resolve } = at(this.#waiting, admitted);
      const found = this.#find(request, nowMs, address);
      if (found === crowded) break;
      resolve(found);
    }
    this.#waiting.splice(0, admitted);
  }

  /** Requests that have waited for their time ask Redis. One timer serves all, so it may fire a little early for some. */
  readonly #giveUp = (): void => {
    const lateMs = performance.now() + 1 - longestForRoomMs;
    const inTime = this.#waiting.findIndex(({ sinceMs }) => sinceMs > lateMs);
    const late = this.#waiting.splice(0, inTime < 0 ? this.#waiting.length : inTime);
    for (const { resolve } of late) resolve(undefined);
    const [oldest] = this.#waiting;
    this.#lateTimer = oldest && setTimeout(this.#giveUp, oldest.sinceMs - lateMs + 1);
  };

  #find(
    request: CountedRequest,
    nowMs: number,
    address: ClientAddress | undefined,
  ): Weighed | undefined | typeof crowded {
    if (!this.#isOpen) return undefined;
    const { plan } = request;
    const terms = this.#termsOf(plan);
    const { shares } = terms;
    const isOne = isOfOne(request);
    if (!shares || (this.#options.isCluster && !isOne)) return undefined;
    const first = address && isOne ? this.#clientBy(address, request) : this.#clientAt(request, 0);
    // A window ends by the clock by which it is charged: one that ended earlier here would be charged above its limit.
    const atMicros = this.#options.momentAt(nowMs);
    const redisMs = atMicros / 1_000;
    let isUnknown = false;
    for (let i = 0; i < shares.length; i++) {
      const client = isOne ? first : this.#clientAt(request, i);
      const { numbers } = client;
      const place = client.placesOf(plan)[i] ?? 0;
      if (redisMs >= (numbers[place + until] ?? 0)) {
        if (nowMs < this.#askUntilMs) return this.#wait(first, nowMs);
        if (this.#unknownUnderWay >= mostUnderWay) return crowded;
        numbers[place + used] = 0;
        numbers[place + until] = endOf(terms, i, redisMs);
        isUnknown = true;
      }
      const passed = numbers[place + unsent] ?? 0;
      const counted = (numbers[place + used] ?? 0) + passed * (terms.weights[i] ?? 0);
      if (counted >= (terms.ceilings[i] ?? 0) || passed + costAt(request, i) > (shares[i] ?? 0))
        return this.#wait(first, nowMs);
    }
    return this.#pass(request, terms, isOne, first, isUnknown, nowMs, atMicros);
  }

  #pass(
    request: CountedRequest,
    terms: Terms,
    isOne: boolean,
    first: KnownClient,
    isUnknown: boolean,
    nowMs: number,
    atMicros: number,
  ): Weighed {
    const { plan } = request;
    const { shares = none } = terms;
    const numbers = terms.blank.slice();
    const parts = isOne ? terms.parts : undefined;
    let isHalf = false;
    let isFirstHit = parts?.hasRoom ?? false;
    let isRateDue = false;
    let endsMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < shares.length; i++) {
      const client = isOne ? first : this.#clientAt(request, i);
      const known = client.numbers;
      const place = client.placesOf(plan)[i] ?? 0;
      const passed = known[place + unsent] ?? 0;
      const before = known[place + used] ?? 0;
      numbers[2 * i] = before + passed * (terms.weights[i] ?? 0);
      const ends = known[place + until] ?? 0;
      numbers[2 * i + 1] = ends - atMicros / 1_000;
      if (ends < endsMs) endsMs = ends;
      const after = passed + costAt(request, i);
      known[place + unsent] = after;
      const share = shares[i] ?? 0;
      if (parts?.isRate[i]) {
        isFirstHit &&= before === 0 && after === 1;
        isRateDue ||= after >= ratesDueFrom * share;
      } else isHalf ||= 2 * after >= share;
    }
    const windows = parts?.windows;
    const charge = this.#chargeOf(request, windows?.plan ?? plan, first, isUnknown, nowMs, endsMs);
    charge.add(request, windows?.steps, atMicros);
    // With half of the share under way, the other half is there for what comes before the answer. Most unknown clients send no more,
    // and most clients with a share of one not soon.
    if (isHalf && !isUnknown && (!terms.isTight || nowMs < first.busyUntilMs)) this.#makeDue(charge);
    if (parts && !isFirstHit) {
      const rates = this.#chargeOf(request, parts.rates.plan, first, false, nowMs, Number.POSITIVE_INFINITY);
      if (rates.atMicros === 0) rates.addOpen(atMicros);
      else rates.add(request, parts.rates.steps, atMicros);
      if (isRateDue) this.#makeDue(rates);
    }
    if (this.#ofUnknown.length >= fullCall) this.#makeDueOf(this.#ofUnknown);
    if (this.#due.length >= fullCall) this.#sendSome();
    return new FarBelow(numbers);
  }

  /** @param weighed Redis' answer to a request that waited */
  learn(request: CountedRequest, weighed: Weighed): void {
    const terms = this.#termsOf(request.plan);
    if (!weighed.at || !terms.shares) return;
    const isCharged = weighed.deniedBy < 0;
    for (let i = 0; i < request.plan.steps.length; i++) {
      const charged = isCharged ? costAt(request, i) : 0;
      this.#learnStep(this.#clientAt(request, i), terms, i, weighed, charged);
    }
  }

  /** Sends what has passed and is due, as fast as Redis answers. */
  sendDue(): void {
    if (!this.#isOpen) return;
    const nowMs = this.#clock();
    const isOld = ([oldest]: Charge[]) => oldest !== undefined && oldest.sinceMs <= nowMs - chargeAfterMs;
    const hasEnded = this.#options.momentAt(nowMs) / 1_000 >= this.#firstEndMs + this.#chargeEndedAfterMs;
    // One call for all costs Redis less than one for each moment.
    if (hasEnded || [this.#charges, this.#ofUnknown, this.#ofRates].some(isOld)) this.#makeAllDue();
    this.#sendSome();
  }

  #makeDue(charge: Charge): void {
    if (charge.isDue) return;
    charge.isDue = true;
    this.#due.push(charge);
  }

  #makeDueOf(waiting: Charge[]): void {
    for (const charge of waiting.splice(0)) this.#due.push(charge);
  }

  /** Those that come back unsent wait for the next time. */
  #sendSome(): void {
    for (let left = this.#due.length; left > 0 && this.#underWay < mostUnderWay; left -= sentAtOnce)
      void this.#send(this.#due.splice(0, sentAtOnce));
  }

  /** Charges all that has passed. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#isClosing = true;
    this.#admit();
    this.#makeAllDue();
    for (let attempt = 0; attempt < mostAttempts && this.#due.length > 0; attempt++) {
      if (attempt > 0) await pause(tryAgainAfterMs);
      const charges = this.#due.splice(0);
      const sendAll = async () => {
        while (charges.length > 0) await this.#send(charges.splice(0, sentAtOnce));
      };
      await Promise.all([sendAll(), sendAll()]);
    }
  }

  /** For when limits have changed, or counts are not known any more. What has passed is still charged. */
  clear(): void {
    this.#makeAllDue();
    if (this.#isOpen) this.#sendSome();
    this.#clients.clear();
    this.#shapes = new Shapes();
    const nowMs = this.#clock();
    this.#nearUntilMs = Math.max(this.#nearUntilMs, nowMs + underWayMs);
    this.#distrust(nowMs);
  }

  /** Sends what has passed of a request's clients, before what follows on the same connection. */
  sendOf(request: CountedRequest): void {
    for (const name of new Set(request.clients)) {
      const client = this.#clients.get(counterClient(name));
      if (client) this.#sendUnsent(client, () => true);
    }
  }

  /** What Redis said of a client is not true any more. */
  forgetClient(name: string): void {
    const client = this.#clients.get(counterClient(name));
    for (let place = 0; client && place < client.numbers.length; place += size) askFor(client, place);
  }

  #makeAllDue(): void {
    this.#firstEndMs = Number.POSITIVE_INFINITY;
    this.#makeDueOf(this.#charges);
    this.#makeDueOf(this.#ofUnknown);
    this.#makeDueOf(this.#ofRates);
  }

  #distrust(nowMs: number): void {
    this.#askUntilMs = Math.max(this.#askUntilMs, this.#nearUntilMs, nowMs);
  }

  /** The request's count is to include what passed before it. */
  #wait(client: KnownClient, nowMs: number): undefined {
    client.busyUntilMs = Math.ceil(nowMs) + busyForMs;
    this.#sendUnsent(client, (charge) => this.#isWaitedFor(charge));
  }

  #sendUnsent(client: KnownClient, isWanted: (charge: Charge) => boolean): void {
    const charges: Charge[] = [];
    for (let next = client.charge; next; next = next.previous)
      if (!next.isSent && isWanted(next)) charges.push(next);
    if (charges.length > 0) void this.#send(charges);
  }

  /** A rate that is far below its limit, with room in its share, denies nothing without its last hits. */
  #isWaitedFor({ plan, owner, endsMs }: Charge): boolean {
    if (endsMs < Number.POSITIVE_INFINITY) return true;
    const { ceilings, weights, shares = none } = this.#termsOf(plan);
    return owner.placesOf(plan).some((place, i) => {
      const passed = at(owner.numbers, place + unsent);
      const estimate = at(owner.numbers, place + used) + passed * at(weights, i);
      return estimate >= at(ceilings, i) || passed + 1 > numberAt(shares, i);
    });
  }

  /** The charge of a plan, or of a part of it, to which the request is added. */
  #chargeOf(
    request: CountedRequest,
    plan: Plan,
    first: KnownClient,
    isUnknown: boolean,
    nowMs: number,
    endsMs: number,
  ): Charge {
    const { clients } = request;
    // What passed in a window that has ended is charged to that one.
    for (let charge = isUnknown ? undefined : first.charge; charge; charge = charge.previous)
      if (!charge.isSent && charge.endsMs >= endsMs && charge.isOf(plan, clients)) return charge;
    const owners = { owner: first, others: this.#othersOf(request) };
    const charge = new Charge(plan, clients, owners, nowMs, endsMs, this.#settle);
    charge.isUnknown = isUnknown;
    charge.previous = first.charge;
    first.charge = charge;
    if (isUnknown) this.#unknownUnderWay++;
    (isUnknown ? this.#ofUnknown : endsMs === Number.POSITIVE_INFINITY ? this.#ofRates : this.#charges).push(
      charge,
    );
    if (endsMs < this.#firstEndMs) this.#firstEndMs = endsMs;
    return charge;
  }

  async #send(charges: readonly Charge[]): Promise<void> {
    const waiting = charges.filter((charge) => charge.takeToSend());
    if (waiting.length === 0) return;
    this.#underWay += waiting.length;
    await this.#options.send(waiting);
    this.#underWay -= waiting.length;
    if (this.#isOpen && this.#due.length > 0 && !waiting.some(({ isSent }) => !isSent)) this.#sendSome();
  }

  readonly #settle = (charge: Charge, answer: Weighed | Unweighed): void => {
    const { plan } = charge;
    const terms = this.#termsOf(plan);
    if (answer.outcome === "unweighed") {
      this.#askUntilMs = Math.max(this.#askUntilMs, this.#clock() + underWayMs);
      if (answer.isUnsent && (this.#isOpen || this.#isClosing)) {
        charge.isSent = false;
        this.#due.push(charge);
        return;
      }
    }
    charge.owner.forget(charge);
    if (charge.isUnknown) {
      this.#unknownUnderWay--;
      this.#admitSoon();
    }
    for (let i = 0; i < plan.steps.length; i++) {
      const cost = costAt(charge, i);
      const client = charge.others?.[i] ?? charge.owner;
      const place = at(client.placesOf(plan), i);
      client.numbers[place + unsent] = at(client.numbers, place + unsent) - cost;
      // It may have counted or not.
      if (answer.outcome === "unweighed") askFor(client, place);
      else this.#learnStep(client, terms, i, answer, cost);
    }
    if (answer.outcome === "weighed") this.#noteOver(charge, answer);
  };

  /** A request above several levels of a rule is above the rule once. */
  #noteOver(charge: Charge, { readings }: Weighed): void {
    const { steps } = charge.plan;
    let overs: Map<string, number> | undefined;
    for (let i = 0; i < steps.length; i++) {
      const { rule, algorithm, limit, isShadowed } = at(steps, i);
      const cost = costAt(charge, i);
      const over = Math.floor(Math.min(cost, at(readings, i).used + cost - limit));
      if (over <= 0 || isShadowed || isRate(algorithm)) continue;
      overs ??= new Map();
      overs.set(rule, Math.max(over, overs.get(rule) ?? 0));
    }
    if (overs) for (const [rule, over] of overs) this.#options.onOver?.(rule, over);
  }

  #learnStep(
    client: KnownClient,
    terms: Terms,
    i: number,
    { readings, trouble, at: moment }: Weighed,
    charged: number,
  ): void {
    const { numbers } = client;
    const place = at(client.placesOf(terms.plan), i);
    if (!moment || trouble.includes(i)) {
      askFor(client, place);
      return;
    }
    const reading = at(readings, i);
    numbers[place + used] = reading.used + charged * at(terms.weights, i);
    // Rounded up before: the window of a clock ends at a whole millisecond.
    numbers[place + until] = at(terms.isOpenEnded, i)
      ? Number.POSITIVE_INFINITY
      : Math.floor(moment.redisMicros / 1_000 + reading.resetMs);
    if (at(numbers, place + used) < at(terms.ceilings, i)) return;
    this.#nearUntilMs = Math.max(this.#nearUntilMs, this.#clock() + at(terms.settlesInMs, i));
  }

  #termsOf(plan: Plan): Terms {
    const nodes = this.#options.nodes();
    if (this.#lastTerms?.plan === plan && this.#lastTerms.nodes === nodes) return this.#lastTerms;
    let terms = this.#terms.get(plan);
    if (!terms || terms.nodes !== nodes) {
      terms = termsOf(plan, nodes);
      this.#terms.set(plan, terms);
    }
    this.#lastTerms = terms;
    return terms;
  }

  #othersOf(request: CountedRequest): readonly KnownClient[] | undefined {
    return isOfOne(request) ? undefined : request.clients.map((_, i) => this.#clientAt(request, i));
  }

  #clientBy(address: ClientAddress, request: CountedRequest): KnownClient {
    const { memo, memoEpoch } = address;
    if (
      memoEpoch === this.#clients.epoch &&
      memo instanceof KnownClient &&
      memo.name === request.clients[0]
    ) {
      memo.holdAll(request.plan, this.#shapes);
      return memo;
    }
    const client = this.#clientAt(request, 0);
    address.memo = client;
    address.memoEpoch = this.#clients.epoch;
    return client;
  }

  #clientAt({ clients, plan }: CountedRequest, i: number): KnownClient {
    const given = clients[i] ?? "";
    let known = this.#clients.get(given);
    const name = known ? given : counterClient(given);
    if (!known && name !== given) known = this.#clients.get(name);
    if (known) {
      known.holdAll(plan, this.#shapes);
      return known;
    }
    const client = new KnownClient(name, this.#shapes.of(plan));
    this.#clients.set(name, client);
    return client;
  }
}

const none: readonly number[] = Object.freeze([]);

/** The caller passes an index within the array: no check, for these run for every request. */
function numberAt(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0;
}

/** The answer for a request that passes without asking: small, for most requests get one. */
class FarBelow implements Weighed {
  /** Of each step what is used, and when that ends. */
  readonly #numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get outcome(): "weighed" {
    return "weighed";
  }

  get deniedBy(): number {
    return -1;
  }

  get isFarBelow(): boolean {
    return true;
  }

  get trouble(): readonly number[] {
    return none;
  }

  get readings(): readonly Reading[] {
    const readings: Reading[] = [];
    for (let i = 0; i < this.#numbers.length; i += 2) {
      const resetMs = Math.ceil(numberAt(this.#numbers, i + 1));
      readings.push({ used: numberAt(this.#numbers, i), resetMs, isOver: false });
    }
    return readings;
  }
}

function isOfOnes({ costs }: CountedRequest): boolean {
  for (let i = 0; i < costs.length; i++) if (costs[i] !== 1) return false;
  return true;
}

function isOfOne({ clients }: CountedRequest): boolean {
  for (let i = 1; i < clients.length; i++) if (clients[i] !== clients[0]) return false;
  return true;
}

/** What a plan allows a node, step by step. */
interface Terms {
  readonly plan: Plan;
  readonly nodes: number | undefined;
  /** What this node may let pass without asking. Undefined where a step is exact. */
  readonly shares: readonly number[] | undefined;
  /** The next request waits until the last one is charged. */
  readonly isTight: boolean;
  /** From here on a request waits. */
  readonly ceilings: readonly number[];
  /** What a cost of one adds to what is used: a rate is used per second. */
  readonly weights: readonly number[];
  /** What was used drains, instead of ending with a window. */
  readonly isOpenEnded: readonly boolean[];
  /** After this time nothing is left of what brought a client near its limit. */
  readonly settlesInMs: readonly number[];
  /** Rates, and the other steps. Undefined where a plan has one of both alone. */
  readonly parts: ChargedParts | undefined;
  /** For the numbers of `FarBelow`. */
  readonly blank: readonly number[];
}

function termsOf(plan: Plan, nodes: number | undefined): Terms {
  const { steps } = plan;
  const shares = nodes === undefined ? [] : steps.map((step) => shareOf(step, nodes));
  const isSlack = nodes !== undefined && shares.length > 0 && shares.every((share) => share >= 1);
  return {
    plan,
    nodes,
    shares: isSlack ? shares : undefined,
    isTight: shares.some((share) => share < 2),
    ceilings: steps.map((step) =>
      Math.min(farBelow * step.limit, step.limit - turnsAhead * (nodes ?? 1) * weightOf(step)),
    ),
    weights: steps.map(weightOf),
    isOpenEnded: steps.map(isOpenEnded),
    settlesInMs: steps.map((step) => step.periodSeconds * 1_000 * (isRate(step.algorithm) ? 10 : 2)),
    parts: isSlack ? partsOf(plan, shares) : undefined,
    blank: steps.flatMap(() => [Number.MIN_VALUE, Number.MIN_VALUE]),
  };
}

/** Rates and windows are charged apart: a rate can wait, and a window needs no script. */
interface ChargedParts {
  readonly windows: ChargedPart;
  readonly rates: ChargedPart;
  /** A share of one has no room for a first hit that is charged later. */
  readonly hasRoom: boolean;
  /** Step by step of the whole plan. */
  readonly isRate: readonly boolean[];
}

interface ChargedPart {
  readonly plan: Plan;
  /** Where its steps are in the whole plan. */
  readonly steps: readonly number[];
}

function partsOf({ steps }: Plan, shares: readonly number[]): ChargedParts | undefined {
  const partOf = (isWanted: (step: Step) => boolean): ChargedPart => {
    const kept = steps.flatMap((step, i) => (isWanted(step) ? [i] : []));
    return { plan: { steps: kept.map((i) => at(steps, i)) }, steps: kept };
  };
  const rates = partOf(({ algorithm }) => isRate(algorithm));
  const windows = partOf(({ algorithm }) => !isRate(algorithm));
  if (rates.steps.length === 0 || windows.steps.length === 0) return undefined;
  return {
    rates,
    windows,
    hasRoom: rates.steps.every((i) => at(shares, i) >= 2),
    isRate: steps.map(({ algorithm }) => isRate(algorithm)),
  };
}

/** When what is known of an unknown client ends, in ms of Redis' clock. */
function endOf({ isOpenEnded, plan }: Terms, i: number, redisMs: number): number {
  if (isOpenEnded[i]) return Number.POSITIVE_INFINITY;
  const step = at(plan.steps, i);
  const periodMs = step.periodSeconds * 1_000;
  if (models[step.algorithm].keys === "one") return redisMs + periodMs;
  return windowEnd(step, redisMs * 1_000) / 1_000;
}

function weightOf(step: Step): number {
  return isRate(step.algorithm) ? lambdaOf(step) : 1;
}

function isOpenEnded({ algorithm }: Step): boolean {
  return models[algorithm].keys === "one" && algorithm !== "first-hit";
}

/** Which counters a client's numbers are of. Clients that are counted alike share a shape, so each has its numbers alone. */
class Shape {
  readonly names: readonly string[];
  readonly #places = new WeakMap<Plan, readonly number[] | null>();
  #lastPlan: Plan | undefined;
  #lastPlaces: readonly number[] | undefined;

  /** Of a client of which nothing is known. A number that is not whole makes it an array of plain doubles, without boxes. */
  readonly blank: readonly number[];

  constructor(names: readonly string[]) {
    this.names = names;
    this.blank = names.flatMap(() => [0, 0, Number.MIN_VALUE]);
  }

  /** Where the numbers of each step begin. Undefined where a step has none. */
  placesOf(plan: Plan): readonly number[] | undefined {
    if (plan === this.#lastPlan) return this.#lastPlaces;
    const found = madeOnce(this.#places, plan, () => {
      const places = plan.steps.map((step) => size * this.names.indexOf(nameOfCounter(step)));
      return places.every((place) => place >= 0) ? places : null;
    });
    this.#lastPlan = plan;
    this.#lastPlaces = found ?? undefined;
    return this.#lastPlaces;
  }
}

class Shapes {
  readonly #all = new Map<string, Shape>();
  readonly #ofPlans = new WeakMap<Plan, Shape>();

  /** The shape with the counters of a plan alone. */
  of(plan: Plan): Shape {
    return madeOnce(this.#ofPlans, plan, () => this.with(plan, []));
  }

  /** The shape with the counters of a plan added. */
  with({ steps }: Plan, names: readonly string[]): Shape {
    const all = [...new Set([...names, ...steps.map(nameOfCounter)])];
    return madeOnce(this.#all, all.join("\n"), () => new Shape(all));
  }
}

/** What this process knows of a client. */
class KnownClient {
  readonly name: string;
  /** Three for each counter: what Redis last said was used, the cost that Redis has not confirmed, and until when that holds. */
  numbers: number[];
  /** The last of its charges without an answer, which know the ones before. */
  charge: Charge | undefined;
  /** Its requests follow one another closely until then. */
  busyUntilMs = 0;
  #shape: Shape;

  constructor(name: string, shape: Shape) {
    this.name = name;
    this.#shape = shape;
    this.numbers = shape.blank.slice();
  }

  holdAll(plan: Plan, shapes: Shapes): void {
    if (this.#shape.placesOf(plan)) return;
    this.#shape = shapes.with(plan, this.#shape.names);
    const { numbers } = this;
    this.numbers = this.#shape.blank.slice();
    for (let i = 0; i < numbers.length; i++) this.numbers[i] = numberAt(numbers, i);
  }

  forget(charge: Charge): void {
    if (this.charge === charge) this.charge = charge.previous;
    for (let next = this.charge; next; next = next.previous)
      if (next.previous === charge) next.previous = charge.previous;
  }

  /** @param plan one whose counters it holds */
  placesOf(plan: Plan): readonly number[] {
    return this.#shape.placesOf(plan) ?? none;
  }
}

/** The next request waits, until it has learned what is used. */
function askFor({ numbers }: KnownClient, place: number): void {
  numbers[place + used] = Number.POSITIVE_INFINITY;
  numbers[place + until] = Number.POSITIVE_INFINITY;
}

type Settle = (charge: Charge, answer: Weighed | Unweighed) => void;

interface Owners {
  readonly owner: KnownClient;
  /** The clients of all steps, where they are several. */
  readonly others: readonly KnownClient[] | undefined;
}

/** Requests of one client that passed under one plan, to be charged together: to all of its steps, or to some. */
class Charge implements PassedCharge, CountedRequest, Owners {
  readonly plan: Plan;
  readonly clients: readonly string[];
  /** Those of the only request, as long as there is one: most new clients send no more. */
  costs: readonly number[] = none;
  readonly owner: KnownClient;
  readonly others: readonly KnownClient[] | undefined;
  readonly sinceMs: number;
  /** When the first of its windows ends, in ms of Redis' clock. */
  readonly endsMs: number;
  atMicros = 0;
  isDue = false;
  isSent = false;
  isUnknown = false;
  previous: Charge | undefined;
  readonly #settle: Settle;
  #sums: number[] | undefined;

  constructor(
    plan: Plan,
    clients: readonly string[],
    { owner, others }: Owners,
    nowMs: number,
    endsMs: number,
    settle: Settle,
  ) {
    this.plan = plan;
    this.clients = clients;
    this.owner = owner;
    this.others = others;
    // A small integer takes no memory of its own.
    this.sinceMs = Math.ceil(nowMs);
    this.endsMs = endsMs;
    this.#settle = settle;
  }

  get request(): CountedRequest {
    return this;
  }

  /** Redis has all of its counters, as far as this process knows. */
  get isOfKnown(): boolean {
    const { numbers } = this.owner;
    const places = this.owner.placesOf(this.plan);
    return !this.others && places.every((place) => numberAt(numbers, place + used) > 0);
  }

  isOf(plan: Plan, clients: readonly string[]): boolean {
    if (plan !== this.plan) return false;
    for (let i = 0; i < clients.length; i++) if (clients[i] !== this.clients[i]) return false;
    return true;
  }

  /** @param part where its steps are in the request's plan; the same places if undefined */
  add(request: CountedRequest, part: readonly number[] | undefined, atMicros: number): void {
    const isPlain = this.costs === none && (!part || isOfOnes(request));
    if (isPlain) this.costs = request.costs;
    else {
      const sums = this.#ownSums();
      for (let i = 0; i < sums.length; i++) sums[i] = numberAt(sums, i) + costAt(request, part?.[i] ?? i);
    }
    this.atMicros = atMicros;
  }

  /** All that has passed and is in no other charge: this request, and first hits. */
  addOpen(atMicros: number): void {
    this.atMicros = atMicros;
    const { numbers } = this.owner;
    const places = this.owner.placesOf(this.plan);
    const sums = this.#ownSums();
    for (let i = 0; i < sums.length; i++) {
      const place = places[i] ?? 0;
      sums[i] = numberAt(numbers, place + unsent) - this.#underWay(place);
    }
  }

  /** The costs, to be changed. */
  #ownSums(): number[] {
    this.#sums ??= this.plan.steps.map((_, i) => (this.costs === none ? 0 : costAt(this, i)));
    this.costs = this.#sums;
    return this.#sums;
  }

  /** What the client's other charges have of a counter. */
  #underWay(place: number): number {
    let sum = 0;
    for (let other = this.owner.charge; other; other = other.previous) {
      if (other === this) continue;
      const places = this.owner.placesOf(other.plan);
      for (let i = 0; i < places.length; i++) if (places[i] === place) sum += numberAt(other.costs, i);
    }
    return sum;
  }

  /** False if it is sent already. */
  takeToSend(): boolean {
    if (this.isSent) return false;
    this.isSent = true;
    return true;
  }

  resolve(answer: Weighed | Unweighed): void {
    this.#settle(this, answer);
  }
}
