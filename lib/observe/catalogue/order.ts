import { breathing, loopTurn } from "../../redis/loop-turn.ts";
import type { ListTable } from "./list-table.ts";
import { noRow } from "./rows.ts";

/** Most changes that are sorted in at once; more go in pieces. */
const mostAtOnce = 2_000;
/** After more changes than this it is cheaper to sort again than to record them. */
const mostChanges = 200_000;

/** The rows of a table in the order of one column. Brought up to date on demand, not with each change. */
export class Order {
  readonly #table: ListTable;
  readonly #compare: Compare;
  #rows: Uint32Array = new Uint32Array(0);
  /** Rows that came or went since `#rows` was right; undefined while changes are not recorded. */
  #changed: Set<number> | undefined;
  #work: Promise<void> | undefined;

  constructor(table: ListTable, compare: Compare) {
    this.#table = table;
    this.#compare = compare;
    table.followers.add((row) => this.#note(row));
  }

  /** In order, while `isRight`. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  get isRight(): boolean {
    return this.#changed?.size === 0 && !this.#work;
  }

  /** The place of the first row that is not before the target. */
  position(isBefore: (row: number) => boolean): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#rows[middle] ?? noRow(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async refresh(): Promise<void> {
    while (!this.#refreshNow()) {
      this.#work ??= this.#sortAll().finally(() => {
        this.#work = undefined;
      });
      await this.#work;
      await loopTurn();
    }
  }

  /** True when the order is right now: a few changes are sorted in without a pause. */
  #refreshNow(): boolean {
    if (!this.#changed || this.#work || this.#changed.size > mostAtOnce) return false;
    if (this.#changed.size === 0) return true;
    const added = this.#living(this.#changed).sort(this.#compare);
    const kept = this.#without(this.#changed);
    this.#changed = new Set();
    this.#rows = this.#insert(added, kept);
    return true;
  }

  async #sortAll(): Promise<void> {
    const release = this.#table.rows.hold();
    try {
      const before = this.#changed;
      this.#changed = new Set();
      if (before) {
        const added = await sortInPieces(this.#living(before), this.#compare);
        const kept = this.#without(before);
        const rows = new Uint32Array(kept.length + added.length);
        const breathe = breathing();
        for (const _ of merge(kept, added, rows, this.#compare)) await breathe();
        this.#rows = rows;
      } else this.#rows = await sortInPieces(this.#living(), this.#compare);
    } finally {
      release();
    }
  }

  #note(row: number): void {
    if (!this.#changed) return;
    this.#changed.add(row);
    if (this.#changed.size > mostChanges && !this.#work) {
      this.#changed = undefined;
      this.#rows = new Uint32Array(0);
    }
  }

  #living(among?: ReadonlySet<number>): Uint32Array {
    const { rows } = this.#table;
    if (among) return Uint32Array.from([...among].filter((row) => rows.isAlive(row)));
    const living = new Uint32Array(rows.size);
    for (let row = 0, at = 0; row < rows.end; row++) if (rows.isAlive(row)) living[at++] = row;
    return living;
  }

  #without(changed: ReadonlySet<number>): Uint32Array {
    const isGone = new Uint8Array(this.#table.rows.end);
    for (const row of changed) isGone[row] = 1;
    const kept = new Uint32Array(this.#rows.length);
    let count = 0;
    for (const row of this.#rows) if (isGone[row] === 0) kept[count++] = row;
    return kept.subarray(0, count);
  }

  /** Inserts few rows among many: searches the place of each, and copies the rows between. */
  #insert(added: Uint32Array, kept: Uint32Array): Uint32Array {
    this.#rows = kept;
    const rows = new Uint32Array(kept.length + added.length);
    let from = 0;
    for (const [i, row] of added.entries()) {
      const to = this.position((other) => this.#compare(other, row) < 0);
      rows.set(kept.subarray(from, to), from + i);
      rows[to + i] = row;
      from = to;
    }
    rows.set(kept.subarray(from), from + added.length);
    return rows;
  }
}

export type Compare = (x: number, y: number) => number;

const runLength = 4_096;

/** Sorts a million numbers without holding up others: short runs first, which are then merged in pairs. */
async function sortInPieces(numbers: Uint32Array, compare: Compare): Promise<Uint32Array> {
  const breathe = breathing();
  for (let from = 0; from < numbers.length; from += runLength) {
    numbers.subarray(from, from + runLength).sort(compare);
    await breathe();
  }
  let from = numbers;
  let to: Uint32Array = new Uint32Array(numbers.length);
  for (let width = runLength; width < numbers.length; width *= 2) {
    for (let start = 0; start < numbers.length; start += 2 * width) {
      const [middle, end] = [start + width, start + 2 * width];
      const merging = merge(
        from.subarray(start, middle),
        from.subarray(middle, end),
        to.subarray(start, end),
        compare,
      );
      while (merging.next().done !== true) await breathe();
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two sorted runs into one as long as both, and pauses now and then. */
export function* merge(x: Uint32Array, y: Uint32Array, into: Uint32Array, compare: Compare): Generator<void> {
  let [i, j] = [0, 0];
  for (let at = 0; at < into.length; at++) {
    const isFromX = j >= y.length || (i < x.length && compare(x[i] ?? noRow(i), y[j] ?? noRow(j)) <= 0);
    into[at] = (isFromX ? x[i++] : y[j++]) ?? noRow(at);
    if (at % runLength === runLength - 1) yield;
  }
}
