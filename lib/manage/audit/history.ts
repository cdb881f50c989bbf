import type { Connection } from "../../redis/connect.ts";
import { type HistoryFilter, isEmpty, matcherOf } from "./filter.ts";
import { type BulkRecordRow, isBulk, walkParts, withStates } from "./parts.ts";
import type { AuditRecord, UndoTarget } from "./record.ts";
import type { Seal } from "./seal.ts";
import {
  type DamagedLogRow,
  isDamaged,
  type LogRow,
  numberOf,
  readFields,
  readRow,
  type StoredRow,
} from "./stored.ts";
import { lengthOf, seekEnd, walkBack } from "./walk.ts";

export interface HistoryInput {
  /** Begin before this record: its number, or the `next` of an earlier reply. */
  readonly before?: number | string;
  /** End before coming to this one. */
  readonly after?: number;
  readonly limit?: number;
  readonly filter?: HistoryFilter;
  /** How many records one call may look at. */
  readonly mostScanned?: number;
  /** With a seal, records that do not fit it are returned as damaged. */
  readonly seal?: Seal;
}

export interface History {
  /** Newest first. Damaged rows are included unless the search has a filter. */
  readonly records: readonly LogRow[];
  /** Where the next call begins; null at the end of the log. A call may find little and still have read its share. */
  readonly next: string | null;
  readonly scanned: number;
  /** The time that the search has reached, in ms; null when it read no record. */
  readonly reached: number | null;
  /** By record with several entries: those that the search found. Of a record with parts, those of one part. */
  readonly hits: ReadonlyMap<number, readonly string[]>;
  /** Undone records among all that were read: the record, the one that undid it, and whether some of it is left. */
  readonly undone: readonly UndoneRecord[];
}

export type UndoneRecord = readonly [n: number, by: number, isPartly: boolean];

const usualLimit = 50;
const usualScan = 5_000;
const mostBytes = 16_000_000;
/** Clocks are set back now and then. */
const slackMs = 60_000;

/** The audit log, newest first, as far as it matches; each call does bounded work. */
export async function readHistory(redis: Connection, input: HistoryInput = {}): Promise<History> {
  const { limit = usualLimit, filter = {}, mostScanned = usualScan, after = 0 } = input;
  const reading = new HistoryReader(redis, filter, input.seal);
  let bytes = 0;
  let last: string | undefined;
  let before = await beginningOf(redis, input);
  // One more than the limit, which shows whether there is a next one.
  const first = isEmpty(filter) ? limit + 1 : undefined;
  for await (const row of walkBack(redis, before, first)) {
    const isEnough = reading.records.length >= limit || reading.scanned >= mostScanned || bytes >= mostBytes;
    if (isEnough) return reading.result(last ?? null);
    if (numberOf(row.id) <= after || reading.take(row)) return reading.result(null);
    bytes += lengthOf(row.fields);
    last = row.id;
    const parts = await reading.searchParts(before, mostBytes - bytes);
    bytes += parts.bytes;
    if (parts.next !== undefined) return reading.result(parts.next);
    before = undefined;
  }
  return reading.result(null);
}

/** `<n>-0`, or `<n>-<part>` inside a record: no row of the log has such an id, therefore the record is the first row. */
async function beginningOf(redis: Connection, { before, filter }: HistoryInput): Promise<string | undefined> {
  if (before !== undefined) return typeof before === "number" ? `${before}-0` : before;
  return filter?.to === undefined ? undefined : seekEnd(redis, filter.to);
}

class HistoryReader {
  readonly records: LogRow[] = [];
  readonly #hits = new Map<number, readonly string[]>();
  readonly #redis: Connection;
  readonly #undoings: (AuditRecord & { readonly undoes: UndoTarget })[] = [];
  /** Matches if one of its parts does. */
  #doubtful: { readonly record: BulkRecordRow; readonly row: StoredRow } | undefined;
  readonly #matches: ReturnType<typeof matcherOf>;
  readonly #isFiltered: boolean;
  readonly #from: number;
  readonly #seal: HistoryInput["seal"];
  scanned = 0;
  #reached: number | null = null;

