/**
 * The entry `sluice/models`: every algorithm's model, and how it treats traffic. It imports nothing of Redis or Node, and also
 * runs in a browser.
 */
import { chargeState, readState } from "../algorithms/algorithms.ts";
import { second } from "../algorithms/model.ts";
import type { Step } from "./plan.ts";
import type { Arrival } from "./traffic.ts";

export { type Algorithm, algorithms, models, readFound } from "../algorithms/algorithms.ts";
export type { Found, Model } from "../algorithms/model.ts";
export type { Reading, Step } from "./plan.ts";
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

/** A step alone. What matters only among other steps may be left out. */
export type Weighing = Pick<Step, "algorithm" | "limit" | "periodSeconds"> & Partial<Step>;

/** The answer to one request. */
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
 * How one step in force answers one client's requests, which are in the order of their time.
 *
 * @example
 * ```ts
 * import { arrivalsOf, simulate } from "sluice/models";
 *
 * const limiter = { algorithm: "earrrl", limit: 0.5, periodSeconds: 10 } as const;
 * const { cutOffAtSeconds, permitted } = simulate(limiter, arrivalsOf([{ seconds: 71, perSecond: 1 }]));
 * // 11 and 11: the twelfth request is the first one that is limited, and all that follow are, too.
 * ```
 */
export function simulate(weighing: Weighing, arrivals: readonly Arrival[]): Simulation {
  const step = wholeStep(weighing);
  let state: unknown;
  let permitted = 0;
  const answers = arrivals.map(({ atSeconds, cost = 1 }, i): Answer => {
    const now = microsAt(atSeconds);
    const { used, isOver } = readState(state, step, cost, now);
    state = chargeState(state, step, cost, now, isOver);
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
  const points: Estimate[] = [];
  let state: unknown;
  const look = (atSeconds: number) => {
    points.push({ atSeconds, perSecond: readState(state, step, 1, microsAt(atSeconds)).used });
  };
  for (const { atSeconds, cost = 1 } of arrivals) {
    look(atSeconds);
    state = chargeState(state, step, cost, microsAt(atSeconds), false);
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
