import type { Connection } from "../redis/connect.ts";
import { type HistoryFilter, isEmpty, matcherOf } from "./filter.ts";
import type { Seal } from "./seal.ts";
import { seekEnd } from "./seek.ts";
import {
  type Damaged,
  type Found,
  isDamaged,
  numberOf,
  readFields,
  readRow,
  type StoredRow,
} from "./stored.ts";
import { lengthOf, walkBack } from "./walk.ts";

export interface HistoryInput {
  /** Begin before this record: its number, or what `next` said. */
  readonly before?: number | string;
  /** End before coming to this one. */
  readonly after?: number;
  readonly limit?: number;
  readonly filter?: HistoryFilter;
  /** How many records one call may look at. */
  readonly mostScanned?: number;
  /** With it, what does not bear it is told as damaged. */
  readonly seal?: Pick<Seal, "record">;
}

export interface History {
  /** Newest first. What is damaged is told as such, unless something is looked for. */
  readonly records: readonly Found[];
  /** Where to go on; null when there is nothing more. A call that found little may have looked at enough. */
  readonly next: string | null;
  readonly scanned: number;
  /** The time that the search has come to, in ms; null when it saw nothing. */
  readonly reached: number | null;
  /** What was undone among all that was looked at: the record, and which one undid it. */
  readonly undone: readonly (readonly [n: number, by: number])[];
}

const usualLimit = 50;
const usualScan = 5_000;
const mostBytes = 16_000_000;
/** Clocks are set back now and then. */
const slackMs = 60_000;

/** The audit log, newest first, as far as it matches; each call does bounded work. */
export async function readHistory(redis: Connection, input: HistoryInput = {}): Promise<History> {
  const { limit = usualLimit, filter = {}, mostScanned = usualScan, after = 0 } = input;
  const reading = new Reading(filter, input.seal);
  let bytes = 0;
  let last: string | undefined;
  // One more than what is told: it says whether there is a next one.
  const first = isEmpty(filter) ? limit + 1 : undefined;
  for await (const row of walkBack(redis, await beginningOf(redis, input), first)) {
    const isEnough = reading.records.length >= limit || reading.scanned >= mostScanned || bytes >= mostBytes;
    if (isEnough) return reading.told(last ?? null);
    if (numberOf(row.id) <= after || reading.take(row)) return reading.told(null);
    bytes += lengthOf(row.fields);
    last = row.id;
  }
  return reading.told(null);
}

async function beginningOf(redis: Connection, { before, filter }: HistoryInput): Promise<string | undefined> {
  if (before !== undefined) return typeof before === "number" ? `${before}-0` : before;
  return filter?.to === undefined ? undefined : seekEnd(redis, filter.to);
}

class Reading {
  readonly records: Found[] = [];
  readonly #undone: [number, number][] = [];
  readonly #matches: ReturnType<typeof matcherOf>;
  readonly #isFiltered: boolean;
  readonly #from: number;
  readonly #seal: HistoryInput["seal"];
  scanned = 0;
  #reached: number | null = null;

  constructor(filter: HistoryFilter, seal: HistoryInput["seal"]) {
    this.#seal = seal;
    this.#matches = matcherOf(filter);
    this.#isFiltered = !isEmpty(filter);
    this.#from = (filter.from ?? Number.NEGATIVE_INFINITY) - slackMs;
  }

  /** True when nothing before it can match. */
  take(row: StoredRow): boolean {
    const found = readRow(row);
    this.scanned++;
    if (isDamaged(found)) {
      if (!this.#isFiltered) this.records.push(found);
      return false;
    }
    this.#reached = Date.parse(found.at);
    if (found.undoes) this.#undone.push([found.undoes.n, found.n]);
    if (this.#matches(found)) this.records.push(this.#alteration(row) ?? found);
    // A ban is told with the time it was made, and recorded later: it says nothing of its neighbours.
    return this.#reached < this.#from && found.action !== "blocklist.ban";
  }

  #alteration({ id, fields }: StoredRow): Damaged | undefined {
    const { previous, record, mac } = readFields(fields);
    if (!this.#seal || this.#seal.record(previous, record) === mac) return undefined;
    const damage = "it was altered, or put in by somebody who does not know the secret";
    return { n: numberOf(id), id, damage };
  }

  told(next: string | null): History {
    const { records, scanned } = this;
    return { records, next, scanned, reached: this.#reached, undone: this.#undone };
  }
}
