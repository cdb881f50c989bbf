import { momentText, periodText, ticksBetween } from "@/components/charts/lab-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { type Answer, type Simulation, simulate } from "@/lib/enforce/limits/simulation.ts";
import { type Arrival, arrivalsOf, mostArrivals, secondsOf } from "@/lib/enforce/limits/traffic.ts";
import type { Limiter, Run } from "./run.ts";

/** The phase with most requests a second; of several the last. */
interface Heavy {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly perSecond: number;
}

interface Sum {
  readonly atSeconds: number;
  readonly requests: number;
  readonly permitted: number;
}

/** What one limiter makes of the traffic. */
export interface Outcome {
  readonly limiter: Limiter;
  readonly simulation: Simulation;
  /** Sums as a chart shows them, at even distances. */
  readonly sums: readonly Sum[];
  readonly marks: readonly Mark[];
  readonly duringHeavy: Treatment;
}

/** How the heavy phase was taken. */
export interface Treatment {
  readonly permitted: number;
  /** Since the phase began. */
  readonly cutOffAfterSeconds: number | undefined;
  /** Since the phase ended. */
  readonly forgivenAfterSeconds: number | undefined;
}

/** What the charts show; a long silence before the first request is left out. */
interface View {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
}

export interface Comparison extends View {
  readonly a: Outcome;
  readonly b: Outcome;
  readonly heavy: Heavy;
  /** There were more requests than are simulated: this is when the last of them comes. */
  readonly cutShortAtSeconds: number | undefined;
}

export function compare({ a, b, overageWeight, phases, seed }: Run): Comparison {
  const arrivals = arrivalsOf(phases, { seed });
  const cutShortAtSeconds = arrivals.length < mostArrivals ? undefined : arrivals.at(-1)?.atSeconds;
  const untilSeconds = cutShortAtSeconds ?? secondsOf(phases);
  const heavy = heaviest(phases, untilSeconds);
  const view = { fromSeconds: viewFrom(arrivals, untilSeconds), untilSeconds };
  const outcome = (limiter: Limiter): Outcome => {
    const simulation = simulate({ ...limiter, overageWeight }, arrivals);
    return {
      limiter,
      simulation,
      sums: sumsOf(simulation.answers, view),
      marks: marksOf(limiter, simulation),
      duringHeavy: treatmentOf(simulation.answers, heavy),
    };
  };
  return { a: outcome(a), b: outcome(b), heavy, cutShortAtSeconds, ...view };
}

function heaviest(phases: Run["phases"], endSeconds: number): Heavy {
  let heavy: Heavy = { fromSeconds: 0, untilSeconds: endSeconds, perSecond: -1 };
  let fromSeconds = 0;
  for (const { seconds, perSecond } of phases) {
    const untilSeconds = Math.min(fromSeconds + seconds, endSeconds);
    if (perSecond >= heavy.perSecond && fromSeconds < endSeconds)
      heavy = { fromSeconds, untilSeconds, perSecond };
    fromSeconds += seconds;
  }
  return heavy;
}

/** A long silence at first would leave no room for what is to be seen. */
function viewFrom(arrivals: readonly Arrival[], untilSeconds: number): number {
  const first = arrivals[0]?.atSeconds ?? 0;
  return first > untilSeconds / 2 ? Math.floor(first - (untilSeconds - first) / 6) : 0;
}

const mostEdges = 2;

/** Starts of clock-aligned windows, while there are few. */
export function edgesIn({ algorithm, periodSeconds }: Limiter, view: View): number[] {
  if (algorithm !== "fixed" && algorithm !== "sliding") return [];
  const edges = ticksBetween(view.fromSeconds, view.untilSeconds, periodSeconds);
  const inside = edges.filter((edge) => edge > view.fromSeconds && edge < view.untilSeconds);
  return inside.length <= mostEdges ? inside : [];
}

const sumCount = 240;

