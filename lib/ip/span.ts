import { type Block, format, isWhole, widestEntry } from "./block.ts";
import type { Cidr, Ip } from "./parse.ts";

/** Largest number of ranges that one pair of addresses becomes. */
const mostRanges = 32;

export type Span =
  | { readonly ok: true; readonly ranges: readonly (Ip | Cidr)[] }
  | { readonly ok: false; readonly reason: string };

/** The fewest ranges that hold exactly the addresses from the first to the last. */
export function spanOf(first: Block, last: Block): Span {
  if (first.family !== last.family || !isWhole(first) || !isWhole(last))
    return { ok: false, reason: "a range is from one address to another of the same version" };
  const [from, to] = [numberOf(first), numberOf(last)];
  if (to < from) return { ok: false, reason: "the range ends before it begins" };
  const { family } = first;
  const bits = family === 4 ? 32 : 128;
  const widest = widestEntry[family];
  if (to - from >= 1n << BigInt(bits - widest))
    return { ok: false, reason: `the range is wider than /${widest}, the widest that a list may have` };
  const ranges: (Ip | Cidr)[] = [];
  for (let begin = from; begin <= to; ) {
    if (ranges.length === mostRanges)
      return { ok: false, reason: `it takes more than ${mostRanges} ranges; write them as CIDR` };
    const free = freeBits(begin, to - begin + 1n, bits - widest);
    ranges.push(format(blockAt(family, begin, bits - free)));
    begin += 1n << BigInt(free);
  }
  return { ok: true, ranges };
}

/** Free bits of the widest range that begins at this address and has no more than so many addresses. */
function freeBits(begin: bigint, count: bigint, most: number): number {
  let free = 0;
  for (let size = 2n; free < most && size <= count && (begin & (size - 1n)) === 0n; size <<= 1n) free++;
  return free;
}

function numberOf({ family, a, b, c, d }: Block): bigint {
  const words = family === 4 ? [a] : [a, b, c, d];
  return words.reduce((sum, word) => (sum << 32n) | BigInt(word >>> 0), 0n);
}

function blockAt(family: 4 | 6, address: bigint, length: number): Block {
  const word = (place: number) => Number((address >> BigInt(32 * place)) & 0xffff_ffffn) | 0;
  return family === 4
    ? { family, a: word(0), b: 0, c: 0, d: 0, length }
    : { family, a: word(3), b: word(2), c: word(1), d: word(0), length };
}
