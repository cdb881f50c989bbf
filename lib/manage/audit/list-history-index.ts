import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { AddressPostings, type Posting } from "./address-postings.ts";
import { type BulkRecordRow, isBulk, walkParts, withState } from "./parts.ts";
import { type AuditRecord, aboutOf } from "./record.ts";
import { isDamaged, numberOf, readFields, readRow } from "./stored.ts";
import { nextCount } from "./walk.ts";

type StreamRow = [id: string, fields: string[]];

/** How far back the index reaches at most: in records, and in entries that they touched. */
const usualLimits = { records: 50_000, touches: 1_500_000 } as const;
const firstPage = 50;

/**
 * Which records of the audit log touched an entry, and how often it was put on a list. The log is read once; then only
 * new records. Of a log that is too long only the end is known.
 */
export class HistoryIndex {
  readonly #redis: Connection;
  readonly #mostTouches: number;
  #touches = emptyTouches();
  #span: number;
  /** The last record that is in it, and its seal: another one there means another log. */
  #last: { readonly id: string; readonly mac: string } | undefined;
  #isWhole = true;
  /** Records with parts that are not read to the end, and the last part that was. */
  readonly #unfinished = new Map<number, { readonly record: BulkRecordRow; readonly part: number }>();
  #work: Promise<void> = Promise.resolve();

  constructor(
    redis: Connection,
    limits: { readonly records: number; readonly touches: number } = usualLimits,
  ) {
    this.#redis = redis;
    this.#span = limits.records;
    this.#mostTouches = limits.touches;
  }

  /** False when the log goes back further than the index. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the records that are new. */
  async catchUp(): Promise<void> {
    // A later caller may have written since an earlier one asked.
    this.#work = this.#work.catch(() => {}).then(() => this.#readOn());
    await this.#work;
  }

  /** How often an entry was put on the list before. The current time does not count. */
  listedBefore(
    list: ListName,
    { address, by }: { readonly address: string; readonly by?: string | undefined },
  ) {
    const times = this.#touches[list].timesAdded(address);
    // Entries of foreign writers are not on record.
    return by === undefined ? times : Math.max(times - 1, 0);
  }

  /** The records that touched it, the newest first. */
  records(list: ListName, address: string, most: number): Posting[] {
    return this.#touches[list].records(address, most);
  }

  async #readOn(): Promise<void> {
    const breathe = breathing();
    let size = firstPage;
    for (;;) {
      const from = this.#last?.id ?? (await this.#beginning());
      const rows: StreamRow[] = await this.#redis.xrange(keys.audit(), from, "+", "COUNT", size);
      if (this.#last && macOf(rows[0]) !== this.#last.mac) {
        this.#forget();
        continue;
      }
      const fresh = this.#last ? rows.slice(1) : rows;
      for (const row of fresh) {
        const found = this.#take(row);
        if (found) this.#unfinished.set(found.n, { record: found, part: 0 });
        await breathe();
      }
      const isRead = rows.length < size;
      if (isRead) await this.#takeParts();
      if (this.#size > this.#mostTouches && this.#span > 1) this.#shorten();
      else if (isRead) return;
      size = Math.max(nextCount(rows), 2);
    }
  }

  async #beginning(): Promise<string> {
    const [newest] = await this.#redis.xrevrange(keys.audit(), "+", "-", "COUNT", 1);
    const first = newest ? numberOf(newest[0]) - this.#span : 0;
    this.#isWhole = !(first > 1);
    return first > 1 ? `${first}-0` : "-";
  }

  get #size(): number {
    return this.#touches.safelist.size + this.#touches.blocklist.size;
  }

  /** @returns the record if its entries are in parts */
  #take([id, fields]: StreamRow): BulkRecordRow | undefined {
    this.#last = { id, mac: macOf([id, fields]) };
    const found = readRow({ id, fields });
    if (isDamaged(found)) return undefined;
    this.#touch(found, found.changes, 0);
    return isBulk(found) ? found : undefined;
  }

  #touch(record: AuditRecord, changes: AuditRecord["changes"], part: number): void {
    const list = listOf(record);
    if (!list) return;
    for (const { target, before, after } of changes) {
      // What was undone was there already.
      const isAdded = after !== null && (before === null || before.type !== undefined) && !record.undoes;
      this.#touches[list].add(target, { record: record.n, part, isAdded });
    }
  }

  /** Of records that were not finished when they were read, parts may have come since. */
  async #takeParts(): Promise<void> {
    for (const [n, { record, part }] of this.#unfinished) {
      let last = part;
      // Read before its parts: a closed record gets no more parts.
      const { bulk } = await withState(this.#redis, undefined, record);
      for await (const { n: at, changes } of walkParts(this.#redis, record, { beyond: part || undefined })) {
        if (this.#size > this.#mostTouches) break;
        this.#touch(record, changes, at);
        last = at;
      }
      const isOver = this.#size > this.#mostTouches;
      if (isOver) this.#isWhole = false;
      if (isOver || bulk?.state?.isClosed !== false) this.#unfinished.delete(n);
      else this.#unfinished.set(n, { record, part: last });
    }
  }

  /** More than memory should hold: half as far back. */
  #shorten(): void {
    this.#span = Math.ceil(this.#span / 2);
    this.#forget();
  }

  #forget(): void {
    this.#unfinished.clear();
    this.#touches = emptyTouches();
    this.#last = undefined;
  }
}

function emptyTouches(): Record<ListName, AddressPostings> {
  return { safelist: new AddressPostings(), blocklist: new AddressPostings() };
}

function macOf(row: StreamRow | undefined): string {
  return row ? readFields(row[1]).mac : "";
}

/** The list whose entries a record is about. */
export function listOf(record: AuditRecord): ListName | undefined {
  return listNames.find((list) => aboutOf(record).startsWith(`${list}.`));
}
