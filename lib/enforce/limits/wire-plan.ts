import { randomBytes } from "node:crypto";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { counterClient, keys, withoutBraces } from "../../redis/keys.ts";
import { isHolding, models, readFound, readHeld, reserving } from "../algorithms/algorithms.ts";
import { type Found, second, windowAt, windowEnd, windowStart } from "../algorithms/model.ts";
import {
  type CountedRequest,
  costAt,
  firstDenial,
  type Moment,
  type Plan,
  type Reading,
  type Settlement,
  type Step,
  type Unweighed,
  type Weighed,
} from "./plan.ts";

/** Lua's stack bounds how many keys and numbers go into one call. */
const mostWords = 4_000;

/** A step as lua/weigh.lua reads it: one row, or two where its counter has holds. */
interface WireRow {
  readonly step: Step;
  /** The place of its step. */
  readonly place: number;
  readonly part: "all" | "counter" | "holds";
}

/** A plan as lua/weigh.lua reads it, and where its keys begin. Both hold until a window of the plan ends. */
export class WirePlan {
  readonly steps: readonly Step[];
  readonly rows: readonly WireRow[];
  /** Some step holds what a request takes until it is settled. */
  readonly isHeld: boolean;
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
    this.rows = steps.flatMap(rowsOf);
    this.isHeld = steps.some(isHolding);
    this.stepOfKey = this.rows.flatMap(({ step, place }) =>
      models[step.algorithm].keys === "two-windows" ? [place, place] : place,
    );
    const numbers = this.rows.reduce((sum, { step }) => sum + models[step.algorithm].finds, 0);
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
    this.#from = Math.max(0, ...this.#windowed.map((step) => windowStart(step, nowMicros)));
    this.#until = Math.min(...this.#windowed.map((step) => windowEnd(step, nowMicros)));
    this.#prefixes = this.rows.flatMap((row) => prefixesOf(row, nowMicros, this.#isCluster));
    const numbers = this.rows.flatMap((row) => numbersOf(row, nowMicros));
    this.#text = JSON.stringify([this.stepOfKey.length, ...numbers]);
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
  const [prefix] = prefixesOf({ step, part: "all" }, nowMicros, isCluster);
  return `${prefix}${tailOf(counterClient(client), isCluster)}`;
}

const isWindowed = ({ algorithm }: Step): boolean => models[algorithm].keys !== "one";

const tailOf = (client: string, isCluster: boolean): string =>
  isCluster ? `${withoutBraces(client)}}` : client;

function rowsOf(step: Step, place: number): WireRow[] {
  if (!step.countWhen) return [{ step, place, part: "all" }];
  return [
    { step, place, part: "counter" },
    { step: reserving(step), place, part: "holds" },
  ];
}

type RowOfStep = Pick<WireRow, "step" | "part">;

function prefixesOf({ step, part }: RowOfStep, nowMicros: number, isCluster: boolean): string[] {
  const prefixes =
    part === "holds" ? [keys.holds(step.rule)] : plainPrefixes(step, windowAt(step, nowMicros));
  return isCluster ? prefixes.map((prefix) => `${withoutBraces(prefix)}{`) : prefixes;
}

function plainPrefixes({ rule, algorithm, periodSeconds, calendar }: Step, window: number): string[] {
  if (calendar) return [keys.calendarWindow(calendar.period, window, rule)];
  const kind = models[algorithm].keys;
  if (kind === "window") return [keys.fixedWindow(rule, window)];
  if (kind === "one") return [keys.counter(algorithm, periodSeconds, rule)];
  return [window, window - 1].map((index) => keys.slidingWindow(periodSeconds, rule, index));
}

/** A row as lua/weigh.lua reads it. A window of a calendar has its own length, and its start below 0. */
function numbersOf({ step, part }: RowOfStep, nowMicros: number): number[] {
  const { algorithm, calendar, isShadowed, limit, overageWeight, periodSeconds } = step;
  const start = [models[algorithm].number, isShadowed ? 0 : 1, limit];
  if (algorithm === "concurrent") return [...start, periodSeconds, part === "holds" ? 1 : 0];
  const window = windowAt(step, nowMicros);
  if (calendar) return [...start, windowEnd(step, nowMicros) / second - window, -window];
  return [...start, periodSeconds, isWindowed(step) ? window : overageWeight];
}

/** The policy is checked before it is saved; this is for plans that code made. */
function refuseUnweighable(steps: readonly Step[]): void {
  const names = steps.map(
    ({ algorithm, periodSeconds, rule }) => `${algorithm}, ${periodSeconds} s, ${rule}`,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new DomainError("bad-input", `Two levels of one rule count the same: ${twice}.`);
  const odd = steps.find(({ limit }) => !(limit >= 0));
  if (odd) throw new DomainError("bad-input", `The limit of ${odd.rule} must be 0 or more.`);
  const unheld = steps.find(({ algorithm, countWhen }) => countWhen && !models[algorithm].findsUsed);
  if (unheld)
    throw new DomainError("bad-input", `${unheld.rule} cannot count by outcome: it is ${unheld.algorithm}.`);
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
  readonly request: CountedRequest | Settlement;
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
  #hasCosts: boolean;
  /** The names of what the requests hold. Empty if they hold nothing. */
  readonly #names: readonly string[];

  constructor(plan: WirePlan, pending: readonly PendingRequest[]) {
    this.#plan = plan;
    this.#pending = pending;
    this.#hasCosts = plan.isHeld;
    this.#names = plan.isHeld ? pending.map(({ request }) => request.hold ?? newHold()) : none;
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
      purpose === "read" || this.#names.length === 0 ? "" : JSON.stringify(this.#names),
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

  /** Ends what the requests hold, and charges nothing. */
  releases(): Settlement[] {
    return this.#names.map((hold, i) => ({ ...at(this.#pending, i).request, hold, charged: none }));
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
    const columns = this.#plan.rows.map(({ place, part }) =>
      this.#pending.map(({ request }) =>
        part === "counter" ? chargedAt(request, place) : costAt(request, place),
      ),
    );
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
      const second = found[place + count] ?? 0;
      place += models[step.algorithm].finds * count;
      let holds: Found | undefined;
      if (step.countWhen) {
        holds = [found[place] ?? Number.NaN, found[place + count] ?? 0];
        place += models.concurrent.finds * count;
      }
      if (Number.isNaN(first) || (holds && Number.isNaN(holds[0]))) {
        readings[s] = unknown;
        trouble ??= [];
        trouble.push(s);
      } else {
        const cost = costAt(request, s);
        const micros = moment.redisMicros;
        readings[s] = holds
          ? readHeld([first, second], holds, step, cost, micros)
          : readFound([first, second], step, cost, micros);
      }
    }
    const deniedBy = firstDenial(steps, readings);
    return { outcome: "weighed", deniedBy, readings, trouble: trouble ?? none, at: moment };
  }
}

/** A request whose outcome decides is charged when it is settled. */
function chargedAt(request: CountedRequest | Settlement, place: number): number {
  return "charged" in request ? (request.charged[place] ?? 0) : 0;
}

const word = randomBytes(9).toString("base64url");
let holds = 0;

/** A name for what one request holds, which no other process gives. */
export function newHold(): string {
  holds++;
  return `${word}${holds.toString(36)}`;
}

const unknown: Reading = { used: 0, resetMs: 0, isOver: false };
const none: readonly never[] = Object.freeze([]);
