import type { Plan, Reading, Step } from "../limits/plan.ts";
import { earrrl, lambdaOf } from "./earrrl.ts";
import { type Found, judgedCost, type Model, millis, periodOf } from "./model.ts";
import { concurrent, firstHit, fixed, gcra, type Hold, rolling, sliding } from "./windows.ts";

/** An algorithm's model, and what the wire plan, the policy and the pages take from the table. */
interface AlgorithmEntry extends Model<unknown> {
  /** Its number in lua/weigh.lua. */
  readonly number: number;
  /** How many numbers a peek finds. */
  readonly finds: 1 | 2;
  /** `window`: rack-attack's key of the window of the clock. `two-windows`: this window's key and that of the one before. */
  readonly keys: "one" | "window" | "two-windows";
  /** Levels are a rate and a half-life instead of a limit and a period, and denied requests are charged, too. */
  readonly isRate: boolean;
  /** It keeps each hit with its time, so that hits cannot be charged together: slack does not fit. */
  readonly keepsHits: boolean;
  /** The first number of a peek is what was used, so that a counter may have holds: `countWhen` fits. */
  readonly findsUsed: boolean;
  /** In sentences. */
  readonly words: string;
  readonly title: string;
  /** What lua/refund.lua takes back of a charge. Undefined if a charge is final. */
  readonly refund: ((step: Step, cost: number) => Refund) | undefined;
}

/**
 * How the key holds what was used (as lua/refund.lua numbers it), the amount, how much of it drains in a microsecond, and how long a window
 * from the first hit lasts.
 */
type Refund = readonly [held: 1 | 2 | 3 | 4, amount: number, drainsPerMicro: number, lastsMicros: number];

/** The one table of algorithms, in the order in which people choose. Only tests, lua/weigh.lua and documents name more of one. */
export const models = {
  fixed: {
    ...fixed,
    number: 1,
    finds: 1,
    keys: "window",
    isRate: false,
    keepsHits: false,
    findsUsed: true,
    words: "a fixed window",
    title: "Fixed window",
    refund: (_, cost) => [1, cost, 0, 0],
  },
  "first-hit": {
    ...firstHit,
    number: 3,
    finds: 2,
    keys: "one",
    isRate: false,
    keepsHits: false,
    findsUsed: true,
    words: "a window from the first hit",
    title: "First-hit window",
    refund: (step, cost) => [2, cost, 0, periodOf(step)],
  },
  "rolling-list": {
    ...rolling,
    number: 6,
    finds: 2,
    keys: "one",
    isRate: false,
    keepsHits: true,
    findsUsed: true,
    words: "a rolling list",
    title: "Rolling list",
    refund: (_, cost) => [3, cost, 0, 0],
  },
  "rolling-set": {
    ...rolling,
    number: 7,
    finds: 2,
    keys: "one",
    isRate: false,
    keepsHits: true,
    findsUsed: true,
    words: "a rolling set",
    title: "Rolling set",
    refund: (_, cost) => [4, cost, 0, 0],
  },
  sliding: {
    ...sliding,
    number: 2,
    finds: 2,
    keys: "two-windows",
    isRate: false,
    keepsHits: false,
    findsUsed: false,
    words: "a sliding estimate",
    title: "Sliding estimate",
    refund: (_, cost) => [1, cost, 0, 0],
  },
  gcra: {
    ...gcra,
    number: 4,
    finds: 1,
    keys: "one",
    isRate: false,
    keepsHits: false,
    findsUsed: false,
    words: "GCRA",
    title: "GCRA",
    refund: (step, cost) => [2, cost * periodOf(step), step.limit, 0],
  },
  earrrl: {
    ...earrrl,
    number: 5,
    finds: 1,
    keys: "one",
    isRate: true,
    keepsHits: false,
    findsUsed: false,
    words: "EARRRL",
    title: "EARRRL",
    refund: undefined,
  },
  concurrent: {
    ...concurrent,
    number: 8,
    finds: 2,
    keys: "one",
    isRate: false,
    keepsHits: true,
    findsUsed: false,
    words: "requests at once",
    title: "Requests at once",
    refund: undefined,
  },
} as const satisfies Record<string, AlgorithmEntry>;

export type Algorithm = keyof typeof models;
/** An algorithm whose levels are a rate and a half-life. */
export type RateAlgorithm = {
  [A in Algorithm]: (typeof models)[A]["isRate"] extends true ? A : never;
}[Algorithm];
/** An algorithm whose levels are a limit and a period. */
export type WindowAlgorithm = Exclude<Algorithm, RateAlgorithm>;

export const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(models, name);

/** Every way of counting that a rule may choose. */
export const algorithms: readonly Algorithm[] = Object.keys(models).filter(isAlgorithm);
export const rateAlgorithms = algorithms.filter((name): name is RateAlgorithm => models[name].isRate);
export const windowAlgorithms = algorithms.filter((name): name is WindowAlgorithm => !models[name].isRate);

