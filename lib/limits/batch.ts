import { counterClient } from "../redis/keys.ts";
import { foundCount } from "./model.ts";
import { readFound } from "./models.ts";
import {
  costAt,
  firstDenial,
  type Load,
  type Moment,
  type Reading,
  type Unweighed,
  type Weighed,
} from "./plan.ts";
import type { Recipe } from "./recipe.ts";

export type Answer = (answer: Weighed | Unweighed) => void;

export interface BatchManner {
  /** Tells what is counted and charges nothing. */
  readonly isReading: boolean;
  /** Instead of Redis' own clock. */
  readonly clockMicros: number | undefined;
}

/** Loads of one plan that go to Redis in one call of lua/weigh.lua. */
export class Batch {
  readonly #recipe: Recipe;
  readonly #loads: readonly Load[];
  readonly #answers: readonly Answer[];
  readonly #tails: string[] = [];
  /** Where a load begins that shares a client with one before: it has to see what that one left. */
  readonly #breaks: number[] = [];
  #hasCosts = false;

  constructor(recipe: Recipe, loads: readonly Load[], answers: readonly Answer[]) {
    this.#recipe = recipe;
    this.#loads = loads;
    this.#answers = answers;
    const inRun = new Set<string>();
    for (let i = 0; i < loads.length; i++) this.#note(i, inRun);
  }

  get keyCount(): number {
    return this.#loads.length * this.#recipe.stepOfKey.length;
  }

  /** The keys, then what the script is told, up to the last word that is needed. */
  words(nowMicros: number, { isReading, clockMicros }: BatchManner): string[] {
    this.#recipe.turnTo(nowMicros);
    const words = this.#keys();
    const told = [
      this.#recipe.text,
      this.#hasCosts ? this.#costs() : "",
      this.#breaks.length > 0 ? JSON.stringify([...this.#breaks, this.#loads.length]) : "",
      isReading ? "read" : "",
      clockMicros === undefined ? "" : String(clockMicros),
    ];
    for (let i = 0; i <= told.findLastIndex((word) => word !== ""); i++) words.push(told[i] ?? "");
    return words;
  }

  /** @param found as the script replies: the clock, then step by step, number by number, load by load */
  settle(found: Float64Array, at: Moment): void {
    for (let i = 0; i < this.#loads.length; i++) this.#answers[i]?.(this.#weighed(i, found, at));
  }

  fail(unweighed: Unweighed): void {
    for (const answer of this.#answers) answer(unweighed);
  }

  #note(index: number, inRun: Set<string>): void {
    const load = this.#loads[index] ?? nothing;
    const { clients } = load;
    const tails = this.#tails;
    const start = tails.length;
    let isShared = false;
    for (let s = 0; s < this.#recipe.steps.length; s++) {
      const client = clients[s] ?? "";
      if (costAt(load, s) !== 1) this.#hasCosts = true;
      if (s > 0 && client === clients[s - 1]) {
        tails.push(tails[start + s - 1] ?? "");
        continue;
      }
      const tail = this.#recipe.tail(counterClient(client));
      isShared ||= inRun.has(tail);
      tails.push(tail);
    }
    if (isShared) {
      this.#breaks.push(index);
      inRun.clear();
    }
    for (let at = start; at < tails.length; at++) {
      if (at === start || tails[at] !== tails[at - 1]) inRun.add(tails[at] ?? "");
    }
  }

  #keys(): string[] {
    const { prefixes, stepOfKey, steps } = this.#recipe;
    const tails = this.#tails;
    const names: string[] = [];
    for (let at = 0; at < tails.length; at += steps.length) {
      for (let k = 0; k < prefixes.length; k++)
        names.push(prefixes[k] + (tails[at + (stepOfKey[k] ?? 0)] ?? ""));
    }
    return names;
  }

  #costs(): string {
    const columns = this.#recipe.steps.map((_, s) => this.#loads.map((load) => costAt(load, s)));
    return JSON.stringify(columns.map((column) => (column.every((cost) => cost === 1) ? 0 : column)));
  }

  #weighed(index: number, found: Float64Array, at: Moment): Weighed {
    const { steps } = this.#recipe;
    const load = this.#loads[index] ?? nothing;
    const count = this.#loads.length;
    const readings: Reading[] = [];
    let trouble: number[] | undefined;
    let place = 1 + index;
    for (let s = 0; s < steps.length; s++) {
      const step = steps[s];
      if (!step) continue;
      const first = found[place] ?? Number.NaN;
      if (Number.isNaN(first)) {
        readings.push(unknown);
        trouble ??= [];
        trouble.push(s);
      } else {
        readings.push(readFound([first, found[place + count] ?? 0], step, costAt(load, s), at.redisMicros));
      }
      place += foundCount[step.algorithm] * count;
    }
    const deniedBy = firstDenial(steps, readings);
    return { outcome: "weighed", deniedBy, readings, trouble: trouble ?? none, at };
  }
}

const nothing: Load = { plan: { steps: [] }, clients: [], costs: [] };
const unknown: Reading = { used: 0, resetMs: 0, isOver: false };
const none: readonly number[] = Object.freeze([]);
