import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { counterClient, keys, withoutBraces } from "../../redis/keys.ts";
import { isRate, models, readFound } from "../algorithms/algorithms.ts";
import { periodOf } from "../algorithms/model.ts";
import {
  type CountedRequest,
  costAt,
  firstDenial,
  type Moment,
  type Plan,
  type Reading,
  type Step,
  type Unweighed,
  type Weighed,
} from "./plan.ts";

/** Lua's stack bounds how many keys and numbers go into one call. */
const mostWords = 4_000;

/** A plan as lua/weigh.lua reads it, and where its keys begin. Both hold until a window of the plan ends. */
export class WirePlan {
  readonly steps: readonly Step[];
  /** Which step each key of a request belongs to. */
  readonly stepOfKey: readonly number[];
  /** How many requests fit into one call. */
  readonly mostRequests: number;
  #prefixes: readonly string[] = [];
  #text = "";
  readonly #isCluster: boolean;
  readonly #windowed: readonly Step[];
  #from = Number.POSITIVE_INFINITY;
  #until = 0;

  /** @param isCluster whether the keys lie on a cluster, which keeps a client's keys together by what is in braces */
  constructor({ steps }: Plan, isCluster: boolean) {
    refuseUnweighable(steps);
    this.steps = steps;
    this.#isCluster = isCluster;
    this.#windowed = steps.filter(isWindowed);
    this.stepOfKey = steps.flatMap(({ algorithm }, step) =>
      models[algorithm].keys === "two-windows" ? [step, step] : step,
    );
    const numbers = steps.reduce((sum, { algorithm }) => sum + models[algorithm].finds, 0);
    this.mostRequests = Math.max(1, Math.floor(mostWords / Math.max(this.stepOfKey.length, numbers, 1)));
  }

  /** Whether the windows are those of this moment of Redis' clock. */
  holds(nowMicros: number): boolean {
    return nowMicros >= this.#from && nowMicros < this.#until;
  }

  /** Of the keys of a request, in order. */
  get prefixes(): readonly string[] {
    return this.#prefixes;
  }

  /** As an argument of lua/weigh.lua. */
  get text(): string {
    return this.#text;
  }

  /** Brings the windows up to a moment of Redis' clock. */
  turnTo(nowMicros: number): void {
    if (this.holds(nowMicros)) return;
    const windows = this.#windowed.map((step) => {
      const start = windowOf(step, nowMicros) * periodOf(step);
      return { start, end: start + periodOf(step) };
    });
    this.#from = Math.max(0, ...windows.map(({ start }) => start));
    this.#until = Math.min(...windows.map(({ end }) => end));
    this.#prefixes = this.steps.flatMap((step) => prefixesOf(step, nowMicros, this.#isCluster));
    const rows = this.steps.flatMap((step) => rowOf(step, nowMicros));
    this.#text = JSON.stringify([this.stepOfKey.length, ...rows]);
  }

  /** The end of a client's keys, after the prefix. @param client as `counterClient` writes it */
  tail(client: string): string {
    return tailOf(client, this.#isCluster);
  }

  /** Where a request is counted, key for key. */
  keysOf({ clients }: CountedRequest): string[] {
    return this.#prefixes.map((prefix, key) => {
      const client = at(clients, at(this.stepOfKey, key));
      return `${prefix}${this.tail(counterClient(client))}`;
    });
  }
}

/** Where one step counts a client at a moment of Redis' clock. */
export function counterKey(step: Step, client: string, nowMicros: number, isCluster: boolean): string {
  return `${prefixesOf(step, nowMicros, isCluster)[0]}${tailOf(counterClient(client), isCluster)}`;
}

const isWindowed = ({ algorithm }: Step): boolean => models[algorithm].keys !== "one";

const windowOf = (step: Step, nowMicros: number): number => Math.floor(nowMicros / periodOf(step));

const tailOf = (client: string, isCluster: boolean): string =>
  isCluster ? `${withoutBraces(client)}}` : client;

function prefixesOf(step: Step, nowMicros: number, isCluster: boolean): string[] {
  const prefixes = plainPrefixes(step, windowOf(step, nowMicros));
  return isCluster ? prefixes.map((prefix) => `${withoutBraces(prefix)}{`) : prefixes;
}

function plainPrefixes({ rule, algorithm, periodSeconds }: Step, window: number): string[] {
  const kind = models[algorithm].keys;
  if (kind === "window") return [keys.fixedWindow(rule, window)];
  if (kind === "one") return [keys.counter(algorithm, periodSeconds, rule)];
  return [window, window - 1].map((index) => keys.slidingWindow(periodSeconds, rule, index));
}

/** A step as lua/weigh.lua reads it. */
function rowOf(step: Step, nowMicros: number): number[] {
  const last = isWindowed(step) ? windowOf(step, nowMicros) : step.overageWeight;
  return [models[step.algorithm].number, step.isShadowed ? 0 : 1, step.limit, step.periodSeconds, last];
}

