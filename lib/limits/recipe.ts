import { DomainError } from "../errors.ts";
import { counterClient, keys, withoutBraces } from "../redis/keys.ts";
import { foundCount, periodOf } from "./model.ts";
import type { Algorithm, Plan, Step } from "./plan.ts";
import { slotOf } from "./slot.ts";

/** Lua's stack bounds how many keys and numbers go into one call. */
const mostWords = 4_000;

/** A plan as the script reads it, and where its keys begin. Both hold for as long as no window of it ends. */
export class Recipe {
  readonly steps: readonly Step[];
  /** Which step each key of a load belongs to. */
  readonly stepOfKey: readonly number[];
  readonly mostLoads: number;
  prefixes: readonly string[] = [];
  text = "";
  readonly #isCluster: boolean;
  readonly #windowed: readonly Step[];
  #from = Number.POSITIVE_INFINITY;
  #until = 0;

  /** @param isCluster whether the keys lie on a cluster, which keeps a client's together by what stands in braces */
  constructor({ steps }: Plan, isCluster: boolean) {
    refuseUnweighable(steps);
    this.steps = steps;
    this.#isCluster = isCluster;
    this.#windowed = steps.filter(isWindowed);
    this.stepOfKey = steps.flatMap(({ algorithm }, index) =>
      algorithm === "sliding" ? [index, index] : index,
    );
    const numbers = steps.reduce((sum, { algorithm }) => sum + foundCount[algorithm], 0);
    this.mostLoads = Math.max(1, Math.floor(mostWords / Math.max(this.stepOfKey.length, numbers, 1)));
  }

  /** Brings the windows up to a moment of Redis' clock. */
  turnTo(nowMicros: number): void {
    if (nowMicros >= this.#from && nowMicros < this.#until) return;
    const starts = this.#windowed.map((step) => windowOf(step, nowMicros) * periodOf(step));
    this.#from = Math.max(0, ...starts);
    this.#until = Math.min(...this.#windowed.map((step, i) => (starts[i] ?? 0) + periodOf(step)));
    this.prefixes = this.steps.flatMap((step) => prefixesOf(step, nowMicros, this.#isCluster));
    const rows = this.steps.flatMap((step) => rowOf(step, nowMicros));
    this.text = JSON.stringify([this.stepOfKey.length, ...rows]);
  }

  /** What follows a prefix; the client is one that `counterClient` gave. */
  tail(client: string): string {
    return tailOf(client, this.#isCluster);
  }
}

/** The slot of a cluster where all keys of a client lie. */
export const laneOf = (client: string): number => slotOf(withoutBraces(counterClient(client)));

/** Where one step counts a client at a moment of Redis' clock. */
export function counterKey(step: Step, client: string, nowMicros: number, isCluster: boolean): string {
  return `${prefixesOf(step, nowMicros, isCluster)[0]}${tailOf(counterClient(client), isCluster)}`;
}

const isWindowed = ({ algorithm }: Step): boolean => algorithm === "fixed" || algorithm === "sliding";

const windowOf = (step: Step, nowMicros: number): number => Math.floor(nowMicros / periodOf(step));

const tailOf = (client: string, isCluster: boolean): string =>
  isCluster ? `${withoutBraces(client)}}` : client;

function prefixesOf(step: Step, nowMicros: number, isCluster: boolean): string[] {
  const prefixes = plainPrefixes(step, windowOf(step, nowMicros));
  return isCluster ? prefixes.map((prefix) => `${withoutBraces(prefix)}{`) : prefixes;
}

function plainPrefixes({ rule, algorithm, periodSeconds }: Step, window: number): string[] {
  if (algorithm === "fixed") return [keys.fixedWindow(rule, window)];
  if (algorithm !== "sliding") return [keys.counter(algorithm, periodSeconds, rule)];
  return [window, window - 1].map((index) => keys.slidingWindow(periodSeconds, rule, index));
}

/** As lua/weigh.lua numbers them. */
export const numberOf = {
  fixed: 1,
  sliding: 2,
  "first-hit": 3,
  gcra: 4,
  earrrl: 5,
  "rolling-list": 6,
  "rolling-set": 7,
} as const satisfies Record<Algorithm, number>;

/** A step as lua/weigh.lua reads it. */
function rowOf(step: Step, nowMicros: number): number[] {
  const last = isWindowed(step) ? windowOf(step, nowMicros) : step.overageWeight;
  return [numberOf[step.algorithm], step.isShadowed ? 0 : 1, step.limit, step.periodSeconds, last];
}

/** The policy is checked before it is saved; this is for plans that code made. */
function refuseUnweighable(steps: readonly Step[]): void {
  const names = steps.map(
    ({ algorithm, periodSeconds, rule }) => `${algorithm}, ${periodSeconds} s, ${rule}`,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new DomainError("bad-input", `Two levels of one rule count the same: ${twice}.`);
  const zero = steps.find(({ algorithm, limit }) => algorithm === "earrrl" && !(limit > 0));
  if (zero) throw new DomainError("bad-input", `The limit of ${zero.rule} must be over 0: it is a rate.`);
}
