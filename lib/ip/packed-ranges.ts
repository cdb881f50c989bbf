import { type Block, covers, isWhole, masked } from "./block.ts";

/**
 * Version of the packed form. It begins with this byte. Then come the number of IPv4 ranges and, of each in order, the addresses
 * that it leaves out after the one before (doubled, and one more where a byte with its length follows). Then the same number of IPv6
 * ranges: of each a byte (how many bytes it shares with the one before, how many zeros are at its end), the bytes between, its length.
 */
const packedVersion = 1;

const noBytes = new Uint8Array(0);
/** Ranges that are read or written before other work may run: below 2 ms. */
const atOnce = 50_000;
/** The same where each is an object for a moment. */
const mergedAtOnce = 5_000;
const whole = { 4: 32, 6: 128 } as const;

/** Ranges of one family in their order, of which none shares an address with another. */
interface RangeColumn {
  readonly family: 4 | 6;
  /** First addresses: one word each, or four. */
  readonly firsts: Uint32Array;
  readonly lengths: Uint8Array;
}

const emptyColumn = (family: 4 | 6): RangeColumn => ({
  family,
  firsts: new Uint32Array(0),
  lengths: new Uint8Array(0),
});

/**
 * Many addresses and ranges that never change one by one: sorted, merged, in typed arrays. A million addresses take 5 MB of memory
 * (IPv6: 17 MB), some 2 MB when they are packed, and a search is a binary one. For ranges that change see `PrefixTable`.
 */
export class PackedRanges {
  static readonly none = new PackedRanges(emptyColumn(4), emptyColumn(6));

  readonly #v4: RangeColumn;
  readonly #v6: RangeColumn;

  constructor(v4: RangeColumn, v6: RangeColumn) {
    this.#v4 = v4;
    this.#v6 = v6;
  }

  /** Sorts and merges. */
  static of(blocks: Iterable<Block>): PackedRanges {
    const collected = new RangeCollection();
    for (const block of blocks) collected.add(block);
    return finished(collected.sort());
  }

  get size(): number {
    return this.sizeOf(4) + this.sizeOf(6);
  }

  sizeOf(family: 4 | 6): number {
    return this.#column(family).lengths.length;
  }

