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

/** Prefix lengths of the widest entries: a wider one could lock out everyone. */
export const widestEntry = { 4: 16, 6: 32 } as const;

/** The bits of the given word (0 to 3) that a prefix of this length fixes. */
export function maskOf(length: number, word: number): number {
  const bits = length - 32 * word;
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

/** Whether the block is one single address. */
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

/** The range of the given prefix length around the block. A block that is as wide or wider is returned as it is. */
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

/** One address and its texts, each made once: a client sends many requests. */
export class ClientAddress implements Block {
  readonly family: 4 | 6;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly length: number;
  /** What a memory of clients knows of this address, and in which of the memory's epochs that holds. */
  memo: object | undefined;
  memoEpoch: object | undefined;
  /** Where statistics last counted it. */
  slot = 0;
  #ip: Ip | undefined;
  #network: Ip | Cidr | undefined;
  #networkLength = 0;

  /** @param block a whole one @param text that it was read from, which is kept if it is canonical: of IPv4 with dots it always is */
  constructor(block: Block, text?: string) {
    this.family = block.family;
    this.a = block.a;
    this.b = block.b;
    this.c = block.c;
    this.d = block.d;
    this.length = block.length;
    const isDotted = this.family === 4 && text !== undefined && !text.includes(":") && !text.includes("/");
    if (isDotted) this.#ip = text as Ip;
  }

  get ip(): Ip {
    this.#ip ??= formatIp(this);
    return this.#ip;
  }

  /** The address, or for IPv6 its network of that length. */
  network(ipv6Length: number): Ip | Cidr {
    if (this.family === 4) return this.ip;
    return this.#masked(ipv6Length);
  }

  /** The network of these lengths that the address is in. */
  within({ v4, v6 }: { readonly v4: number; readonly v6: number }): Ip | Cidr {
    if (this.family === 4 && v4 === 32) return this.ip;
    return this.#masked(this.family === 4 ? v4 : v6);
  }

  /** The last one is kept: nodes remember many addresses, and most are asked for one length. */
  #masked(length: number): Ip | Cidr {
    if (this.#network === undefined || this.#networkLength !== length) {
      this.#network = format(masked(this, length));
      this.#networkLength = length;
    }
    return this.#network;
  }
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

/** Limit in characters for the text of an address or range. The longest valid spelling has 49. */
export const longestText = 64;

const dot = 46;
const colon = 58;
const zero = 48;

/**
 * Reads an address or range, or `undefined` if it is neither. Strict: four decimal parts without leading
 * zeros, or RFC 4291 groups. Bits beyond the prefix stay as they were written: the caller checks them.
 */
export function scan(text: string): Block | undefined {
  if (text.length > longestText) return undefined;
  const slash = text.indexOf("/");
  const end = slash < 0 ? text.length : slash;
  return text.includes(":") ? scanV6(text, end) : scanV4(text, end);
}

function scanV4(text: string, end: number): Block | undefined {
  const address = readDotted(text, 0, end);
  const length = end === text.length ? 32 : readLength(text, end + 1, 32);
  if (address < 0 || length < 0) return undefined;
  return { family: 4, a: address | 0, b: 0, c: 0, d: 0, length };
}

function scanV6(text: string, end: number): Block | undefined {
  const length = end === text.length ? 128 : readLength(text, end + 1, 128);
  if (length < 0 || !readGroups(text, end)) return undefined;
  const a = wordAt(0);
  const b = wordAt(2);
  const c = wordAt(4);
  const d = wordAt(6);
  const isMapped = a === 0 && b === 0 && c === 0xffff && length >= 96;
  if (isMapped) return { family: 4, a: d, b: 0, c: 0, d: 0, length: length - 96 };
  return { family: 6, a, b, c, d, length };
}

/** The unsigned value of four decimal parts in [start, end), or -1. */
function readDotted(text: string, start: number, end: number): number {
  let address = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === dot) {
      if (digits === 0 || ++dots > 3) return -1;
      address = (address << 8) | part;
      part = 0;
      digits = 0;
      continue;
    }
    const digit = code - zero;
    const followsZero = digits > 0 && part === 0;
    if (digit < 0 || digit > 9 || followsZero) return -1;
    part = part * 10 + digit;
    digits++;
    if (part > 255) return -1;
  }
  return dots === 3 && digits > 0 ? ((address << 8) | part) >>> 0 : -1;
}

/** The prefix length from `start` to the end of the text, or -1. */
function readLength(text: string, start: number, longest: number): number {
  const digits = text.length - start;
  if (digits < 1 || digits > 3 || (digits > 1 && text.charCodeAt(start) === zero)) return -1;
  let length = 0;
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length <= longest ? length : -1;
}

/** Groups of the address that is being read. One buffer serves all calls, because reading is synchronous. */
const groups = new Uint16Array(8);

function wordAt(group: number): number {
  return ((groups[group] ?? 0) << 16) | (groups[group + 1] ?? 0);
}

/** Fills `groups` from the text up to `end`. False if that is not an IPv6 address. */
function readGroups(text: string, end: number): boolean {
  const startsWithGap = text.startsWith("::");
  let gap = startsWithGap ? 0 : -1;
  let at = startsWithGap ? 2 : 0;
  let count = 0;
  while (at < end) {
    if (count === 8) return false;
    const start = at;
    let group = 0;
    for (let digit = hexDigit(text, at); at < end && digit >= 0; digit = hexDigit(text, ++at)) {
      group = (group << 4) | digit;
    }
    if (at < end && text.charCodeAt(at) === dot) {
      const tail = readDotted(text, start, end);
      if (tail < 0 || count > 6) return false;
      groups[count++] = tail >>> 16;
      groups[count++] = tail & 0xffff;
      break;
    }
    if (at === start || at - start > 4) return false;
    groups[count++] = group;
    if (at === end) break;
    if (text.charCodeAt(at++) !== colon || at === end) return false;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return false;
    gap = count;
    at++;
  }
  return gap < 0 ? count === 8 : openGap(gap, count);
}

/** Moves the groups after "::" to the end. "::" means at least one group of zeros. */
function openGap(gap: number, count: number): boolean {
  if (count === 8) return false;
  const tail = 8 - (count - gap);
  groups.copyWithin(tail, gap, count);
  groups.fill(0, gap, tail);
  return true;
}

function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= zero && code <= 57) return code - zero;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
