import fc from "fast-check";
import { expect, it } from "vitest";
import { type Block, format, masked } from "../../ip/block.ts";
import { isCanonical, readBlock } from "../../ip/parse.ts";
import { type PrefixTest, prefixTest } from "./address-prefix.ts";

const word = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(0, 1, 0x10000, 0x20010db8, 0x0db80000, -1),
);
const block = fc
  .record({
    family: fc.constantFrom(4 as const, 6 as const),
    a: word,
    b: word,
    c: word,
    d: word,
    cut: fc.nat(128),
  })
  .map(({ family, a, b, c, d, cut }) => {
    const whole = family === 4 ? 32 : 128;
    const length = cut % 2 === 0 ? whole : cut % (whole + 1);
    const words = family === 4 ? { a, b: 0, c: 0, d: 0 } : { a, b, c, d };
    return masked({ family, ...words, length }, length);
  })
  .filter((made) => isCanonical(format(made)));

function begins({ v4, v6 }: PrefixTest, each: Block): boolean {
  return (each.family === 4 ? v4?.(each.a, () => each) : v6?.(each)) === true;
}

it("says of any beginning what the text says", () => {
  fc.assert(
    fc.property(block, block, fc.nat(49), (one, other, length) => {
      const beginning = format(one).slice(0, length + 1);
      const test = prefixTest(beginning);
      for (const each of [one, other]) expect(begins(test, each)).toBe(format(each).startsWith(beginning));
    }),
    { numRuns: 5_000 },
  );
});

it("says of any text what the text says", () => {
  const text = fc.string({ unit: fc.constantFrom(..."0123456789abcdf:./"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, block, (typed, each) => {
      expect(begins(prefixTest(typed), each)).toBe(format(each).startsWith(typed));
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  ["203.0.11", "203.0.113.9", true],
  ["203.0.11", "203.0.11.9", true],
  ["203.0.11.", "203.0.113.9", false],
  ["203.0.113.0/2", "203.0.113.0/24", true],
  ["2001:db8", "2001:db8::1", true],
  ["2001:db8:", "2001:db8::/32", true],
  ["2001:db8::", "2001:db8:1::", false],
  [":", "::1", true],
  ["credential", "203.0.113.9", false],
])("%s, %s: %s", (typed, address, isFound) => {
  const read = readBlock(address);
  if (!read) throw new Error("no address");
  expect(begins(prefixTest(typed), read)).toBe(isFound);
});