  constructor(redis: Connection, filter: HistoryFilter, seal: HistoryInput["seal"]) {
    this.#redis = redis;
    this.#seal = seal;
    this.#matches = matcherOf(filter);
    this.#isFiltered = !isEmpty(filter);
    this.#from = (filter.from ?? Number.NEGATIVE_INFINITY) - slackMs;
  }

  /** True when no earlier record can match. */
  take(row: StoredRow): boolean {
    const found = readRow(row);
    this.scanned++;
    if (isDamaged(found)) {
      if (!this.#isFiltered) this.records.push(found);
      return false;
    }
    this.#reached = Date.parse(found.at);
    const { undoes } = found;
    if (undoes) this.#undoings.push({ ...found, undoes });
    const matches = this.#matches(found);
    this.#doubtful = matches === undefined && isBulk(found) ? { record: found, row } : undefined;
    if (matches) {
      this.records.push(this.#alteration(row) ?? found);
      this.#noteHits(found, found.changes);
    }
    // A ban has the time it was made, and is recorded later: its time says nothing about its neighbours.
    return this.#reached < this.#from && found.action !== "blocklist.ban";
  }

  /**
   * Searches the parts of the record that was taken last, if only they can tell whether it matches, the newest first.
   * @param before where the call begins, perhaps inside this record
   * @returns where to go on, if there was too much for one call
   */
  async searchParts(
    before: string | undefined,
    mostBytes: number,
  ): Promise<{ bytes: number; next?: string }> {
    if (!this.#doubtful) return { bytes: 0 };
    const { record, row } = this.#doubtful;
    this.#doubtful = undefined;
    const [n, part] = (before ?? "").split("-").map(Number);
    const beyond = n === record.n && part ? part : undefined;
    let bytes = 0;
    for await (const { n: at, changes, size } of walkParts(this.#redis, record, {
      isBackwards: true,
      beyond,
    })) {
      bytes += size;
      if (this.#matches.entries(record, changes)) {
        this.records.push(this.#alteration(row) ?? record);
        this.#noteHits(record, changes);
        break;
      }
      if (bytes >= mostBytes && at > 1) return { bytes, next: `${record.n}-${at}` };
    }
    return { bytes };
  }

  #noteHits(record: AuditRecord, changes: AuditRecord["changes"]): void {
    const isOfMany = record.bulk !== undefined || changes.length > 1;
    const hits = this.#isFiltered && isOfMany ? this.#matches.hits(record, changes) : [];
    if (hits.length > 0) this.#hits.set(record.n, hits);
  }

  #alteration({ id, fields }: StoredRow): DamagedLogRow | undefined {
    const { previous, record, mac } = readFields(fields);
    if (!this.#seal || this.#seal.record(previous, record) === mac) return undefined;
    const damage = "it was altered, or put in by a writer that does not know the secret";
    return { n: numberOf(id), id, damage };
  }

  async result(next: string | null): Promise<History> {
    const records = await withStates(this.#redis, this.#seal, this.records);
    const undoings = await withStates(this.#redis, this.#seal, this.#undoings);
    const undone = undoings.flatMap((found): UndoneRecord[] =>
      isDamaged(found) || !found.undoes ? [] : [[found.undoes.n, found.n, isPartly(found)]],
    );
    return { records, hits: this.#hits, next, scanned: this.scanned, reached: this.#reached, undone };
  }
}

/** Some entries were not chosen, are still to be undone, or had been changed since. */
function isPartly({ undoes, bulk }: AuditRecord): boolean {
  if (undoes?.entries !== undefined) return true;
  return bulk !== undefined && (!bulk.state?.isClosed || bulk.state.left > 0);
}