/** The policy is checked before it is saved; this is for plans that code made. */
function refuseUnweighable(steps: readonly Step[]): void {
  const names = steps.map(
    ({ algorithm, periodSeconds, rule }) => `${algorithm}, ${periodSeconds} s, ${rule}`,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new DomainError("bad-input", `Two levels of one rule count the same: ${twice}.`);
  const zero = steps.find(({ algorithm, limit }) => isRate(algorithm) && !(limit > 0));
  if (zero) throw new DomainError("bad-input", `The limit of ${zero.rule} must be over 0: it is a rate.`);
}

/** The slot of a cluster where all keys of a client lie. */
export const laneOf = (client: string): number => slotOf(withoutBraces(counterClient(client)));

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

const encoder = new TextEncoder();

/** The slot of a cluster where keys with this text in their braces lie: CRC16 (XMODEM) modulo 16,384. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of encoder.encode(tag)) crc = ((crc << 8) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc & 16_383;
}

/** weigh: charges what passes. read: charges nothing. charge: denies nothing, for requests that have passed. */
export type Purpose = "weigh" | "read" | "charge";

export interface BatchOptions {
  readonly purpose: Purpose;
  /** Instead of Redis' own clock. */
  readonly clockMicros: number | undefined;
}

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly request: CountedRequest;
  resolve(answer: Weighed | Unweighed): void;
}

/** Requests of one plan that go to Redis in one call of lua/weigh.lua. */
export class Batch {
  readonly #plan: WirePlan;
  readonly #pending: readonly PendingRequest[];
  /** The ends of their keys, request by request, step by step. */
  readonly #tails: string[] = [];
  /** Where a request begins that shares a client with one before: it has to see what that one left. */
  readonly #breaks: number[] = [];
  #hasCosts = false;

  constructor(plan: WirePlan, pending: readonly PendingRequest[]) {
    this.#plan = plan;
    this.#pending = pending;
    const inRun = new Set<string | undefined>();
    for (const { request } of pending) this.#add(request, inRun);
  }

  get keyCount(): number {
    return this.#pending.length * this.#plan.stepOfKey.length;
  }

  /** The keys, then the arguments, up to the last one that is needed. */
  words(nowMicros: number, { purpose, clockMicros }: BatchOptions): string[] {
    this.#plan.turnTo(nowMicros);
    const words = this.#keys();
    const given = [
      this.#plan.text,
      this.#hasCosts ? this.#costs() : "",
      this.#breaks.length > 0 ? JSON.stringify([...this.#breaks, this.#pending.length]) : "",
      purpose === "weigh" ? "" : purpose,
      clockMicros === undefined ? "" : String(clockMicros),
    ];
    const last = given.findLastIndex((word) => word !== "");
    words.push(...given.slice(0, last + 1));
    return words;
  }

  /** @param found as the script replies: the clock, then step by step, number by number, request by request */
  settle(found: Float64Array, moment: Moment): void {
    this.#pending.forEach((waiting, i) => {
      waiting.resolve(this.#weighed(waiting.request, i, found, moment));
    });
  }

  fail(unweighed: Unweighed): void {
    for (const waiting of this.#pending) waiting.resolve(unweighed);
  }

  #add(request: CountedRequest, inRun: Set<string | undefined>): void {
    const { clients } = request;
    const tails = this.#tails;
    const start = tails.length;
    let client: string | undefined;
    let tail = "";
    let isShared = false;
    for (let s = 0; s < this.#plan.steps.length; s++) {
      if (costAt(request, s) !== 1) this.#hasCosts = true;
      if (s === 0 || clients[s] !== client) {
        client = at(clients, s);
        tail = this.#plan.tail(counterClient(client));
        isShared ||= inRun.has(tail);
      }
      tails.push(tail);
    }
    if (isShared) {
      this.#breaks.push(start / this.#plan.steps.length);
      inRun.clear();
    }
    for (let t = start; t < tails.length; t++)
      if (t === start || tails[t] !== tails[t - 1]) inRun.add(tails[t]);
  }

  #keys(): string[] {
    const { prefixes, stepOfKey, steps } = this.#plan;
    const tails = this.#tails;
    const names: string[] = [];
    for (let first = 0; first < tails.length; first += steps.length) {
      for (let k = 0; k < prefixes.length; k++) names.push(prefixes[k] + at(tails, first + at(stepOfKey, k)));
    }
    return names;
  }

  #costs(): string {
    const columns = this.#plan.steps.map((_, s) => this.#pending.map(({ request }) => costAt(request, s)));
    return JSON.stringify(columns.map((column) => (column.every((cost) => cost === 1) ? 0 : column)));
  }

  #weighed(request: CountedRequest, index: number, found: Float64Array, moment: Moment): Weighed {
    const { steps } = this.#plan;
    const count = this.#pending.length;
    const readings = new Array<Reading>(steps.length);
    let trouble: number[] | undefined;
    let place = 1 + index;
    for (let s = 0; s < steps.length; s++) {
      const step = steps[s];
      if (!step) continue;
      const first = found[place] ?? Number.NaN;
      if (Number.isNaN(first)) {
        readings[s] = unknown;
        trouble ??= [];
        trouble.push(s);
      } else {
        const second = found[place + count] ?? 0;
        readings[s] = readFound([first, second], step, costAt(request, s), moment.redisMicros);
      }
      place += models[step.algorithm].finds * count;
    }
    const deniedBy = firstDenial(steps, readings);
    return { outcome: "weighed", deniedBy, readings, trouble: trouble ?? none, at: moment };
  }
}

const unknown: Reading = { used: 0, resetMs: 0, isOver: false };
const none: readonly number[] = Object.freeze([]);
