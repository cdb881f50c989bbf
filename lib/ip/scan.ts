import type { Block } from "./block.ts";

/** No spelling of an address or range is longer than 49 characters. */
export const longestText = 64;

const dot = 46;
const colon = 58;
const zero = 48;

/**
 * Reads an address or range, or `undefined` if it is neither. Strict: four decimal parts without leading
 * zeros, or RFC 4291 groups. Bits beyond the prefix are left as they were written: the caller must judge them.
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

/** The groups of the address being read: one buffer for all, because reading never waits. */
const groups = new Uint16Array(8);

function wordAt(group: number): number {
  return ((groups[group] ?? 0) << 16) | (groups[group + 1] ?? 0);
}

/** Fills `groups` from the text up to `end`; false if that is no IPv6 address. */
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

/** Moves the groups after "::" to the end. It stands for at least one group of zeros. */
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
