import { type Estimate, estimates, simulate } from "@/lib/enforce/limits/simulation.ts";
import { arrivalsOf, convergence, type Phase } from "@/lib/enforce/limits/traffic.ts";
import type { Limiter, Run } from "./run.ts";

/** How the estimate of a user with a steady rate comes near that rate. */
interface Settling {
  readonly perSecond: number;
  /** As many as a chart shows. */
  readonly points: readonly Estimate[];
  /** At least one of its requests. */
  readonly isDenied: boolean;
}

interface Watch {
  readonly fromSeconds: number;
  /** The last request comes before this. */
  readonly toSeconds: number;
  readonly untilSeconds: number;
}

const halfLivesWatched = 5;

export function watchOf(users: Run["users"], { periodSeconds }: Limiter): Watch {
  if (users === "between") return convergence;
  const untilSeconds = halfLivesWatched * periodSeconds;
  return { fromSeconds: 0, toSeconds: untilSeconds, untilSeconds };
}

/** Three users at ten, one and a tenth of a request a second, all of whose requests count. */
export function settle(limiter: Limiter, watch: Watch): Settling[] {
  return convergence.usersPerSecond.map((perSecond) => {
    const counted = { ...limiter, overageWeight: 1 };
    const arrivals = arrivalsOf(phasesOf(watch, perSecond), { most: Number.POSITIVE_INFINITY });
    return {
      perSecond,
      points: thinned(estimates(counted, arrivals, watch.untilSeconds)),
      isDenied: simulate(counted, arrivals).cutOffAtSeconds !== undefined,
    };
  });
}

/** From a cold start at ten requests a second: from then on the estimate is within 10% of that. */
export function settledAfterSeconds(limiter: Limiter): number | undefined {
  const perSecond = 10;
  const watch = watchOf("cold", limiter);
  const arrivals = arrivalsOf(phasesOf(watch, perSecond), { most: Number.POSITIVE_INFINITY });
  const curve = estimates(limiter, arrivals, watch.untilSeconds);
  const lastFar = curve.findLastIndex((point) => Math.abs(point.perSecond / perSecond - 1) > 0.1);
  return curve[lastFar + 1]?.atSeconds;
}

function phasesOf({ fromSeconds, toSeconds }: Watch, perSecond: number): Phase[] {
  return [
    { seconds: fromSeconds, perSecond: 0 },
    { seconds: toSeconds - fromSeconds, perSecond },
  ];
}

const mostPoints = 600;

/** Of each stretch its lowest and its highest point, in their order: the teeth of a saw stay. */
export function thinned(points: readonly Estimate[]): readonly Estimate[] {
  const stretch = Math.ceil((2 * points.length) / mostPoints);
  if (stretch <= 2) return points;
  const kept: Estimate[] = [];
  for (let start = 0; start < points.length; start += stretch) {
    const part = points.slice(start, start + stretch);
    const low = part.reduce((one, other) => (isAbove(one, other) ? other : one));
    const high = part.reduce((one, other) => (isAbove(other, one) ? other : one));
    kept.push(
      ...(low === high ? [low] : [low, high].sort((one, other) => part.indexOf(one) - part.indexOf(other))),
    );
  }
  return kept;
}

/** By more than rounding: of teeth that are alike the first one is taken, so that all stretches look alike. */
function isAbove(one: Estimate, other: Estimate): boolean {
  return one.perSecond > other.perSecond * (1 + 1e-6);
}
