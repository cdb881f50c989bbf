import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, covers, format, overlaps } from "./block.ts";
import { PackedRanges } from "./packed-ranges.ts";
import { blockOf, isCanonical } from "./parse.ts";
import { anyBlock, bounds } from "./vitest.blocks.ts";

function rangesOf(...texts: string[]): PackedRanges {
  return PackedRanges.of(texts.filter(isCanonical).map(blockOf));
}

const texts = (ranges: PackedRanges) => [...ranges].map(format);

/** Wide enough that ranges meet, nest and touch. */
const blocks = fc.array(anyBlock, { maxLength: 40 });

describe("many ranges in typed arrays", () => {
  it("find what the blocks cover, for any blocks and clients", () => {
    fc.assert(
      fc.property(blocks, anyBlock, (given, asked) => {
        const ranges = PackedRanges.of(given);
        const around = ranges.covering(asked);
        const isCovered = isCoveredBy(given, asked);
        expect(around !== undefined).toBe(isCovered);
        if (around) expect(covers(around, asked)).toBe(true);
        const met = ranges.overlapping(asked);
        expect(met !== undefined).toBe(given.some((one) => overlaps(one, asked)));
        if (met) expect(overlaps(met, asked)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("also find a part of what was given", () => {
    fc.assert(
      fc.property(blocks, fc.nat(), (given, seed) => {
        const one = given[seed % Math.max(1, given.length)];
        if (one)
          expect(
            PackedRanges.of(given).covering({ ...one, length: one.family === 4 ? 32 : 128 }),
          ).toBeDefined();
      }),
    );
  });

  it("are the same in whatever order they are given, also many", () => {
    const many = Array.from({ length: 30_000 }, (_, i) => {
      const mixed = (i * 2_654_435_761) | 0;
      return i % 3 === 0
        ? ({ family: 4, a: mixed & ~255, b: 0, c: 0, d: 0, length: 24 } satisfies Block)
        : ({ family: 6, a: 0x20010db8, b: mixed, c: i % 5, d: mixed, length: 128 } satisfies Block);
    });
    const ranges = PackedRanges.of(many);
    expect(PackedRanges.of(many.toReversed()).pack()).toEqual(ranges.pack());
    const all = [...ranges];
    expect(all.length).toBeGreaterThan(28_000);
    for (const block of many.slice(0, 1_000)) expect(ranges.covering(block)).toBeDefined();
    for (const [i, block] of all.entries()) {
      const next = all[i + 1];
      if (next?.family === block.family && !(bounds(block).last < bounds(next).first))
        throw new Error(`${format(block)} is not before ${format(next)}`);
    }
  });

  it("are sorted, share no address and hold no two halves of one range", () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const merged = [...PackedRanges.of(given)];
        for (const [i, range] of merged.entries()) {
          const next = merged[i + 1];
          if (next?.family !== range.family) continue;
          expect(bounds(range).last < bounds(next).first).toBe(true);
          const isHalf = range.length === next.length && covers({ ...range, length: range.length - 1 }, next);
          expect(isHalf).toBe(false);
        }
      }),
    );
  });

  it("are read as they were packed", () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const ranges = PackedRanges.of(given);
        const read = PackedRanges.read(ranges.pack());
        expect(read && texts(read)).toEqual(texts(ranges));
      }),
      { numRuns: 500 },
    );
  });

  it("are refused where a byte is missing, added or of another version, and never fail to end", () => {
    const packed = rangesOf("192.0.2.0/24", "198.51.100.7", "2001:db8::/32", "2001:db9::1").pack();
    for (let end = 0; end < packed.length; end++)
      expect(PackedRanges.read(packed.slice(0, end))).toBeUndefined();
    expect(PackedRanges.read(Uint8Array.from([...packed, 0]))).toBeUndefined();
    expect(PackedRanges.read(Uint8Array.from([9, ...packed.slice(1)]))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const read = PackedRanges.read(Uint8Array.from([1, ...bytes]));
        if (read) expect(texts(PackedRanges.of(read)).length).toBeLessThanOrEqual(read.size);
      }),
      { numRuns: 2_000 },
    );
  });

  it("lose the addresses of other blocks, and nothing else", () => {
    fc.assert(
      fc.property(
        fc.array(anyBlock, { maxLength: 8 }),
        fc.array(anyBlock, { maxLength: 4 }),
        anyBlock,
        (given, cut, asked) => {
          const left = PackedRanges.of(given).without(cut);
          const address = { ...asked, length: asked.family === 4 ? 32 : 128 };
          const isLeft =
            given.some((one) => covers(one, address)) && !cut.some((one) => covers(one, address));
          expect(left.covering(address) !== undefined).toBe(isLeft);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("name the widest, of both families", () => {
    expect(PackedRanges.none.widest).toBeUndefined();
    const widest = (...given: string[]) => {
      const found = rangesOf(...given).widest;
      return found && format(found);
    };
    expect(widest("192.0.2.0/24", "198.51.100.0/25", "2001:db8::/60")).toBe("192.0.2.0/24");
    expect(widest("192.0.2.0/24", "2001:db8::/48", "2001:db9::1")).toBe("2001:db8::/48");
  });

  it("count what was added and removed", () => {
    const before = rangesOf("192.0.2.0/24", "198.51.100.7", "2001:db8::/32");
    const after = rangesOf("192.0.2.0/24", "198.51.100.9", "203.0.113.0/24", "2001:db8::/32");
    expect(after.countMissingIn(before)).toBe(2);
    expect(before.countMissingIn(after)).toBe(1);
    expect(PackedRanges.none.countMissingIn(after)).toBe(0);
  });

  it("say how many addresses they have", () => {
    const { v4, v6Networks } = rangesOf(
      "192.0.2.0/24",
      "198.51.100.7",
      "2001:db8::/48",
      "2001:db9::1",
    ).addresses;
    expect([v4, v6Networks]).toEqual([257, 65_537]);
  });

  it("take few bytes: of 200,000 addresses three each", () => {
    const random = Array.from({ length: 200_000 }, (_, i) => (i * 2_654_435_761) | 0);
    const ranges = PackedRanges.of(
      random.map((a) => ({ family: 4, a, b: 0, c: 0, d: 0, length: 32 }) satisfies Block),
    );
    expect(ranges.size).toBeGreaterThan(199_000);
    expect(ranges.pack().length).toBeLessThan(610_000);
  });
});

/** By the smallest pieces: several blocks may cover a range together. */
function isCoveredBy(given: readonly Block[], asked: Block): boolean {
  const { first, last } = bounds(asked);
  const sameFamily = given.filter(({ family }) => family === asked.family).map(bounds);
  let reached = first;
  for (;;) {
    const next = sameFamily
      .filter((one) => one.first <= reached && one.last >= reached)
      .map((one) => one.last);
    if (next.length === 0) return false;
    reached = next.reduce((x, y) => (x > y ? x : y)) + 1n;
    if (reached > last) return true;
  }
}
