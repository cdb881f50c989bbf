import { momentText, periodText } from "@/components/charts/lab-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Answer, Simulation } from "@/lib/enforce/limits/simulation.ts";
import type { Limiter } from "./run.ts";

/** Something to be said at a point of the curve of what was permitted. */
export interface Mark {
  readonly atSeconds: number;
  readonly permitted: number;
  readonly text: string;
}

/** From so many returns on, a client is not forgiven but let in a little all the time. */
const manyReturns = 8;

/** When the client is cut off and forgiven; or, if it is let in again and again, how much more gets in. */
export function marksOf(limiter: Limiter, simulation: Simulation): Mark[] {
  const { answers, cutOffAtSeconds, forgivenAtSeconds } = simulation;
  const returns = answers.filter(({ isOver }, i) => !isOver && answers[i - 1]?.isOver);
  const anew = wholeReturn(limiter, answers, returns);
  if (anew) return [anew];
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
