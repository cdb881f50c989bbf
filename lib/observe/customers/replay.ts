import { at } from "../../at.ts";
import { chargeState, isRate, readState } from "../../enforce/algorithms/algorithms.ts";
import { windowAt } from "../../enforce/algorithms/model.ts";
import { readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import type { Step } from "../../enforce/limits/plan.ts";
import { countingRules, customerLoad, customerPlan } from "../../enforce/policy/customer-plan.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import { isNarrow } from "../../enforce/policy/match.ts";
import type { Mode, Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { allSlotsOf, customerFrom } from "../../manage/customers/read.ts";
import { lastSession } from "../../manage/customers/session-limits.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { takeSnapshot } from "../../redis/snapshot.ts";
import { type CustomerDraft, levelsAfter } from "./customer-view.ts";

/** The requests of one minute of the clock, in minutes since the epoch. */
export interface MinuteCount {
  readonly minute: number;
  readonly requests: number;
}

/** One level, and the cost of a request there. */
export interface CostedStep extends Step {
  readonly cost: number;
}

/** The effect of one level on the requests. */
export interface LevelReplay {
  readonly step: CostedStep;
  /** The most requests in one window of the clock, denied or not. */
  readonly peak: number;
  /** Requests that it would have denied; in shadow, of those that passed. */
  readonly denied: number;
  /** Windows with a denial. */
  readonly windows: number;
}

export interface Replay {
  readonly requests: number;
  readonly denied: number;
  /** Windows of levels in force with a denial. */
  readonly windows: number;
  /** Requests that pass, and that a level in shadow would have denied. */
  readonly shadowed: number;
  /** Denials of each minute, in the order of the minutes. */
  readonly deniedOf: readonly number[];
  readonly shadowedOf: readonly number[];
  readonly levels: readonly LevelReplay[];
}

const minuteSeconds = 60;
const second = 1_000_000;
const minuteMicros = minuteSeconds * second;

/**
 * The effect of these levels on requests of which only the minute is known. Where a minute may overlap two windows, or a window
 * is not bound to the clock, a minute's requests are spread evenly.
 *
 * EARRRL cannot be replayed: it weighs each request by its own time, and the caller leaves it out.
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
  const levels = lanes.map((lane) => lane.result());
  const inForce = levels.filter(({ step }) => !step.isShadowed);
  return {
    requests: sum(minutes.map(({ requests }) => requests)),
    denied: sum(deniedOf),
    windows: sum(inForce.map(({ windows }) => windows)),
    shadowed: sum(shadowedOf),
    ...{ deniedOf, shadowedOf, levels },
  };
}

/** As the scales do: all levels are read before any is charged, and a denied request charges nothing. */
function passAll(lanes: readonly Lane[], count: number, now: number): { denied: number; shadowed: number } {
  const rooms = lanes.map((lane) => lane.room(count, now));
  const passing = Math.min(count, ...rooms.filter((_, i) => !at(lanes, i).step.isShadowed));
  const unshadowed = Math.min(passing, ...rooms);
  for (const [i, lane] of lanes.entries()) lane.pass({ count, passing, room: at(rooms, i) }, now);
  return { denied: count - passing, shadowed: passing - unshadowed };
}

/** One level with its model's state. */
class Lane {
  readonly step: CostedStep;
  #state: unknown;
  readonly #windows = new Set<number>();
  #denied = 0;
  #peak = 0;
  #window = 0;
  #requests = 0;

  constructor(step: CostedStep) {
    this.step = step;
  }

  /** How many of `count` simultaneous requests would fit. */
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

  /** @param passing the requests of `count` that every level in force passes */
  pass({ count, passing, room }: { count: number; passing: number; room: number }, now: number): void {
    const { step } = this;
    const window = windowAt(step, now);
    this.#requests = (window === this.#window ? this.#requests : 0) + count * step.cost;
    this.#window = window;
    this.#peak = Math.max(this.#peak, this.#requests);
    // A request denied while there was still room here was denied by another level.
    const denied = step.isShadowed ? Math.max(0, passing - room) : room > passing ? 0 : count - passing;
    if (denied > 0) this.#windows.add(window);
    this.#denied += denied;
    const charged = Math.min(passing, room) * step.cost;
    this.#state = chargeState(this.#state, step, charged, now, false);
  }

  result(): LevelReplay {
    return { step: this.step, peak: this.#peak, denied: this.#denied, windows: this.#windows.size };
  }

  #fits(count: number, now: number): boolean {
    const cost = count * this.step.cost;
    return !readState(this.#state, this.step, cost, now).isOver;
  }
}

/** The parts into which a minute is cut: one where the second of a request within it does not matter. */
function piecesFor({ algorithm, periodSeconds }: Step): number {
  if (algorithm === "fixed" && periodSeconds % minuteSeconds === 0) return 1;
  return periodSeconds < minuteSeconds ? minuteSeconds : 12;
}

/** A minute's requests in one of its parts. */
function share(requests: number, piece: number, pieces: number): number {
  return Math.floor((requests * (piece + 1)) / pieces) - Math.floor((requests * piece) / pieces);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** The customer's last requests under the limits in force and under those of a draft. */
export interface DraftReplay {
  readonly mode: Mode;
  readonly before: Replay;
  readonly after: Replay;
  /** Tiers that would have denied no request. Empty unless the draft has levels of its own. */
  readonly fitting: readonly string[];
  /** Rules that count the customer and could not be replayed, or only as if they matched every request. */
  readonly leftOut: readonly string[];
  readonly narrower: readonly string[];
}

export async function replayDraft(
  redis: Connection,
  id: CustomerId,
  draft: CustomerDraft,
  minutes: readonly MinuteCount[],
): Promise<DraftReplay> {
  const [{ policy }, session, overrides] = await Promise.all([
    readPolicy(redis),
    lastSession(redis, id),
    readSharedOverrides(redis),
  ]);
  const shared = overrides.of(id);
  const { now, slots } = await takeSnapshot(redis, { slots: allSlotsOf(id) });
  const customer = customerFrom(id, policy, { held: slots, now }, { session, shared });
  const under = (levels: readonly Level[] | undefined) => replay(minutes, stepsOf(policy, levels));
  const after = levelsAfter(policy, customer, shared, draft);
  const counting = policy.rules.filter((rule) =>
    [customer.levels, after].some((levels) => countingRules(policy, levels).includes(rule)),
  );
  const namesOf = (rules: Policy["rules"]) => rules.map(({ name }) => name);
  return {
    mode: policy.mode,
    before: under(customer.levels),
    after: under(after),
    fitting: draft.levels ? await tiersThatFit(policy, (levels) => under(levels).denied === 0) : [],
    leftOut: namesOf(counting.filter((rule) => isRate(rule.algorithm))),
    narrower: namesOf(counting.filter((rule) => !isRate(rule.algorithm) && isNarrow(rule.match))),
  };
}

async function tiersThatFit(
  { tiers }: Policy,
  fits: (levels: readonly Level[]) => boolean,
): Promise<readonly string[]> {
  const breath = breathing();
  const found: string[] = [];
  for (const [name, { levels }] of Object.entries(tiers)) {
    if (fits(levels)) found.push(name);
    await breath();
  }
  return found;
}

function stepsOf(policy: Policy, levels: readonly Level[] | undefined) {
  const plan = customerPlan(policy, levels);
  const { costs } = customerLoad(plan, "");
  return plan.steps
    .map((step, i) => ({ ...step, cost: at(costs, i) }))
    .filter(({ algorithm }) => !isRate(algorithm));
}
