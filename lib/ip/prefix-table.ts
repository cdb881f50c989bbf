import { type Block, isWhole, masked, widestEntry } from "./block.ts";
import { BlockMap } from "./block-map.ts";
import type { Key } from "./key-hash.ts";
import { RangeIndex } from "./range-index.ts";

/** One address family's entries. */
interface Side {
  readonly family: 4 | 6;
  readonly widest: number;
  readonly whole: number;
  readonly entries: BlockMap;
  readonly ranges: RangeIndex;
}

/**
 * Addresses and ranges with a number each (when the entry expires), searched by longest prefix. Made for a
 * million entries: small in memory, a fraction of a microsecond a search, and no change that holds the event loop.
 */
export class PrefixTable {
  /** So many calls of `sweep` go once through the whole table. */
  static readonly slices = BlockMap.shards;

  readonly #v4 = side(4, 32, new BlockMap(1));
  readonly #v6 = side(6, 128, new BlockMap(4));
  #nextSlice = 0;

  get size(): number {
    return this.#v4.entries.size + this.#v6.entries.size;
  }

  /** False, and nothing is kept, if the block is wider than any entry may be (/16, IPv6 /32). */
  set(block: Block, value: number): boolean {
    const { entries, ranges, widest } = this.#side(block);
    if (block.length < widest) return false;
    const isNew = entries.set(block, value);
    if (isNew && !isWhole(block)) ranges.add(block);
    return true;
  }

  delete(block: Block): boolean {
    const { entries, ranges } = this.#side(block);
    const isGone = entries.delete(block);
    if (isGone && !isWhole(block)) ranges.remove(block);
    return isGone;
  }

  /** The value of exactly this block. */
  get(block: Block): number | undefined {
    return this.#side(block).entries.get(block);
  }

  /** The most specific entry that covers the block and that `accept` takes. */
  match(
    block: Block,
    accept: (value: number, length: number) => boolean,
  ): { block: Block; value: number } | undefined {
    const { entries, ranges, widest, whole } = this.#side(block);
    if (block.length === whole) {
      const value = entries.get(block);
      if (value !== undefined && accept(value, whole)) return { block, value };
    }
    const longest = Math.min(block.length, whole - 1);
    for (let band = longest >>> 5; band >= widest >>> 5; band--) {
      let lengths = ranges.lengthsAround(block.a, band);
      while (lengths !== 0) {
        const bit = 31 - Math.clz32(lengths);
        lengths ^= 1 << bit;
        const length = 32 * band + bit;
        if (length > longest) continue;
        const range = masked(block, length);
        const value = entries.get(range);
        if (value !== undefined && accept(value, length)) return { block: range, value };
      }
    }
    return undefined;
  }

  forEach(visit: (block: Block, value: number) => void): void {
    for (const { family, entries } of [this.#v4, this.#v6]) {
      entries.forEach(({ a, b, c, d, length }, value) => {
        visit({ family, a, b, c, d, length }, value);
      });
    }
  }

  /** Deletes what `isGone` says from the next slice of the table. Returns how many entries went. */
  sweep(isGone: (value: number) => boolean): number {
    const slice = this.#nextSlice;
    this.#nextSlice = (slice + 1) % PrefixTable.slices;
    return sweepSide(this.#v4, slice, isGone) + sweepSide(this.#v6, slice, isGone);
  }

  #side(block: Block): Side {
    return block.family === 4 ? this.#v4 : this.#v6;
  }
}

function side(family: 4 | 6, whole: number, entries: BlockMap): Side {
  const widest = widestEntry[family];
  return { family, whole, widest, entries, ranges: new RangeIndex(widest) };
}

function sweepSide(
  { entries, ranges, whole }: Side,
  slice: number,
  isGone: (value: number) => boolean,
): number {
  return entries.sweep(slice, isGone, (key: Key) => {
    if (key.length !== whole) ranges.remove(key);
  });
}
