import { type Block, covers, overlaps } from "./block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "./parse.ts";

/** A few ranges of any width, in the given order. For many entries see `PrefixTable`. */
export interface RangeList {
  readonly ranges: readonly (Ip | Cidr)[];
  /** The first range that covers all of the block. */
  covering(block: Block): Ip | Cidr | undefined;
  /** The first range that shares an address with the block. */
  overlapping(block: Block): Ip | Cidr | undefined;
}

export function rangeList(texts: readonly (Ip | Cidr)[]): RangeList {
  const ranges = Object.freeze([...texts]);
  const blocks = ranges.map(blockOf);
  const first = (isMeant: (range: Block) => boolean) => ranges[blocks.findIndex(isMeant)];
  return Object.freeze({
    ranges,
    covering: (block: Block) => first((range) => covers(range, block)),
    overlapping: (block: Block) => first((range) => overlaps(range, block)),
  });
}

export const loopback = rangeList(["127.0.0.0/8", "::1"].filter(isCanonical));