/** False for a name that is no algorithm. */
export const isRate = (name: string): name is RateAlgorithm => isAlgorithm(name) && models[name].isRate;

/** What a peek's numbers mean, whichever algorithm found them. */
export function readFound(found: Found, step: Step, cost: number, nowMicros: number): Reading {
  return models[step.algorithm].read(found, step, cost, nowMicros);
}

/** The same of a counter with holds: what is held counts as used. */
export function readHeld(found: Found, holds: Found, step: Step, cost: number, nowMicros: number): Reading {
  const counted = readFound(found, step, cost, nowMicros);
  const [held, endsAt] = holds;
  const used = counted.used + held;
  if (counted.isOver || used + judgedCost(cost) <= step.limit) return { ...counted, used, held };
  return { used, held, resetMs: millis(endsAt - nowMicros), isOver: true };
}

/** Denied by what is under way alone: a request that is settled may end that at any moment. */
export function isDeniedByHolds({ limit }: Step, { used, held, isOver }: Reading, cost: number): boolean {
  return isOver && held !== undefined && used - held + judgedCost(cost) <= limit;
}

/** How long a request of a rule with `countWhen` is reserved at most. */
export const reservedSeconds = 60;

/** The step of the holds of a counter. */
export function reserving({ countWhen: _, ...step }: Step): Step {
  return { ...step, algorithm: "concurrent", periodSeconds: reservedSeconds };
}

/** Whether the step holds what a request takes until it is settled. */
export const isHolding = ({ algorithm, countWhen }: Step): boolean =>
  algorithm === "concurrent" || countWhen !== undefined;

/** The share of a limit that is used; above 1 for what a limit of 0 does not allow. */
export const shareUsed = (used: number, limit: number): number => (limit > 0 ? used / limit : 1 + used);

/** @param steps in the order in which they are weighed */
export function planOf(steps: readonly Step[]): Plan {
  const noneAt = steps.findIndex(({ limit, isShadowed }) => limit === 0 && !isShadowed);
  // A rate counts also what is denied.
  const areAllCounted = steps.every(({ algorithm, limit }) => !isRate(algorithm) || limit === 0);
  return {
    steps,
    ...(noneAt >= 0 && areAllCounted && { noneAt }),
    isHeld: steps.some(isHolding),
    isCorrectable: steps.some(({ isCorrectable }) => isCorrectable === true),
  };
}

/** What one counter of this process makes of a request; charges nothing. @param state of the step's own algorithm */
export function readState(state: unknown, step: Step, cost: number, nowMicros: number): Reading {
  const model: Model<unknown> = models[step.algorithm];
  return model.read(model.peek(state, step, cost, nowMicros), step, cost, nowMicros);
}

/** The same of a counter with holds. */
export function readStates(
  state: unknown,
  holds: readonly Hold[] | undefined,
  step: Step,
  cost: number,
  nowMicros: number,
): Reading {
  const model: Model<unknown> = models[step.algorithm];
  const found = model.peek(state, step, 0, nowMicros);
  return readHeld(found, concurrent.peek(holds, reserving(step), 0, nowMicros), step, cost, nowMicros);
}

/** The counter's state after the request: a denied one is charged by rates alone. */
export function chargeState(state: unknown, step: Step, cost: number, nowMicros: number, isDenied: boolean) {
  const model: Model<unknown> = models[step.algorithm];
  const isCharged = cost > 0 && (models[step.algorithm].isRate ? step.limit > 0 : !isDenied);
  return isCharged ? model.charge(state, step, cost, nowMicros) : state;
}

/** The counter's state without the newest charge of that cost. Undefined if it does not hold as much, or a charge is final. */
export function unchargeState(state: unknown, step: Step, cost: number, nowMicros: number): unknown {
  const model: Model<unknown> = models[step.algorithm];
  return state === undefined ? undefined : model.uncharge?.(state, step, cost, nowMicros);
}

/** The counter's state once a charge was corrected. What is given back of a rate stays, and what is no longer there. */
export function correctState(state: unknown, step: Step, difference: number, atMicros: number): unknown {
  const { isRate: isFinal } = models[step.algorithm];
  if (difference === 0 || (difference < 0 && (isFinal || state === undefined))) return state;
  const model: Model<unknown> = models[step.algorithm];
  if (difference > 0) return model.charge(state, step, difference, atMicros);
  const lower = model.lower ?? model.uncharge;
  return lower?.(state, step, -difference, atMicros) ?? state;
}

/** A limit of fewer requests for each node is exact. */
const leastPerNode = 10;

/** What each node may let pass of a step without asking, in units of its cost. Below 1, the step is exact. */
export function shareOf(step: Step, nodes: number): number {
  const { slack = 0, algorithm, limit } = step;
  const fits = isRate(algorithm) ? limit / lambdaOf(step) : limit;
  return fits < leastPerNode * nodes ? 0 : Math.floor((slack * fits) / nodes);
}
