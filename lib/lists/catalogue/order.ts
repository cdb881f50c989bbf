import type { Shelf } from "./shelf.ts";
import { breathing, type Compare, merge, sortInPieces } from "./sort-in-pieces.ts";

/** So many changes are sorted in at once; more in pieces. */
const mostAtOnce = 2_000;
/** After more changes than this it is cheaper to sort anew, and to keep no account of them. */
const mostChanges = 200_000;

/** The rows of a shelf in the order of one column. It is brought up to date when somebody asks, not with each change. */
export class Order {
  readonly #shelf: Shelf;
  readonly #compare: Compare;
  #rows: Uint32Array = new Uint32Array(0);
  /** Rows that came or went since `#rows` was right; nothing while it is not kept at all. */
  #changed: Set<number> | undefined;
  #work: Promise<void> | undefined;

  constructor(shelf: Shelf, compare: Compare) {
    this.#shelf = shelf;
    this.#compare = compare;
    shelf.followers.add((row) => this.#note(row));
  }

  /** In order, while `isRight`. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  get isRight(): boolean {
    return this.#changed?.size === 0 && !this.#work;
  }

  /** Where in the order the rows begin that are not before what is looked for. */
  position(isBefore: (row: number) => boolean): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#rows[middle] ?? 0)) low = middle + 1;
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
    const release = this.#shelf.rows.hold();
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
    const { rows } = this.#shelf;
    if (among) return Uint32Array.from([...among].filter((row) => rows.isAlive(row)));
    const living = new Uint32Array(rows.size);
    for (let row = 0, at = 0; row < rows.end; row++) if (rows.isAlive(row)) living[at++] = row;
    return living;
  }

  #without(changed: ReadonlySet<number>): Uint32Array {
    const isGone = new Uint8Array(this.#shelf.rows.end);
    for (const row of changed) isGone[row] = 1;
    const kept = new Uint32Array(this.#rows.length);
    let count = 0;
    for (let i = 0; i < kept.length; i++) {
      const row = this.#rows[i] ?? 0;
      if (isGone[row] === 0) kept[count++] = row;
    }
    return kept.subarray(0, count);
  }

  /** Few rows among many: the place of each is searched, and what lies between is copied. */
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
