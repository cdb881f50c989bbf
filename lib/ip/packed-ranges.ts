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
    let v4 = 0;
    for (const length of this.#v4.lengths) v4 += 2 ** (32 - length);
    let v6Networks = 0;
    for (const length of this.#v6.lengths) v6Networks += 2 ** Math.max(0, 64 - length);
    return { v4, v6Networks };
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

  *[Symbol.iterator](): Generator<Block> {
    for (const column of [this.#v4, this.#v6])
      for (let row = 0; row < column.lengths.length; row++) yield blockOfRow(column, row);
  }

  /** Numbers of ranges that these have and others have not. */
  countMissingIn(others: PackedRanges): number {
    return countMissing(this.#v4, others.#v4) + countMissing(this.#v6, others.#v6);
  }

  /** The same ranges without the addresses of these blocks. */
  without(blocks: readonly Block[]): PackedRanges {
    const cut = blocks.filter((block) => this.overlapping(block) !== undefined);
    if (cut.length === 0) return this;
    return PackedRanges.of(leftOf(this, cut));
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

const shards = 256;

/** Ranges in any order, of which `sort` makes `PackedRanges`. */
export class RangeCollection {
  /** By the first byte: sorting all at once would block the event loop. IPv4 as one number each, which sorts as the range does. */
  readonly #v4: number[][] = Array.from({ length: shards }, () => []);
  readonly #v6: Block[][] = Array.from({ length: shards }, () => []);
  #size = 0;

  /** How many were added. */
  get size(): number {
    return this.#size;
  }

  add(block: Block): void {
    this.#size++;
    const shard = block.a >>> 24;
    if (block.family === 4) this.#v4[shard]?.push((block.a >>> 0) * 64 + block.length);
    else this.#v6[shard]?.push(block);
  }

  /** In steps, between which other work may run. */
  *sort(): Generator<void, PackedRanges> {
    const v4 = new Merger(4);
    for (const shard of this.#v4) {
      for (const range of Float64Array.from(shard).sort())
        v4.add({ family: 4, a: Math.floor(range / 64) | 0, b: 0, c: 0, d: 0, length: range % 64 });
      yield;
    }
    const v6 = new Merger(6);
    for (const shard of this.#v6) {
      for (const range of shard.sort(inOrder)) v6.add(range);
      yield;
    }
    return new PackedRanges(v4.column(), v6.column());
  }
}

/** Runs what pauses to its end, without a pause. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Takes ranges in their order. Drops those inside of others, and joins two halves. */
class Merger {
  readonly #family: 4 | 6;
  readonly #rows: Block[] = [];

  constructor(family: 4 | 6) {
    this.#family = family;
  }

  add(block: Block): void {
    const rows = this.#rows;
    let last = rows.at(-1);
    if (last && covers(last, block)) return;
    let range = block;
    while (last && last.length === range.length && range.length > 0) {
      const both = masked(range, range.length - 1);
      if (!covers(both, last)) break;
      rows.pop();
      range = both;
      last = rows.at(-1);
    }
    rows.push(range);
  }

  column(): RangeColumn {
    const rows = this.#rows;
    const words = this.#family === 4 ? 1 : 4;
    const firsts = new Uint32Array(rows.length * words);
    const lengths = new Uint8Array(rows.length);
    for (const [row, { a, b, c, d, length }] of rows.entries()) {
      lengths[row] = length;
      firsts[row * words] = a;
      if (words === 1) continue;
      firsts[row * words + 1] = b;
      firsts[row * words + 2] = c;
      firsts[row * words + 3] = d;
    }
    return { family: this.#family, firsts, lengths };
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

function countMissing(of: RangeColumn, others: RangeColumn): number {
  let count = 0;
  let other = 0;
  for (let row = 0; row < of.lengths.length; row++) {
    const block = blockOfRow(of, row);
    while (other < others.lengths.length && inOrder(blockOfRow(others, other), block) < 0) other++;
    if (other >= others.lengths.length || inOrder(blockOfRow(others, other), block) !== 0) count++;
  }
  return count;
}

/** What is left of ranges without these blocks: halves, again and again, down to the blocks. */
function* leftOf(ranges: Iterable<Block>, cut: readonly Block[]): Generator<Block> {
  for (const range of ranges) {
    const inside = cut.filter(
      (one) => one.family === range.family && (covers(range, one) || covers(one, range)),
    );
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
    if (row % atOnce === 0) yield;
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
    if (row % atOnce === 0) yield;
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
