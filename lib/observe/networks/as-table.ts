import { createReadStream } from "node:fs";
import type { Block } from "../../ip/block.ts";
import { scan } from "../../ip/block.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { blocksBetween, comparedTo, firstOf, lastOf } from "./address-ends.ts";
import type { NetworkFacts } from "./network-facts.ts";
import type { FoundNetwork, NetworkSource } from "./network-source.ts";

/** Bytes that are parsed before other work may run: below 2 ms. */
const chunkBytes = 64 * 1024;
const newLine = 10;
const comma = 44;

/**
 * Numbers and names of autonomous systems by address, from CSV files with lines `first,last,number,name` in the order of their
 * addresses. Where two ranges overlap, the one that begins later counts.
 */
export class AsTable implements NetworkSource {
  readonly #v4 = new Ranges(1);
  readonly #v6 = new Ranges(4);
  readonly #names = new Map<number, string>();
  readonly gives = { country: false, as: true };

  static async load(files: readonly string[]): Promise<AsTable> {
    const table = new AsTable();
    for (const file of files) await table.#read(file);
    table.#v4.trim();
    table.#v6.trim();
    return table;
  }

  get size(): number {
    return this.#v4.size + this.#v6.size;
  }

  find(block: Block): FoundNetwork {
    const ranges = block.family === 4 ? this.#v4 : this.#v6;
    const asn = ranges.valueOf(firstOf(block), lastOf(block));
    if (asn === "several") return { isSeveral: true };
    return asn === undefined ? {} : { facts: { asn, asName: this.#names.get(asn) } };
  }

  async *ranges(isWanted: (facts: NetworkFacts) => boolean): AsyncGenerator<Block> {
    const breathe = breathing();
    const wanted = new Set(
      [...this.#names].flatMap(([asn, asName]) => (isWanted({ asn, asName }) ? [asn] : [])),
    );
    for (const ranges of [this.#v4, this.#v6])
      for (let row = 0; row < ranges.size; row++) {
        if (row % 1_000 === 0) await breathe();
        if (wanted.has(ranges.valueAt(row))) yield* blocksBetween(...ranges.endsAt(row));
      }
  }

  async #read(file: string): Promise<void> {
    const breathe = breathing();
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(newLine) + 1;
      this.#parse(bytes.subarray(0, end), file);
      rest = bytes.subarray(end);
      await breathe();
    }
    if (rest.length > 0) this.#parse(Buffer.concat([rest, Buffer.from("\n")]), file);
  }

  #parse(lines: Buffer, file: string): void {
    for (let at = 0, end = lines.indexOf(newLine); end >= 0; at = end + 1, end = lines.indexOf(newLine, at)) {
      if (end > at) this.#add(lines, at, end, file);
    }
  }

  #add(lines: Buffer, at: number, end: number, file: string): void {
    const toLast = lines.indexOf(comma, at) + 1;
    const toNumber = lines.indexOf(comma, toLast) + 1;
    const toName = lines.indexOf(comma, toNumber) + 1;
    const isWhole = toLast > at && toNumber > toLast && toName > toNumber && toName <= end;
    const first = isWhole ? scan(lines.toString("latin1", at, toLast - 1)) : undefined;
    const last = isWhole ? scan(lines.toString("latin1", toLast, toNumber - 1)) : undefined;
    const asn = isWhole ? Number(lines.toString("latin1", toNumber, toName - 1)) : Number.NaN;
    const isRange = first && last && first.family === last.family && Number.isInteger(asn);
    const isAdded = isRange && (first.family === 4 ? this.#v4 : this.#v6).add(first, last, asn);
    if (!isAdded) throw new Error(`${file} is damaged after ${this.size} ranges`);
    if (!this.#names.has(asn)) this.#names.set(asn, unquoted(lines.toString("utf8", toName, end)));
  }
}

const unquoted = (text: string) => {
  const line = text.trim();
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
};

const firstCapacity = 4_096;

/** Ranges of one family in their order, with a number each. Their columns are a few bytes a range. */
class Ranges {
  readonly #words: 1 | 4;
  #firsts: Uint32Array;
  #lasts: Uint32Array;
  #values: Uint32Array;
  size = 0;

  constructor(words: 1 | 4) {
    this.#words = words;
    this.#firsts = new Uint32Array(firstCapacity * words);
    this.#lasts = new Uint32Array(firstCapacity * words);
    this.#values = new Uint32Array(firstCapacity);
  }

  /** False for a range that is empty, or begins before the last one. */
  add(first: Block, last: Block, value: number): boolean {
    const isInOrder = this.size === 0 || this.#aboveBy(this.#firsts, this.size - 1, first) > 0;
    if (!isInOrder || comparedTo(first, last) > 0) return false;
    if (this.size === this.#values.length) this.#resize(this.size * 2);
    this.#put(this.#firsts, this.size, first);
    this.#put(this.#lasts, this.size, last);
    this.#values[this.size] = value;
    this.size++;
    return true;
  }

  valueAt(row: number): number {
    return this.#values[row] ?? 0;
  }

  endsAt(row: number): [first: Block, last: Block] {
    return [this.#addressAt(this.#firsts, row), this.#addressAt(this.#lasts, row)];
  }

  #addressAt(column: Uint32Array, row: number): Block {
    const word = (place: number) => (column[row * this.#words + place] ?? 0) | 0;
    return this.#words === 1
      ? { family: 4, a: word(0), b: 0, c: 0, d: 0, length: 32 }
      : { family: 6, a: word(0), b: word(1), c: word(2), d: word(3), length: 128 };
  }

  trim(): void {
    this.#resize(this.size);
  }

  /** The value of all addresses from the first to the last. Undefined: none has one. */
  valueOf(first: Block, last: Block): number | "several" | undefined {
    let index = this.#indexOf(first);
    const isIn = index >= 0 && this.#aboveBy(this.#lasts, index, first) <= 0;
    const value = isIn ? this.#values[index] : undefined;
    const isAlone = comparedTo(first, last) === 0;
    if (isAlone) return value;
    if (!isIn) {
      const next = index + 1;
      return next < this.size && this.#aboveBy(this.#firsts, next, last) >= 0 ? "several" : undefined;
    }
    // Neighbouring ranges of the same number are one network.
    for (; this.#aboveBy(this.#lasts, index, last) > 0; index++) {
      const next = index + 1;
      if (next >= this.size || this.#values[next] !== value || !this.#isAfter(index, next)) return "several";
    }
    return value;
  }

  /** The last range that begins at the address or before it. -1: none. */
  #indexOf(address: Block): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#aboveBy(this.#firsts, middle, address) >= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Above zero if the address is above the one of a row, zero if it is the same. */
  #aboveBy(column: Uint32Array, row: number, address: Block): number {
    const at = row * this.#words;
    const first = (address.a >>> 0) - (column[at] ?? 0);
    if (this.#words === 1 || first !== 0) return first;
    return (
      (address.b >>> 0) - (column[at + 1] ?? 0) ||
      (address.c >>> 0) - (column[at + 2] ?? 0) ||
      (address.d >>> 0) - (column[at + 3] ?? 0)
    );
  }

  /** Whether the next range begins right after this one, or within it. */
  #isAfter(row: number, next: number): boolean {
    const words = this.#words;
    let carry = 1;
    const end: number[] = [];
    for (let word = words - 1; word >= 0; word--) {
      const value = ((this.#lasts[row * words + word] ?? 0) + carry) >>> 0;
      carry = carry === 1 && value === 0 ? 1 : 0;
      end[word] = value;
    }
    for (let word = 0; word < words; word++) {
      const difference = (this.#firsts[next * words + word] ?? 0) - (end[word] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return true;
  }

  #put(column: Uint32Array, row: number, { a, b, c, d }: Block): void {
    const at = row * this.#words;
    column[at] = a;
    if (this.#words === 1) return;
    column[at + 1] = b;
    column[at + 2] = c;
    column[at + 3] = d;
  }

  #resize(rows: number): void {
    this.#firsts = resized(this.#firsts, rows * this.#words);
    this.#lasts = resized(this.#lasts, rows * this.#words);
    this.#values = resized(this.#values, rows);
  }
}

function resized(column: Uint32Array, length: number): Uint32Array {
  const next = new Uint32Array(length);
  next.set(column.subarray(0, Math.min(length, column.length)));
  return next;
}
