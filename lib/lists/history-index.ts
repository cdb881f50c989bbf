import { type AuditRecord, aboutOf } from "../audit/record.ts";
import { isDamaged, numberOf, readRow } from "../audit/stored.ts";
import { breathing, nextCount } from "../audit/walk.ts";
import type { Connection } from "../redis/connect.ts";
import { keys, type ListName, listNames } from "../redis/keys.ts";
import { Touches } from "./touches.ts";

type Row = [id: string, fields: string[]];

/** How far back a log is known, at most: in records, and in entries that they touched. */
const usualLimits = { records: 50_000, touches: 1_500_000 } as const;
const firstPage = 50;

/**
 * Which records of the audit log touched an entry, and how often it was put on a list. The log is read once; then only what
 * is new of it. A log that is too long is known from some record on.
 */
export class HistoryIndex {
  readonly #redis: Connection;
  readonly #mostTouches: number;
  #touches = emptyTouches();
  #span: number;
  /** The last record that is in it, and its seal: another one there means another log. */
  #last: { readonly id: string; readonly mac: string } | undefined;
  #isWhole = true;
  #work: Promise<void> = Promise.resolve();

  constructor(
    redis: Connection,
    limits: { readonly records: number; readonly touches: number } = usualLimits,
  ) {
    this.#redis = redis;
    this.#span = limits.records;
    this.#mostTouches = limits.touches;
  }

  /** False when the log goes back further than what is known. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Takes in what is new. */
  async catchUp(): Promise<void> {
    // Whoever asks while others wait may have written since they asked.
    this.#work = this.#work.catch(() => {}).then(() => this.#readOn());
    await this.#work;
  }

  /** How often an entry was put on the list before: the time that it is there now does not count. */
  listedBefore(
    list: ListName,
    { address, by }: { readonly address: string; readonly by?: string | undefined },
  ) {
    const times = this.#touches[list].timesAdded(address);
    // What a foreign writer put there is not on record.
    return by === undefined ? times : Math.max(times - 1, 0);
  }

  /** Numbers of the records that touched it, the newest first. */
  records(list: ListName, address: string, most: number): number[] {
    return this.#touches[list].records(address, most);
  }

  async #readOn(): Promise<void> {
    const breathe = breathing();
    let size = firstPage;
    for (;;) {
      const from = this.#last?.id ?? (await this.#beginning());
      const rows: Row[] = await this.#redis.xrange(keys.audit(), from, "+", "COUNT", size);
      if (this.#last && macOf(rows[0]) !== this.#last.mac) {
        this.#forget();
        continue;
      }
      const fresh = this.#last ? rows.slice(1) : rows;
      for (const row of fresh) {
        this.#take(row);
        await breathe();
      }
      if (this.#touches.safelist.size + this.#touches.blocklist.size > this.#mostTouches) this.#shorten();
      else if (rows.length < size) return;
      size = Math.max(nextCount(rows), 2);
    }
  }

  async #beginning(): Promise<string> {
    const [newest] = await this.#redis.xrevrange(keys.audit(), "+", "-", "COUNT", 1);
    const first = newest ? numberOf(newest[0]) - this.#span : 0;
    this.#isWhole = !(first > 1);
    return first > 1 ? `${first}-0` : "-";
  }

  #take([id, fields]: Row): void {
    this.#last = { id, mac: macOf([id, fields]) };
    const found = readRow({ id, fields });
    const list = isDamaged(found) ? undefined : listOf(found);
    if (isDamaged(found) || !list) return;
    for (const { target, before, after } of found.changes) {
      // What was undone was there already.
      const isAdded = after !== null && (before === null || before.type !== undefined) && !found.undoes;
      this.#touches[list].add(target, found.n, isAdded);
    }
  }

  /** More than memory should hold: half as far back. */
  #shorten(): void {
    this.#span = Math.ceil(this.#span / 2);
    this.#forget();
  }

  #forget(): void {
    this.#touches = emptyTouches();
    this.#last = undefined;
  }
}

function emptyTouches(): Record<ListName, Touches> {
  return { safelist: new Touches(), blocklist: new Touches() };
}

function macOf(row: Row | undefined): string {
  const fields = row?.[1] ?? [];
  const at = fields.indexOf("mac");
  return at === -1 ? "" : (fields[at + 1] ?? "");
}

/** The list whose entries a record is about. */
export function listOf(record: AuditRecord): ListName | undefined {
  return listNames.find((list) => aboutOf(record).startsWith(`${list}.`));
}
