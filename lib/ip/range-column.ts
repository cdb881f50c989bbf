import { type Block, covers, masked } from "./block.ts";

/** Ranges that are read or written before other work may run: below 2 ms. */
export const atOnce = 50_000;
/** The same where each is an object for a moment. */
export const mergedAtOnce = 5_000;
const whole = { 4: 32, 6: 128 } as const;

/** Ranges of one family in their order, of which none shares an address with another. */
export interface RangeColumn {
  readonly family: 4 | 6;
  /** First addresses: one word each, or four. */
  readonly firsts: Uint32Array;
  readonly lengths: Uint8Array;
}

export const emptyColumn = (family: 4 | 6): RangeColumn => ({
  family,
  firsts: new Uint32Array(0),
  lengths: new Uint8Array(0),
});

/** Below that, comparing them costs less than counting digits. */
const fewRows = 3_000;

/** The rows of a column in the order of their ranges: by the last digit of 16 bits first, as each pass keeps the order before. */
function* sortedRows(column: RangeColumn): Generator<void, Uint32Array> {
  const { family, firsts, lengths } = column;
  const size = lengths.length;
  const words = family === 4 ? 1 : 4;
  let rows = new Uint32Array(size);
  for (let row = 0; row < size; row++) rows[row] = row;
  if (size < fewRows) return rows.sort((x, y) => rowsInOrder(column, x, column, y));
  let other = new Uint32Array(size);
  for (let digit = 2 * words; digit >= 0; digit--) {
    const [word, shift] = [digit >>> 1, digit % 2 === 0 ? 16 : 0];
    const digitOf = (row: number) =>
      word === words ? (lengths[row] ?? 0) : ((firsts[row * words + word] ?? 0) >>> shift) & 0xffff;
    const starts = new Uint32Array(0x10000 + 1);
    for (let row = 0; row < size; row++) {
      const next = digitOf(row) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
      if (row % atOnce === 0) yield;
    }
    if (starts.includes(size)) continue;
    for (let value = 1; value < starts.length; value++)
      starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
    for (let place = 0; place < size; place++) {
      const row = rows[place] ?? 0;
      const start = starts[digitOf(row)] ?? 0;
      other[start] = row;
      starts[digitOf(row)] = start + 1;
      if (place % atOnce === 0) yield;
    }
    [rows, other] = [other, rows];
  }
  return rows;
}

/** Sorts ranges, drops those inside of others, and joins two halves. */
export function* mergedColumn(column: RangeColumn): Generator<void, RangeColumn> {
  const rows = yield* sortedRows(column);
  const merged = new ColumnWriter(column.family, rows.length);
  for (const [place, row] of rows.entries()) {
    addInOrder(merged, blockOfRow(column, row));
    if (place % mergedAtOnce === 0) yield;
  }
  return merged.column();
}

function addInOrder(rows: ColumnWriter, block: Block): void {
  let last = rows.last;
  if (last && covers(last, block)) return;
  let range = block;
  while (last && last.length === range.length && range.length > 0) {
    const both = masked(range, range.length - 1);
    if (!covers(both, last)) break;
    rows.pop();
    range = both;
    last = rows.last;
  }
  rows.push(range);
}

/** A column that grows. */
export class ColumnWriter {
  readonly #family: 4 | 6;
  readonly #words: number;
  #firsts: Uint32Array<ArrayBuffer>;
  #lengths: Uint8Array<ArrayBuffer>;
  #size = 0;

