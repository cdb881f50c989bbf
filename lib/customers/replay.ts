import type { Model } from "../limits/model.ts";
import { models } from "../limits/models.ts";
import type { Step } from "../limits/plan.ts";

/** How many requests came in a minute of the clock, in minutes since the epoch. */
export interface MinuteCount {
  readonly minute: number;
  readonly requests: number;
}

/** One level, and what each request costs there. */
export interface CostedStep extends Step {
  readonly cost: number;
}

/** What a level would have made of the requests. */
export interface ReplayedLevel {
  readonly step: CostedStep;
  /** The most that came within one window of the clock, denied or not. */
  readonly peak: number;
  /** What it would have denied; in shadow, what it would have denied of those that passed. */
  readonly denied: number;
  /** In how many windows it did so. */
  readonly windows: number;
}

export interface Replay {
  readonly requests: number;
  readonly denied: number;
  /** In how many windows of levels in force something was denied. */
  readonly windows: number;
  /** What passes, and a level in shadow would have denied. */
  readonly shadowed: number;
  /** What was denied of each minute, in the order they were given. */
  readonly deniedOf: readonly number[];
  readonly shadowedOf: readonly number[];
  readonly levels: readonly ReplayedLevel[];
}

const minuteSeconds = 60;
const second = 1_000_000;
const minuteMicros = minuteSeconds * second;

/**
 * What these levels would have made of requests of which the minute is known. Where a minute may lie across windows, or a window
 * is not bound to the clock, a minute's requests are taken to have come evenly.
 *
 * EARRRL cannot be replayed so: it weighs each request by its own moment, and is to be left out by the caller.
 *
 * @param minutes oldest first; windows begin empty with the first
 */
export function replay(minutes: readonly MinuteCount[], steps: readonly CostedStep[]): Replay {
  const lanes = steps.map((step) => new Lane(step));
  const pieces = Math.max(1, ...steps.map(piecesFor));
  const deniedOf: number[] = [];
  const shadowedOf: number[] = [];
  for (const { minute, requests } of minutes) {
    let [denied, shadowed] = [0, 0];
    for (let piece = 0; piece < pieces; piece++) {
      const count = share(requests, piece, pieces);
      if (count === 0) continue;
      const found = passAll(lanes, count, minute * minuteMicros + (piece * minuteMicros) / pieces);
      denied += found.denied;
      shadowed += found.shadowed;
    }
    deniedOf.push(denied);
    shadowedOf.push(shadowed);
  }
  const levels = lanes.map((lane) => lane.told());
  const inForce = levels.filter(({ step }) => !step.isShadowed);
  return {
    requests: sum(minutes.map(({ requests }) => requests)),
    denied: sum(deniedOf),
    windows: sum(inForce.map(({ windows }) => windows)),
    shadowed: sum(shadowedOf),
    ...{ deniedOf, shadowedOf, levels },
  };
}

/** As the scales do: all levels are looked at before any is charged, and who is denied charges nothing. */
function passAll(lanes: readonly Lane[], count: number, now: number): { denied: number; shadowed: number } {
  const rooms = lanes.map((lane) => lane.room(count, now));
  const passing = Math.min(count, ...rooms.filter((_, i) => !lanes[i]?.step.isShadowed));
  const unshadowed = Math.min(passing, ...rooms);
  for (const [i, lane] of lanes.entries()) lane.pass({ count, passing, room: rooms[i] ?? 0 }, now);
  return { denied: count - passing, shadowed: passing - unshadowed };
}

/** One level with its model's state. */
class Lane {
  readonly step: CostedStep;
  // States are the models' own business.
  readonly #model: Model<unknown>;
  #state: unknown;
  readonly #windows = new Set<number>();
  #denied = 0;
  #peak = 0;
  #window = 0;
  #came = 0;

  constructor(step: CostedStep) {
    this.step = step;
    this.#model = models[step.algorithm];
  }

  /** How many of so many requests that come at once would fit. */
  room(count: number, now: number): number {
    if (this.#fits(count, now)) return count;
    let [fits, tooMany] = [0, count];
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2);
      if (this.#fits(middle, now)) fits = middle;
      else tooMany = middle;
    }
    return fits;
  }

  /** @param passing of those that came, what every level in force lets through */
  pass({ count, passing, room }: { count: number; passing: number; room: number }, now: number): void {
    const { step } = this;
    const window = Math.floor(now / (step.periodSeconds * second));
    this.#came = (window === this.#window ? this.#came : 0) + count * step.cost;
    this.#window = window;
    this.#peak = Math.max(this.#peak, this.#came);
    // What was denied while there was still room here, another level has denied.
    const denied = step.isShadowed ? Math.max(0, passing - room) : room > passing ? 0 : count - passing;
    if (denied > 0) this.#windows.add(window);
    this.#denied += denied;
    const charged = Math.min(passing, room) * step.cost;
    if (charged > 0) this.#state = this.#model.charge(this.#state, step, charged, now);
  }

  told(): ReplayedLevel {
    return { step: this.step, peak: this.#peak, denied: this.#denied, windows: this.#windows.size };
  }

  #fits(count: number, now: number): boolean {
    const cost = count * this.step.cost;
    return !this.#model.read(this.#model.peek(this.#state, this.step, cost, now), this.step, cost, now)
      .isOver;
  }
}

/** Into how many pieces a minute has to fall: one where it does not matter when within it a request came. */
function piecesFor({ algorithm, periodSeconds }: Step): number {
  if (algorithm === "fixed" && periodSeconds % minuteSeconds === 0) return 1;
  return periodSeconds < minuteSeconds ? minuteSeconds : 12;
}

/** So many of a minute's requests as fall into one of its pieces. */
function share(requests: number, piece: number, pieces: number): number {
  return Math.floor((requests * (piece + 1)) / pieces) - Math.floor((requests * piece) / pieces);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
