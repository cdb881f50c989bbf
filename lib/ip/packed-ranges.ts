import { type Block, covers, isWhole } from "./block.ts";
import {
  atOnce,
  blockOfRow,
  ColumnWriter,
  columnWithout,
  countMissing,
  emptyColumn,
  isAfter,
  lastNotAbove,
  mergedAtOnce,
  mergedColumn,
  type RangeColumn,
  rowsAt,
  sumBy,
  widestRow,
} from "./range-column.ts";

/**
 * Version of the packed form. It begins with this byte. Then come the number of IPv4 ranges and, of each in order, the addresses
 * that it leaves out after the one before (doubled, and one more where a byte with its length follows). Then the same number of IPv6
 * ranges: of each a byte (how many bytes it shares with the one before, how many zeros are at its end), the bytes between, its length.
 */
const packedVersion = 1;

const noBytes = new Uint8Array(0);

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

/** Runs what pauses to its end, without a pause. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
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
