/** One request, seconds after the clock's beginning: windows begin at 0, too. */
export interface Arrival {
  readonly atSeconds: number;
  /** 1 when left out; 0 asks and charges nothing. */
  readonly cost?: number;
}

/** A number of requests a second for a time; 0 is a pause. */
export interface Phase {
  readonly seconds: number;
  readonly perSecond: number;
}

export interface Spacing {
  /** Gaps are random (Poisson), and always the same ones for a seed. Without it requests are evenly spaced. */
  readonly seed?: number | undefined;
  /** No more requests than this. */
  readonly most?: number;
}

export const mostArrivals = 20_000;

/** Rounding must not push a request over the end of its phase, or a second one to its beginning. */
const tiny = 1e-9;

/**
 * The requests of phases that follow each other. What is left of a request at the end of a phase goes on in the next, so
 * short phases neither add nor lose any.
 *
 * @example arrivalsOf([{ seconds: 60, perSecond: 0.3 }, { seconds: 240, perSecond: 2 }]).length; // 18 + 480
 */
export function arrivalsOf(phases: readonly Phase[], { seed, most = mostArrivals }: Spacing = {}): Arrival[] {
  const gap = seed === undefined ? () => 1 : exponentialGaps(seed);
  const arrivals: Arrival[] = [];
  let startSeconds = 0;
  // Until the next request, counted in requests.
  let left = seed === undefined ? 0 : gap();
  for (const { seconds, perSecond } of phases) {
    let due = left;
    while (due < seconds * perSecond - tiny && arrivals.length < most) {
      arrivals.push({ atSeconds: startSeconds + due / perSecond });
      due += gap();
    }
    left = Math.max(0, due - seconds * perSecond);
    startSeconds += seconds;
  }
  return arrivals;
}

export function secondsOf(phases: readonly Phase[]): number {
  return phases.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Gaps of one on average. */
function exponentialGaps(seed: number): () => number {
  const random = mulberry32(seed);
  return () => -Math.log(1 - random());
}

/** Numbers from 0 to 1, the same for a seed everywhere (mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Traffic that shows how ways of counting differ. */
export const traffics = {
  /** Quiet, four minutes of too much, quiet again. */
  burst: [
    { seconds: 60, perSecond: 0.3 },
    { seconds: 240, perSecond: 2 },
    { seconds: 300, perSecond: 0.2 },
  ],
  /** A little over half a request a second, and it stays so. */
  steady: [{ seconds: 600, perSecond: 0.6 }],
  /** A client that tries again at once when something fails, twice; then it behaves. */
  retryStorm: [
    { seconds: 90, perSecond: 0.3 },
    { seconds: 20, perSecond: 10 },
    { seconds: 130, perSecond: 0.3 },
    { seconds: 20, perSecond: 10 },
    { seconds: 280, perSecond: 0.3 },
  ],
  /** Ten requests within two seconds, half of them before a minute ends. */
  boundaryBurst: [
    { seconds: 59, perSecond: 0 },
    { seconds: 2, perSecond: 5 },
    { seconds: 3, perSecond: 0 },
  ],
  /** One a second where 0.6 are allowed, 67% too many; from the 150th second on exactly what is allowed. */
  reformedUser: [
    { seconds: 150, perSecond: 1 },
    { seconds: 150, perSecond: 0.6 },
  ],
} as const satisfies Record<string, readonly Phase[]>;

/** Three users who begin at once and stop at once, and how long they are watched. */
export const convergence = {
  usersPerSecond: [10, 1, 0.1],
  fromSeconds: 50,
  toSeconds: 200,
  untilSeconds: 250,
} as const;