  constructor(family: 4 | 6, capacity = 16) {
    this.#family = family;
    this.#words = family === 4 ? 1 : 4;
    this.#firsts = new Uint32Array(capacity * this.#words);
    this.#lengths = new Uint8Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  get last(): Block | undefined {
    const column = { family: this.#family, firsts: this.#firsts, lengths: this.#lengths };
    return this.#size === 0 ? undefined : blockOfRow(column, this.#size - 1);
  }

  push({ a, b, c, d, length }: Block): void {
    if (this.#size === this.#lengths.length) this.#grow();
    const at = this.#size * this.#words;
    this.#lengths[this.#size++] = length;
    this.#firsts[at] = a;
    if (this.#words === 1) return;
    this.#firsts[at + 1] = b;
    this.#firsts[at + 2] = c;
    this.#firsts[at + 3] = d;
  }

  pop(): void {
    this.#size--;
  }

  column(): RangeColumn {
    return {
      family: this.#family,
      firsts: this.#firsts.slice(0, this.#size * this.#words),
      lengths: this.#lengths.slice(0, this.#size),
    };
  }

  #grow(): void {
    const capacity = Math.max(16, this.#size * 2);
    const [firsts, lengths] = [new Uint32Array(capacity * this.#words), new Uint8Array(capacity)];
    firsts.set(this.#firsts);
    lengths.set(this.#lengths);
    [this.#firsts, this.#lengths] = [firsts, lengths];
  }
}

/** Of two ranges, below zero where the first begins before the other, or with it and is wider. */
function inOrder(x: Block, y: Block): number {
  return (
    (x.a >>> 0) - (y.a >>> 0) ||
    (x.b >>> 0) - (y.b >>> 0) ||
    (x.c >>> 0) - (y.c >>> 0) ||
    (x.d >>> 0) - (y.d >>> 0) ||
    x.length - y.length
  );
}

/** The last row that begins at the first address of the block or before it. -1: none. */
export function lastNotAbove({ family, firsts, lengths }: RangeColumn, block: Block): number {
  let low = 0;
  let high = lengths.length;
  const word = block.a >>> 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isAbove = family === 4 ? (firsts[middle] ?? 0) > word : aboveBy(firsts, middle * 4, block) > 0;
    if (isAbove) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function aboveBy(firsts: Uint32Array, at: number, { a, b, c, d }: Block): number {
  return (
    (firsts[at] ?? 0) - (a >>> 0) ||
    (firsts[at + 1] ?? 0) - (b >>> 0) ||
    (firsts[at + 2] ?? 0) - (c >>> 0) ||
    (firsts[at + 3] ?? 0) - (d >>> 0)
  );
}

export function blockOfRow({ family, firsts, lengths }: RangeColumn, row: number): Block {
  const length = lengths[row] ?? 0;
  if (family === 4) return { family, a: (firsts[row] ?? 0) | 0, b: 0, c: 0, d: 0, length };
  const word = (place: number) => (firsts[row * 4 + place] ?? 0) | 0;
  return { family, a: word(0), b: word(1), c: word(2), d: word(3), length };
}

export function sumBy(lengths: Uint8Array, of: (length: number) => number): number {
  const counts = new Uint32Array(129);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  return counts.reduce((sum, count, length) => (count === 0 ? sum : sum + count * of(length)), 0);
}

export function* countMissing(of: RangeColumn, others: RangeColumn): Generator<void, number> {
  let count = 0;
  let other = 0;
  let steps = 0;
  for (let row = 0; row < of.lengths.length; row++) {
    if (++steps % mergedAtOnce === 0) yield;
    while (other < others.lengths.length && rowsInOrder(others, other, of, row) < 0) {
      other++;
      if (++steps % mergedAtOnce === 0) yield;
    }
    if (other >= others.lengths.length || rowsInOrder(others, other, of, row) !== 0) count++;
  }
  return count;
}

/** As `inOrder`, without an object for each row. */
function rowsInOrder(x: RangeColumn, row: number, y: RangeColumn, other: number): number {
  const words = x.family === 4 ? 1 : 4;
  for (let word = 0; word < words; word++) {
    const difference = (x.firsts[row * words + word] ?? 0) - (y.firsts[other * words + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return (x.lengths[row] ?? 0) - (y.lengths[other] ?? 0);
}

export function widestRow(column: RangeColumn): Block | undefined {
  const { lengths } = column;
  let widest = 0;
  for (let row = 1; row < lengths.length; row++)
    if ((lengths[row] ?? 0) < (lengths[widest] ?? 0)) widest = row;
  return lengths.length === 0 ? undefined : blockOfRow(column, widest);
}

/** The rows between those that are cut are copied as they are. What is left of a row has no other half to be joined with. */
export function columnWithout(column: RangeColumn, blocks: readonly Block[]): RangeColumn {
  const { family, firsts, lengths } = column;
  const cut = blocks.filter((block) => block.family === family);
  const rows = [...new Set(cut.flatMap((block) => rowsAt(column, block)))].sort((x, y) => x - y);
  if (rows.length === 0) return column;
  const left = rows.map((row) => [...leftOf([blockOfRow(column, row)], cut)].sort(inOrder));
  const words = family === 4 ? 1 : 4;
  const size = left.reduce((sum, blocks) => sum + blocks.length, lengths.length - rows.length);
  const result = { family, firsts: new Uint32Array(size * words), lengths: new Uint8Array(size) };
  let [from, to] = [0, 0];
  const copyUntil = (end: number) => {
    result.firsts.set(firsts.subarray(from * words, end * words), to * words);
    result.lengths.set(lengths.subarray(from, end), to);
    to += end - from;
    from = end + 1;
  };
  for (const [i, row] of rows.entries()) {
    copyUntil(row);
    for (const { a, b, c, d, length } of left[i] ?? []) {
      result.firsts.set(words === 1 ? [a] : [a, b, c, d], to * words);
      result.lengths[to++] = length;
    }
  }
  copyUntil(lengths.length);
  return result;
}

/** The rows that share an address with the block. */
export function rowsAt(column: RangeColumn, block: Block): number[] {
  const before = lastNotAbove(column, block);
  const rows: number[] = [];
  if (before >= 0 && covers(blockOfRow(column, before), block)) return [before];
  for (let row = Math.max(0, before); row < column.lengths.length; row++) {
    if (covers(block, blockOfRow(column, row))) rows.push(row);
    else if (row > before) break;
  }
  return rows;
}

/** What is left of a block without these: itself, nothing, or the widest ranges between them. */
export function withoutParts(block: Block, cut: readonly Block[]): Iterable<Block> {
  return leftOf([block], cut);
}

/** What is left of ranges without these blocks: halves, again and again, down to the blocks. */
function* leftOf(ranges: Iterable<Block>, cut: readonly Block[]): Generator<Block> {
  for (const range of ranges) {
    const inside = cut.filter((one) => covers(range, one) || covers(one, range));
    if (inside.some((one) => covers(one, range))) continue;
    if (inside.length === 0) yield range;
    else yield* leftOf(halvesOf(range), inside);
  }
}

function halvesOf({ length, ...first }: Block): Block[] {
  const word = length >>> 5;
  const bit = 1 << (31 - (length & 31));
  const second = {
    ...first,
    a: word === 0 ? first.a | bit : first.a,
    b: word === 1 ? first.b | bit : first.b,
    c: word === 2 ? first.c | bit : first.c,
    d: word === 3 ? first.d | bit : first.d,
  };
  return [
    { ...first, length: length + 1 },
    { ...second, length: length + 1 },
  ];
}

/** Whether the row is a range that begins behind the one before. */
export function isAfter(column: RangeColumn, row: number): boolean {
  const block = blockOfRow(column, row);
  if (block.length > whole[6] || inOrder(block, masked(block, block.length)) !== 0) return false;
  if (row === 0) return true;
  const before = blockOfRow(column, row - 1);
  return inOrder(before, block) < 0 && !covers(before, block);
}
