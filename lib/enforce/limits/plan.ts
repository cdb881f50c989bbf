import { at, madeOnce } from "../../at.ts";
import { type Algorithm, planOf, readState } from "../algorithms/algorithms.ts";
import type { Calendar } from "../algorithms/model.ts";

/** Which requests a rule counts, by how they end: by the response's status, or by what the app says. */
export type CountWhen = "failed" | { readonly status: readonly number[] };

/** How a request ended. What is left out is not known. */
export interface RequestResult {
  /** Of the response. */
  readonly status?: number | undefined;
  /** What the app says: a wrong password, a payment that was refused. */
  readonly failed?: boolean | undefined;
  /** What the request cost in the end, for rules with `"cost": "request"`: a whole number. */
  readonly cost?: number | undefined;
}

/** One level of one rule. */
export interface Step {
  readonly rule: string;
  readonly algorithm: Algorithm;
  /** Cost that fits into one period; for EARRRL a rate per second. */
  readonly limit: number;
  /** Whole seconds; for EARRRL its half-life, which may be a fraction. */
  readonly periodSeconds: number;
  /** Fixed windows alone: the windows are those of a calendar. The period is then about as long as one. */
  readonly calendar?: Calendar;
  /** EARRRL alone: what a hit weighs while its client is over the limit, 0 to 1. */
  readonly overageWeight: number;
  /** Its reading is reported, but it never denies. */
  readonly isShadowed: boolean;
  /** The share of the limit by which all nodes together may exceed it, so that few requests wait. Exact if undefined. */
  readonly slack?: number;
  /** Requests are held until they are settled, and only those that end so are charged. All are if undefined. */
  readonly countWhen?: CountWhen;
  /** The cost is what the app says, and may be corrected when the request is settled. */
  readonly isCorrectable?: boolean;
}

/** Whether a request that ended so is charged. */
export function isCounted(countWhen: CountWhen, { status, failed }: RequestResult): boolean {
  return countWhen === "failed" ? failed === true : status !== undefined && countWhen.status.includes(status);
}

/** A client's counters by this name are one, whatever plan they are in. */
export function nameOfCounter({ algorithm, periodSeconds, rule }: Step): string {
  return `${algorithm} ${periodSeconds} ${rule}`;
}

/** The steps that a request goes through, in order. Requests of one plan are weighed together, so plans are kept and shared. */
export interface Plan {
  readonly steps: readonly Step[];
  /** The first step in force that allows nothing, so that no count has to be asked. Undefined for most. */
  readonly noneAt?: number;
  /** Some step holds what a request takes until it is settled. */
  readonly isHeld?: boolean;
  /** Some step's cost may be corrected. */
  readonly isCorrectable?: boolean;
}

/** One request as its plan counts it. */
export interface CountedRequest {
  readonly plan: Plan;
  /** The client that is counted, step for step. */
  readonly clients: readonly string[];
  /** What the request costs, step for step; whole numbers. 0 charges nothing, and asks whether 1 would pass. */
  readonly costs: readonly number[];
  /** The name of what the request holds, with which it is settled. Undefined where it is not to be. */
  readonly hold?: string;
}

/** A request whose holds end. `costs` are what it held. */
export interface Settlement extends CountedRequest {
  readonly hold: string;
  /** What is charged in place of what was held, step for step. */
  readonly charged: readonly number[];
}

/** A cost that is no whole number counts as one: a batch must not fail because of one caller. */
export function costAt({ costs }: CountedRequest, step: number): number {
  const cost = costs[step];
  return cost !== undefined && Number.isSafeInteger(cost) && cost >= 0 ? cost : 1;
}

const partsOfPlans = new WeakMap<Plan, Map<string, Plan>>();

/** A request with some of its steps. The same steps of one plan are one plan again, so that they are weighed together. */
export function partOf(request: CountedRequest, steps: readonly number[]): CountedRequest {
  const { plan, clients, hold } = request;
  const known = madeOnce(partsOfPlans, plan, () => new Map());
  return {
    plan: madeOnce(known, steps.join(), () => planOf(steps.map((step) => at(plan.steps, step)))),
    clients: steps.map((step) => at(clients, step)),
    costs: steps.map((step) => costAt(request, step)),
    ...(hold !== undefined && { hold }),
  };
}

export interface Reading {
  /** What was used before this request; for EARRRL the estimate per second. */
  readonly used: number;
  /** If over: until this cost would fit. Else until the step gives something back: its window ends, its oldest hit goes,
   * its backlog is gone. */
  readonly resetMs: number;
  readonly isOver: boolean;
  /** Of `sliding` alone: what this window has counted, and the one before it. */
  readonly windows?: readonly [current: number, previous: number];
  /** What of `used` is held by requests that are not settled yet. Of steps that hold alone. */
  readonly held?: number;
}

export interface Weighed {
  readonly outcome: "weighed";
  /** Index of the first step in force that denies; -1 when the request may pass. */
  readonly deniedBy: number;
  readonly readings: readonly Reading[];
  /** Steps whose key held something that Sluice did not write: they could not be weighed, and deny nothing. */
  readonly trouble: readonly number[];
  /** No step is near its limit. Readings are made when they are read. */
  readonly isFarBelow?: boolean;
  /** Undefined for what this process weighed without asking. */
  readonly at?: Moment;
}

export interface Moment {
  /** `performance.now()` before the call. */
  readonly askedAtMs: number;
  /** Redis' clock in the call. */
  readonly redisMicros: number;
}

/** A request without an answer. It was counted once at most. */
export interface Unweighed {
  readonly outcome: "unweighed";
  /** late: no answer in time. away: no connection, or it broke. refused: the server answered with an error. */
  readonly reason: "late" | "away" | "refused";
  /** Nothing was sent, so it was not counted. */
  readonly isUnsent?: true;
  readonly message: string;
}

/** The answer where a limit of 0 denies every request: nothing is counted. Undefined where counts decide. */
export function denyAll(request: CountedRequest, nowMicros: () => number): Weighed | undefined {
  const { steps, noneAt } = request.plan;
  if (noneAt === undefined) return undefined;
  const now = nowMicros();
  const readings = steps.map((step, i) => readState(undefined, step, costAt(request, i), now));
  return { outcome: "weighed", deniedBy: noneAt, readings, trouble: [] };
}

/** The first step in force that denies decides; -1 if none does. */
export function firstDenial(steps: readonly Step[], readings: readonly Reading[]): number {
  for (let i = 0; i < steps.length; i++) if (readings[i]?.isOver && !steps[i]?.isShadowed) return i;
  return -1;
}
