import { at } from "../../at.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { lua } from "../../redis/lua.generated.ts";
import { RedisClock } from "../../redis/redis-clock.ts";
import { models } from "../algorithms/algorithms.ts";
import { AtMostOnce, hashedScript } from "./at-most-once.ts";
import { Batcher } from "./batcher.ts";
import { type LateCharge, LateCharges, type PassedCharge, PassedCharges } from "./late-charges.ts";
import { type CountedRequest, costAt, firstDenial, partOf, type Unweighed, type Weighed } from "./plan.ts";
import { counterKey, laneOf } from "./wire-plan.ts";

/** Where requests are counted and judged. */
export interface Scales {
  weigh(request: CountedRequest): Promise<Weighed | Unweighed>;
  /** The answer as it would be now; charges nothing. */
  read(request: CountedRequest): Promise<Weighed | Unweighed>;
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
  const weighing = new Batcher({ ...settings, purpose: "weigh" });
  const reading = new Batcher({ ...settings, purpose: "read" });
  const late = new LateCharges(settings);
  const passed = new PassedCharges(settings);
  const spread = new SpreadRequests(settings);
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
  readonly #caller: AtMostOnce;
  readonly #clock: RedisClock;

  constructor({ caller, clock }: { caller: AtMostOnce; clock: RedisClock }) {
    this.#caller = caller;
    this.#clock = clock;
  }

  async read(request: CountedRequest, read: Weigh): Promise<Weighed | Unweighed> {
    const parts = partsOf(request);
    return together(request, parts, await Promise.all(parts.map((part) => read(part.request))));
  }

  async weigh(request: CountedRequest, weigh: Weigh): Promise<Weighed | Unweighed> {
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
    const keys: string[] = [];
    const rows: number[] = [];
    request.plan.steps.forEach((step, i) => {
      const cost = costAt(request, i);
      const isCharged = cost > 0 && !answer.trouble.includes(i) && !at(answer.readings, i).isOver;
      const refund = models[step.algorithm].refund;
      if (!isCharged || !refund) return;
      keys.push(counterKey(step, at(request.clients, i), redisMicros, true));
      rows.push(...refund(step, cost));
    });
    if (keys.length === 0) return;
    const words = [...keys, JSON.stringify(rows), String(redisMicros), ...this.#clock.injectedWords()];
    await this.#caller.call(refundScript, lane, keys.length, words, refundWithinMs);
  }
}

function partsOf(request: CountedRequest): SlotPart[] {
  const lanes = request.clients.map(laneOf);
  return [...new Set(lanes)].map((lane) => {
    const steps = lanes.flatMap((other, i) => (other === lane ? [i] : []));
    return { lane, steps, request: partOf(request, steps) };
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