function sumsOf(answers: readonly Answer[], { fromSeconds, untilSeconds }: View): Sum[] {
  let next = 0;
  return Array.from({ length: sumCount + 1 }, (_, i) => {
    const atSeconds = fromSeconds + ((untilSeconds - fromSeconds) * i) / sumCount;
    while ((answers[next]?.atSeconds ?? Infinity) <= atSeconds) next++;
    const last = answers[next - 1];
    return { atSeconds, requests: last?.requests ?? 0, permitted: last?.permitted ?? 0 };
  });
}

function treatmentOf(answers: readonly Answer[], { fromSeconds, untilSeconds }: Heavy): Treatment {
  const during = answers.filter(({ atSeconds }) => atSeconds >= fromSeconds && atSeconds < untilSeconds);
  const cutOff = during.find(({ isOver }) => isOver);
  const after = answers.filter(({ atSeconds }) => atSeconds >= untilSeconds);
  const firstWelcome = after.findIndex(({ isOver }) => !isOver);
  const forgiven = cutOff && after[firstWelcome];
  return {
    permitted: during.filter(({ isOver }) => !isOver).length,
    cutOffAfterSeconds: cutOff && cutOff.atSeconds - fromSeconds,
    forgivenAfterSeconds: forgiven && forgiven.atSeconds - untilSeconds,
  };
}

/** Something to be said at a point of the curve of what was permitted. */
interface Mark {
  readonly atSeconds: number;
  readonly permitted: number;
  readonly text: string;
}

/** From so many returns on, a client is not forgiven but let in a little all the time. */
const manyReturns = 8;

/** When the client is cut off and forgiven; or, if it is let in again and again, how much more gets in. */
function marksOf(limiter: Limiter, simulation: Simulation): Mark[] {
  const { answers, cutOffAtSeconds, forgivenAtSeconds } = simulation;
  const returns = answers.filter(({ isOver }, i) => !isOver && answers[i - 1]?.isOver);
  const whole = wholeReturn(limiter, answers, returns);
  if (whole) return [whole];
  const middle = returns[Math.floor(returns.length / 2)];
  if (returns.length >= manyReturns && middle)
    return [markAt(middle, `about ${perMinute(answers, returns)} a minute still get in`)];
  const marks = [
    [cutOffAtSeconds, "cut off at"],
    [forgivenAtSeconds, "forgiven at"],
  ] as const;
  return marks.flatMap(([atSeconds, words]) => {
    const answer = answers.find((each) => each.atSeconds === atSeconds);
    return answer ? [markAt(answer, `${words} ${momentText(Math.round(answer.atSeconds))}`)] : [];
  });
}

/** Where a window has the client back for a whole limit, and then for another one a period later. */
function wholeReturn(
  limiter: Limiter,
  answers: readonly Answer[],
  returns: readonly Answer[],
): Mark | undefined {
  if (isRate(limiter.algorithm)) return undefined;
  const repeated = returns.find((back, i) => {
    const next = returns[i + 1];
    if (!next) return false;
    const isPeriodLater = Math.abs(next.atSeconds - back.atSeconds - limiter.periodSeconds) < 1.5;
    return isPeriodLater && next.permitted - back.permitted === limiter.limit;
  });
  const second = repeated && returns[returns.indexOf(repeated) + 1];
  const isCutOffAgain =
    second && answers.some(({ atSeconds, isOver }) => isOver && atSeconds > second.atSeconds);
  if (!isCutOffAgain) return undefined;
  return markAt(second, `every ${everyText(limiter.periodSeconds)} ${limiter.limit} more get in`);
}

function markAt({ atSeconds, permitted }: Answer, text: string): Mark {
  return { atSeconds, permitted, text };
}

function perMinute(answers: readonly Answer[], returns: readonly Answer[]): number {
  const [first, last] = [returns[0], answers.findLast(({ isOver }) => isOver)];
  const seconds = (last?.atSeconds ?? 0) - (first?.atSeconds ?? 0);
  return Math.round((60 * ((last?.permitted ?? 0) - (first?.permitted ?? 0) + 1)) / Math.max(1, seconds));
}

function everyText(seconds: number): string {
  if (seconds === 1) return "second";
  if (seconds === 60) return "minute";
  return seconds === 3_600 ? "hour" : periodText(seconds);
}
