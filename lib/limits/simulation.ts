/**
 * The door `sluice/models`: every algorithm's model, and how it treats traffic. Nothing here reaches Redis or Node; it runs in a
 * browser as it is.
 */
import type { Model } from "./model.ts";
import { second } from "./model.ts";
import { models } from "./models.ts";
import type { Step } from "./plan.ts";
import type { Arrival } from "./traffic.ts";

export type { Found, Model } from "./model.ts";
export { models, readFound } from "./models.ts";
export { type Algorithm, algorithms, type Reading, type Step } from "./plan.ts";
export {
  type Arrival,
  arrivalsOf,
  convergence,
  mostArrivals,
  type Phase,
  type Spacing,
  secondsOf,
  traffics,
} from "./traffic.ts";

/** What is weighed. What matters only among other steps may be left out. */
export type Weighing = Pick<Step, "algorithm" | "limit" | "periodSeconds"> & Partial<Step>;

/** What became of one request. */
export interface Answer {
  readonly atSeconds: number;
  /** What was used before this request; for EARRRL the estimate per second. */
  readonly used: number;
  readonly isOver: boolean;
  /** Up to and with this one. */
  readonly requests: number;
  readonly permitted: number;
}

export interface Simulation {
  readonly answers: readonly Answer[];
  readonly requests: number;
  readonly permitted: number;
  /** The first request that is denied. */
  readonly cutOffAtSeconds: number | undefined;
  /** The first request that is permitted after the last one that is denied. */
  readonly forgivenAtSeconds: number | undefined;
}

/**
 * What one step makes of one client's requests, as it does in force. Requests come in the order of their time.
 *
 * @example
 * ```ts
 * import { arrivalsOf, simulate } from "sluice/models";
 *
 * const limiter = { algorithm: "earrrl", limit: 0.5, periodSeconds: 10 } as const;
 * const { cutOffAtSeconds, permitted } = simulate(limiter, arrivalsOf([{ seconds: 71, perSecond: 1 }]));
 * // 11 and 11: the twelfth request is the first one that is limited, and so is all that follows it.
 * ```
 */
export function simulate(weighing: Weighing, arrivals: readonly Arrival[]): Simulation {
  const step = wholeStep(weighing);
  const model: Model<unknown> = models[step.algorithm];
  let state: unknown;
  let permitted = 0;
  const answers = arrivals.map(({ atSeconds, cost = 1 }, i): Answer => {
    const now = microsAt(atSeconds);
    const { used, isOver } = model.read(model.peek(state, step, cost, now), step, cost, now);
    if (cost > 0 && (!isOver || step.algorithm === "earrrl")) state = model.charge(state, step, cost, now);
    if (!isOver) permitted++;
    return { atSeconds, used, isOver, requests: i + 1, permitted };
  });
  const lastDenied = answers.findLastIndex(({ isOver }) => isOver);
  return {
    answers,
    requests: answers.length,
    permitted,
    cutOffAtSeconds: answers.find(({ isOver }) => isOver)?.atSeconds,
    forgivenAtSeconds: lastDenied < 0 ? undefined : answers[lastDenied + 1]?.atSeconds,
  };
}

export interface Estimate {
  readonly atSeconds: number;
  readonly perSecond: number;
}

const decaySteps = 60;

/** EARRRL's estimate right before and right after each request, and as it decays from the last one until the end. */
export function estimates(
  weighing: Omit<Weighing, "algorithm">,
  arrivals: readonly Arrival[],
  untilSeconds: number,
): Estimate[] {
  const step = wholeStep({ ...weighing, algorithm: "earrrl" });
  const { peek, charge, read } = models.earrrl;
  const points: Estimate[] = [];
  let rate: ReturnType<typeof charge> | undefined;
  const look = (atSeconds: number) => {
    const now = microsAt(atSeconds);
    points.push({ atSeconds, perSecond: read(peek(rate, step, 1, now), step, 1, now).used });
  };
  for (const { atSeconds, cost = 1 } of arrivals) {
    look(atSeconds);
    rate = charge(rate, step, cost, microsAt(atSeconds));
    look(atSeconds);
  }
  const last = arrivals.at(-1)?.atSeconds ?? untilSeconds;
  const left = untilSeconds - last;
  if (left > 0) for (let i = 1; i <= decaySteps; i++) look(last + (left * i) / decaySteps);
  return points;
}

function wholeStep(weighing: Weighing): Step {
  return { rule: "", overageWeight: 1, isShadowed: false, ...weighing };
}

/** Models count in whole microseconds. */
function microsAt(atSeconds: number): number {
  return Math.round(atSeconds * second);
}
