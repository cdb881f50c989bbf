import fc from "fast-check";
import { at } from "../at.ts";
import { type Block, masked } from "./block.ts";

/** Words that make neighbours, gaps of zeros and full groups likely. */
const word = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(0, 0, 1, -1, 0xffff, -65_536, 0x0a00_0000, 0x0a00_0001, 0x2001_0db8),
);

export const v4Block: fc.Arbitrary<Block> = fc
  .record({ a: word, length: fc.oneof(fc.integer({ min: 0, max: 32 }), fc.constant(32)) })
  .map(({ a, length }) => masked({ family: 4, a, b: 0, c: 0, d: 0, length }, length));

export const v6Block: fc.Arbitrary<Block> = fc
  .record({
    a: word,
    b: word,
    c: word,
    d: word,
    length: fc.oneof(fc.integer({ min: 0, max: 128 }), fc.constant(128)),
  })
  .map(({ length, ...words }) => masked({ family: 6, ...words, length }, length))
  .filter(({ a, b, c, length }) => !(a === 0 && b === 0 && c === 0xffff && length >= 96));

export const anyBlock = fc.oneof(v4Block, v6Block);

/** First and last address of the block, for simple arithmetic. */
export function bounds({ family, a, b, c, d, length }: Block): { first: bigint; last: bigint } {
  const words = family === 4 ? [a] : [a, b, c, d];
  const first = words.reduce((sum, next) => (sum << 32n) | BigInt(next >>> 0), 0n);
  const free = BigInt((family === 4 ? 32 : 128) - length);
  return { first, last: first + (1n << free) - 1n };
}

/** Eight groups and one of the many ways in which RFC 4291 lets people write them. */
export const v6Spelling = fc
  .record({
    groups: fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constant(0), fc.constant(0xffff)), {
      minLength: 8,
      maxLength: 8,
    }),
    widths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
    isUpper: fc.boolean(),
    isTailDotted: fc.boolean(),
    gap: fc.option(fc.record({ start: fc.nat(7), size: fc.integer({ min: 1, max: 8 }) })),
  })
  .map(({ groups, widths, isUpper, isTailDotted, gap }) => {
    const end = gap ? Math.min(8, gap.start + gap.size) : 0;
    const zeroed = groups.map((group, i) => (gap && i >= gap.start && i < end ? 0 : group));
    const texts = zeroed.map((group, i) => group.toString(16).padStart(at(widths, i), "0"));
    const [high, low] = [at(zeroed, 6), at(zeroed, 7)];
    const tail = [high >>> 8, high & 255, low >>> 8, low & 255].join(".");
    const isDotted = isTailDotted && (!gap || end <= 6);
    const spelled = isDotted ? [...texts.slice(0, 6), tail] : texts;
    const text = gap
      ? `${spelled.slice(0, gap.start).join(":")}::${spelled.slice(end).join(":")}`
      : spelled.join(":");
    return { groups: zeroed, text: isUpper ? text.toUpperCase() : text };
  });
