import type { Cidr, Ip } from "./parse.ts";

/**
 * An address or range as numbers: int32 words, of which IPv4 uses `a` alone, and the prefix length (32 or
 * 128 for one address). Bits beyond the prefix are zero. IPv4-mapped IPv6 is never family 6: it is folded.
 */
export interface Block {
  readonly family: 4 | 6;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly length: number;
}

/** The widest range that may be an entry; wider ones would lock the house. */
export const widestEntry = { 4: 16, 6: 32 } as const;

/** The bits of the given word (0 to 3) that a prefix of this length fixes. */
export function maskOf(length: number, word: number): number {
  const bits = length - 32 * word;
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

/** Is it one single address? */
export function isWhole(block: Block): boolean {
  return block.length === (block.family === 4 ? 32 : 128);
}

export function covers(outer: Block, inner: Block): boolean {
  if (outer.family !== inner.family || outer.length > inner.length) return false;
  const { length } = outer;
  return (
    ((outer.a ^ inner.a) & maskOf(length, 0)) === 0 &&
    ((outer.b ^ inner.b) & maskOf(length, 1)) === 0 &&
    ((outer.c ^ inner.c) & maskOf(length, 2)) === 0 &&
    ((outer.d ^ inner.d) & maskOf(length, 3)) === 0
  );
}

export function overlaps(x: Block, y: Block): boolean {
  return covers(x, y) || covers(y, x);
}

/** The range of the given prefix length around the block; the block itself if it is no narrower than that. */
export function widened(block: Block, length: number): Block {
  if (length >= block.length) return block;
  return masked(block, length);
}

/** The block with every bit beyond the prefix cleared. */
export function masked(block: Block, length: number): Block {
  return {
    family: block.family,
    a: block.a & maskOf(length, 0),
    b: block.b & maskOf(length, 1),
    c: block.c & maskOf(length, 2),
    d: block.d & maskOf(length, 3),
    length,
  };
}

/** The block and every range around it up to the widest, most specific first, in canonical text. */
export function coverings(
  block: Block,
  widest: Readonly<Record<4 | 6, number>> = widestEntry,
): (Ip | Cidr)[] {
  const texts = [format(block)];
  for (let length = block.length - 1; length >= widest[block.family]; length--) {
    texts.push(format(masked(block, length)));
  }
  return texts;
}

// Canonical text is branded here and nowhere else, except by the check in `isCanonical`.

/** Canonical text: RFC 5952 for IPv6; a range of one address is that address. */
export function format(block: Block): Ip | Cidr {
  return isWhole(block) ? formatIp(block) : (`${formatIp(block)}/${block.length}` as Cidr);
}

/** The first address of the block, which is the address itself if the block is whole. */
export function formatIp({ family, a, b, c, d }: Block): Ip {
  return (family === 4 ? dotted(a) : grouped(a, b, c, d)) as Ip;
}

function dotted(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

function grouped(a: number, b: number, c: number, d: number): string {
  const low = 0xffff;
  const groups = [a >>> 16, a & low, b >>> 16, b & low, c >>> 16, c & low, d >>> 16, d & low];
  const gap = longestZeros(groups);
  let text = "";
  for (let at = 0; at < groups.length; at++) {
    if (at === gap.start && gap.size > 1) {
      text += at === 0 ? "::" : ":";
      at += gap.size - 1;
      continue;
    }
    text += (groups[at] ?? 0).toString(16);
    if (at < 7) text += ":";
  }
  return text;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): { start: number; size: number } {
  const best = { start: 0, size: 0 };
  let size = 0;
  for (let at = 0; at < groups.length; at++) {
    size = groups[at] === 0 ? size + 1 : 0;
    if (size <= best.size) continue;
    best.start = at - size + 1;
    best.size = size;
  }
  return best;
}
