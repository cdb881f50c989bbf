import { ticksBetween } from "@/components/charts/lab-text.ts";
import { type Answer, type Simulation, simulate } from "@/lib/enforce/limits/simulation.ts";
import { type Arrival, arrivalsOf, mostArrivals, secondsOf } from "@/lib/enforce/limits/traffic.ts";
import { type Mark, marksOf } from "./marks.ts";
import type { Limiter, Run } from "./run.ts";

/** The phase with most requests a second; of several the last. */
export interface Heavy {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly perSecond: number;
}

export interface Sum {
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
export interface View {
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
