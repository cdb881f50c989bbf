import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { type Block, coverings, covers, format, isWhole, overlaps, widened } from "./block.ts";
import { readBlock } from "./parse.ts";
import { anyBlock, bounds, v4Block, v6Block } from "./vitest.blocks.ts";

function read(text: string): Block {
  const block = readBlock(text);
  if (!block) throw new Error(`not an address: ${text}`);
  return block;
}

/** Blocks that often lie within each other. */
const pair = fc.oneof(
  fc.tuple(anyBlock, anyBlock),
  fc.tuple(anyBlock, fc.nat(128)).map(([block, length]): [Block, Block] => [widened(block, length), block]),
);

describe("ranges as numbers", () => {
  it("covers what lies between first and last address", () => {
    fc.assert(
      fc.property(pair, ([x, y]) => {
        const [outer, inner] = [bounds(x), bounds(y)];
        const isInside = x.family === y.family && outer.first <= inner.first && inner.last <= outer.last;
        expect(covers(x, y)).toBe(isInside);
      }),
      { numRuns: 5_000 },
    );
  });

  it("overlaps what shares an address between first and last", () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([x, y], isSwapped) => {
        const [left, right] = [bounds(x), bounds(y)];
        const doMeet = x.family === y.family && left.first <= right.last && right.first <= left.last;
        expect(isSwapped ? overlaps(y, x) : overlaps(x, y)).toBe(doMeet);
      }),
      { numRuns: 5_000 },
    );
  });

  it("widens to the range of that length around the block", () => {
    fc.assert(
      fc.property(anyBlock, fc.nat(128), (block, length) => {
        const wide = widened(block, length);
        expect(wide.length).toBe(Math.min(length, block.length));
        expect(covers(wide, block)).toBe(true);
        expect(widened(wide, length)).toEqual(wide);
      }),
    );
  });

  it("covers no range of the other family", () => {
    expect(covers(read("::/0"), read("1.2.3.4"))).toBe(false);
    expect(covers(read("0.0.0.0/0"), read("::1"))).toBe(false);
    expect(covers(read("0.0.0.0/0"), read("::ffff:1.2.3.4"))).toBe(true);
  });

  it("tells one address apart from a range", () => {
    expect(["1.2.3.4", "::1", "1.2.3.4/32", "::1/128"].map(read).every(isWhole)).toBe(true);
    expect(["1.2.3.4/31", "::2/127", "::/32", "0.0.0.0/0"].map(read).some(isWhole)).toBe(false);
  });
});

describe("canonical text", () => {
  it.each([
    ["0:0:0:0:0:0:0:0", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["1:0:0:0:0:0:0:0", "1::"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:0db8:0000:0001:0001:0001:0001:0001", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::1.2.3.4", "::102:304"],
    ["255.255.255.255", "255.255.255.255"],
    ["128.0.0.0/1", "128.0.0.0/1"],
  ])("%s is written %s", (text, canonical) => {
    expect(format(read(text))).toBe(canonical);
  });

  it("agrees with ipaddr.js", () => {
    fc.assert(
      fc.property(v6Block, (block) => {
        const whole: Block = { ...block, length: 128 };
        const text = format(whole);
        // Cut from a range, it may be a mapped address, which is never family 6.
        if (block.a !== 0 || block.b !== 0 || block.c !== 0xffff) {
          expect(text).toBe(ipaddr.IPv6.parse(text).toRFC5952String());
        }
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(v4Block, (block) => {
        const text = format({ ...block, length: 32 });
        expect(text).toBe(ipaddr.IPv4.parse(text).toString());
      }),
    );
  });

  it("reads back as the same block", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        expect(readBlock(format(block))).toEqual(block);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("coverings", () => {
  it("lists an address and its ranges up to the widest entry, most specific first", () => {
    const texts = coverings(read("1.2.3.255"));
    expect(texts).toHaveLength(17);
    expect(texts.slice(0, 3)).toEqual(["1.2.3.255", "1.2.3.254/31", "1.2.3.252/30"]);
    expect(texts.at(-1)).toBe("1.2.0.0/16");
    expect(coverings(read("2001:db8::1"))).toHaveLength(97);
    expect(coverings(read("2001:db8::1")).at(-1)).toBe("2001:db8::/32");
  });

  it("begins with a range itself, also with one that is wider than the widest", () => {
    expect(coverings(read("1.2.0.0/17"))).toEqual(["1.2.0.0/17", "1.2.0.0/16"]);
    expect(coverings(read("10.0.0.0/8"))).toEqual(["10.0.0.0/8"]);
    expect(coverings(read("10.0.0.0/8"), { 4: 7, 6: 0 })).toEqual(["10.0.0.0/8", "10.0.0.0/7"]);
  });

  it("lists exactly the canonical ranges that cover the block", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const blocks = coverings(block, { 4: 0, 6: 0 }).map(read);
        expect(blocks.map(({ length }) => length)).toEqual(blocks.map((_, step) => block.length - step));
        expect(blocks.every((outer) => covers(outer, block))).toBe(true);
        expect(blocks).toHaveLength(block.length + 1);
      }),
      { numRuns: 300 },
    );
  });
});