  /** How many IPv4 addresses they have, and how many IPv6 networks of 64 bits, of which a part counts as one. */
  get addresses(): { readonly v4: number; readonly v6Networks: number } {
    return {
      v4: sumBy(this.#v4.lengths, (length) => 2 ** (32 - length)),
      v6Networks: sumBy(this.#v6.lengths, (length) => 2 ** Math.max(0, 64 - length)),
    };
  }

  /** The range that covers all of the block. */
  covering(block: Block): Block | undefined {
    const column = this.#column(block.family);
    const row = lastNotAbove(column, block);
    if (row < 0 || (column.lengths[row] ?? 0) > block.length) return undefined;
    const range = blockOfRow(column, row);
    return covers(range, block) ? range : undefined;
  }

  /** The first range that shares an address with the block. */
  overlapping(block: Block): Block | undefined {
    const around = this.covering(block);
    if (around || isWhole(block)) return around;
    const column = this.#column(block.family);
    // One that covers the block would begin before it or with it; all others begin inside of it.
    let row = lastNotAbove(column, block);
    if (row < 0 || !covers(block, blockOfRow(column, row))) row++;
    if (row >= column.lengths.length) return undefined;
    const next = blockOfRow(column, row);
    return covers(block, next) ? next : undefined;
  }

  /** The range that covers the block, or all inside of it. */
  meeting(block: Block): Block[] {
    const column = this.#column(block.family);
    return rowsAt(column, block).map((row) => blockOfRow(column, row));
  }

  *[Symbol.iterator](): Generator<Block> {
    for (const column of [this.#v4, this.#v6])
      for (let row = 0; row < column.lengths.length; row++) yield blockOfRow(column, row);
  }

  /** Number of ranges that these have and others have not. */
  countMissingIn(others: PackedRanges): number {
    return finished(this.countingMissingIn(others));
  }

  *countingMissingIn(others: PackedRanges): Generator<void, number> {
    const v4 = yield* countMissing(this.#v4, others.#v4);
    return v4 + (yield* countMissing(this.#v6, others.#v6));
  }

  /** The range with the most addresses; of IPv6, networks of 64 bits count as addresses. */
  get widest(): Block | undefined {
    const [v4, v6] = [widestRow(this.#v4), widestRow(this.#v6)];
    if (!v4 || !v6) return v4 ?? v6;
    return 32 - v4.length < 64 - v6.length ? v6 : v4;
  }

  /** The same ranges without the addresses of these blocks: a few, as each is looked for. */
  without(blocks: readonly Block[]): PackedRanges {
    const cut = blocks.filter((block) => this.overlapping(block) !== undefined);
    if (cut.length === 0) return this;
    return new PackedRanges(columnWithout(this.#v4, cut), columnWithout(this.#v6, cut));
  }

  pack(): Uint8Array {
    return finished(this.packing());
  }

  /** The same in steps, between which other work may run. */
  *packing(): Generator<void, Uint8Array> {
    const bytes = new ByteWriter();
    bytes.put(packedVersion);
    yield* packV4(this.#v4, bytes);
    yield* packV6(this.#v6, bytes);
    return bytes.written();
  }

  /** Undefined for bytes that `pack` has not written. */
  static read(bytes: Uint8Array): PackedRanges | undefined {
    return finished(PackedRanges.reading(bytes));
  }

  static *reading(bytes: Uint8Array): Generator<void, PackedRanges | undefined> {
    const from = new ByteReader(bytes);
    if (from.byte() !== packedVersion) return undefined;
    const v4 = yield* readV4(from);
    const v6 = v4 && (yield* readV6(from));
    return v4 && v6 && from.isAtEnd ? new PackedRanges(v4, v6) : undefined;
  }

  #column(family: 4 | 6): RangeColumn {
    return family === 4 ? this.#v4 : this.#v6;
  }
}

/** Ranges in any order, of which `sort` makes `PackedRanges`. */
export class RangeCollection {
  readonly #v4 = new ColumnWriter(4);
  readonly #v6 = new ColumnWriter(6);

  /** How many were added. */
  get size(): number {
    return this.#v4.size + this.#v6.size;
  }

  add(block: Block): void {
    if (block.family === 4) this.#v4.push(block);
    else this.#v6.push(block);
  }

  /** In steps, between which other work may run. */
  *sort(): Generator<void, PackedRanges> {
    return new PackedRanges(yield* mergedColumn(this.#v4.column()), yield* mergedColumn(this.#v6.column()));
  }
}

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
function* mergedColumn(column: RangeColumn): Generator<void, RangeColumn> {
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
class ColumnWriter {
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

/** Runs what pauses to its end, without a pause. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
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
function lastNotAbove({ family, firsts, lengths }: RangeColumn, block: Block): number {
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

function blockOfRow({ family, firsts, lengths }: RangeColumn, row: number): Block {
  const length = lengths[row] ?? 0;
  if (family === 4) return { family, a: (firsts[row] ?? 0) | 0, b: 0, c: 0, d: 0, length };
  const word = (place: number) => (firsts[row * 4 + place] ?? 0) | 0;
  return { family, a: word(0), b: word(1), c: word(2), d: word(3), length };
}

function sumBy(lengths: Uint8Array, of: (length: number) => number): number {
  const counts = new Uint32Array(129);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  return counts.reduce((sum, count, length) => (count === 0 ? sum : sum + count * of(length)), 0);
}

function* countMissing(of: RangeColumn, others: RangeColumn): Generator<void, number> {
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

function widestRow(column: RangeColumn): Block | undefined {
  const { lengths } = column;
  let widest = 0;
  for (let row = 1; row < lengths.length; row++)
    if ((lengths[row] ?? 0) < (lengths[widest] ?? 0)) widest = row;
  return lengths.length === 0 ? undefined : blockOfRow(column, widest);
}

/** The rows between those that are cut are copied as they are. What is left of a row has no other half to be joined with. */
function columnWithout(column: RangeColumn, blocks: readonly Block[]): RangeColumn {
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
function rowsAt(column: RangeColumn, block: Block): number[] {
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

function* packV4({ firsts, lengths }: RangeColumn, to: ByteWriter): Generator<void> {
  to.number(lengths.length);
  let end = 0;
  for (let row = 0; row < lengths.length; row++) {
    const length = lengths[row] ?? 32;
    const first = firsts[row] ?? 0;
    const isRange = length !== 32;
    to.number(2 * (first - end) + (isRange ? 1 : 0));
    if (isRange) to.put(length);
    end = first + 2 ** (32 - length);
    if (row % atOnce === 0) yield;
  }
}

function* readV4(from: ByteReader): Generator<void, RangeColumn | undefined> {
  const size = from.count();
  if (size === undefined) return undefined;
  const firsts = new Uint32Array(size);
  const lengths = new Uint8Array(size);
  let end = 0;
  for (let row = 0; row < size; row++) {
    const gap = from.number();
    const length = gap % 2 === 1 ? from.byte() : 32;
    const first = end + Math.floor(gap / 2);
    end = first + 2 ** (32 - length);
    if (length > 32 || end > 2 ** 32 || first % 2 ** (32 - length) !== 0 || from.isBeyond) return undefined;
    firsts[row] = first;
    lengths[row] = length;
    if (row % atOnce === 0) yield;
  }
  return { family: 4, firsts, lengths };
}

function* packV6(column: RangeColumn, to: ByteWriter): Generator<void> {
  const { lengths } = column;
  to.number(lengths.length);
  let before = new Uint8Array(16);
  for (let row = 0; row < lengths.length; row++) {
    const bytes = bytesOf(column, row);
    let shared = 0;
    while (shared < 15 && bytes[shared] === before[shared]) shared++;
    let zeros = 0;
    while (zeros < 15 - shared && bytes[15 - zeros] === 0) zeros++;
    to.put((shared << 4) | zeros);
    to.putAll(bytes.subarray(shared, 16 - zeros));
    to.put(lengths[row] ?? 128);
    before = bytes;
    if (row % mergedAtOnce === 0) yield;
  }
}

function* readV6(from: ByteReader): Generator<void, RangeColumn | undefined> {
  const size = from.count();
  if (size === undefined) return undefined;
  const firsts = new Uint32Array(size * 4);
  const lengths = new Uint8Array(size);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const column = { family: 6, firsts, lengths } as const;
  for (let row = 0; row < size; row++) {
    const head = from.byte();
    const [shared, zeros] = [head >>> 4, head & 15];
    if (shared + zeros > 15) return undefined;
    for (let at = shared; at < 16; at++) bytes[at] = at < 16 - zeros ? from.byte() : 0;
    for (let word = 0; word < 4; word++) firsts[row * 4 + word] = view.getUint32(word * 4);
    lengths[row] = from.byte();
    if (from.isBeyond || !isAfter(column, row)) return undefined;
    if (row % mergedAtOnce === 0) yield;
  }
  return column;
}

/** Whether the row is a range that begins behind the one before. */
function isAfter(column: RangeColumn, row: number): boolean {
  const block = blockOfRow(column, row);
  if (block.length > whole[6] || inOrder(block, masked(block, block.length)) !== 0) return false;
  if (row === 0) return true;
  const before = blockOfRow(column, row - 1);
  return inOrder(before, block) < 0 && !covers(before, block);
}

function bytesOf({ firsts }: RangeColumn, row: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word++) view.setUint32(word * 4, firsts[row * 4 + word] ?? 0);
  return bytes;
}

/** Writes bytes, and numbers in as few of them as they need. */
export class ByteWriter {
  #bytes = new Uint8Array(1_024);
  #at = 0;

  put(byte: number): void {
    if (this.#at === this.#bytes.length) {
      const more = new Uint8Array(this.#bytes.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.#at++] = byte;
  }

  putAll(bytes: Uint8Array): void {
    for (const byte of bytes) this.put(byte);
  }

  /** Seven bits a byte, the lowest first; the eighth is set while more follow. */
  number(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.put((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.put(rest);
  }

  /** 32 bits, the highest byte first. */
  word(value: number): void {
    this.put(value >>> 24);
    this.put((value >>> 16) & 255);
    this.put((value >>> 8) & 255);
    this.put(value & 255);
  }

  get size(): number {
    return this.#at;
  }

  written(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }
}

/** Reads them. Beyond the end there are zeros. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array = noBytes) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** More was read than there is: zeros. */
  get isBeyond(): boolean {
    return this.#at > this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 42; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  }

  /** As `ByteWriter.word` writes it, with a sign. */
  word(): number {
    return (this.byte() << 24) | (this.byte() << 16) | (this.byte() << 8) | this.byte();
  }

  /** A number of ranges. Undefined where so many do not follow. */
  count(): number | undefined {
    const count = this.number();
    return !this.isBeyond && count <= this.#bytes.length ? count : undefined;
  }
}
