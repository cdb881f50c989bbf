import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type Block, covers, format, masked, widestEntry } from "./block.ts";
import { readBlock } from "./parse.ts";
import { PrefixTable, RangeIndex } from "./prefix-table.ts";

function read(text: string): Block {
  const block = readBlock(text);
  if (!block) throw new Error(`not an address: ${text}`);
  return block;
}

const any = () => true;

function sweepAll(table: PrefixTable, isGone: (value: number) => boolean): number {
  let gone = 0;
  for (let slice = 0; slice < PrefixTable.slices; slice++) gone += table.sweep(isGone);
  return gone;
}

/** The table's contract, in the slowest and simplest way. */
class Model {
  readonly entries = new Map<string, { block: Block; value: number }>();

  match(block: Block, accept: (value: number) => boolean) {
    return [...this.entries.values()]
      .filter((entry) => covers(entry.block, block) && accept(entry.value))
      .sort((x, y) => y.block.length - x.block.length)[0];
  }
}

/** Few bits vary, so that entries meet, nest and share their widest range. */
const crowded: fc.Arbitrary<Block> = fc
  .record({
    family: fc.constantFrom<(4 | 6)[]>(4, 6),
    near: fc.nat(3),
    bits: fc.nat(7),
    length: fc.oneof(fc.constantFrom(17, 30, 32, 33, 64, 97, 128), fc.integer({ min: 8, max: 128 })),
  })
  .map(({ family, near, bits, length }) => {
    const isV4 = family === 4;
    const a = isV4 ? 0x0a00_0000 | (near << 15) | bits | 0 : 0x2001_0db8 | near | 0;
    const fits = isV4 ? Math.min(length, 32) : length;
    const words = isV4 ? { b: 0, c: 0, d: 0 } : { b: bits << 30, c: 0, d: bits << 29 };
    return masked({ family, a, ...words, length: fits }, fits);
  });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("set" as const), block: crowded, value: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("delete" as const), block: crowded, value: fc.nat(20) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("match" as const), block: crowded, value: fc.nat(20) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("sweep" as const), block: crowded, value: fc.nat(4) }),
  },
);

describe("against a plain list", () => {
  it("returns the same answers under random changes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const table = new PrefixTable();
        const model = new Model();
        for (const { do: what, block, value } of steps) {
          const key = format(block);
          if (what === "set") {
            const isTaken = block.length >= widestEntry[block.family];
            expect(table.set(block, value)).toBe(isTaken);
            if (isTaken) model.entries.set(key, { block, value });
          } else if (what === "delete") {
            expect(table.delete(block)).toBe(model.entries.delete(key));
          } else if (what === "match") {
            const accept = (there: number) => there >= value;
            expect(table.match(block, accept)).toEqual(model.match(block, accept));
            expect(table.match(block, any)).toEqual(model.match(block, any));
          } else {
            const gone = [...model.entries].filter(([, entry]) => entry.value < value);
            for (const [text] of gone) model.entries.delete(text);
            expect(sweepAll(table, (there) => there < value)).toBe(gone.length);
          }
          expect(table.get(block)).toBe(model.entries.get(key)?.value);
          expect(table.size).toBe(model.entries.size);
        }
        // The sizes are equal, so equal values mean equal entries.
        for (const { block, value } of model.entries.values()) expect(table.get(block)).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps every entry while shards grow, shrink and close their gaps", () => {
    const table = new PrefixTable();
    const model = new Map<string, number>();
    const nth = (n: number): Block =>
      n % 3 === 0
        ? { family: 6, a: 0x2001_0db8, b: 0, c: 0, d: n, length: 128 }
        : { family: 4, a: n, b: 0, c: 0, d: 0, length: 32 };
    for (let n = 0; n < 60_000; n++) {
      table.set(nth(n), n);
      model.set(format(nth(n)), n);
    }
    for (let n = 0; n < 60_000; n++) {
      if (n % 7 === 0) continue;
      expect(table.delete(nth(n))).toBe(model.delete(format(nth(n))));
    }
    expect(table.size).toBe(model.size);
    for (let n = 0; n < 60_000; n++) {
      expect(table.match(nth(n), any)?.value).toBe(n % 7 === 0 ? n : undefined);
    }
  });
});

describe("a prefix table", () => {
  it("finds the most specific entry that is accepted", () => {
    const table = new PrefixTable();
    table.set(read("192.0.0.0/16"), 1);
    table.set(read("192.0.2.0/24"), 2);
    table.set(read("192.0.2.7"), 3);
    table.set(read("2001:db8::/32"), Number.POSITIVE_INFINITY);
    expect(table.match(read("192.0.2.7"), any)).toEqual({ block: read("192.0.2.7"), value: 3 });
    expect(table.match(read("192.0.2.7"), (value) => value < 3)?.block).toEqual(read("192.0.2.0/24"));
    expect(table.match(read("192.0.2.7"), (_, length) => length < 20)?.block).toEqual(read("192.0.0.0/16"));
    expect(table.match(read("192.0.2.7"), () => false)).toBeUndefined();
    expect(table.match(read("192.0.0.0/17"), any)?.block).toEqual(read("192.0.0.0/16"));
    expect(table.match(read("192.0.0.0/15"), any)).toBeUndefined();
    expect(table.match(read("2001:db8:ffff::1"), any)?.value).toBe(Number.POSITIVE_INFINITY);
    expect(table.match(read("192.1.0.0"), any)).toBeUndefined();
  });

  it("keeps the latest value of an entry that is set twice", () => {
    const table = new PrefixTable();
    table.set(read("192.0.2.0/24"), 1);
    table.set(read("192.0.2.0/24"), 2);
    expect(table.size).toBe(1);
    expect(table.get(read("192.0.2.0/24"))).toBe(2);
    table.delete(read("192.0.2.0/24"));
    expect(table.match(read("192.0.2.1"), any)).toBeUndefined();
  });

  it("stores nothing wider than the widest entry", () => {
    const table = new PrefixTable();
    expect(
      ["10.0.0.0/15", "0.0.0.0/0", "2001:db8::/31", "::/0"].map((text) => table.set(read(text), 1)),
    ).toEqual([false, false, false, false]);
    expect(table.set(read("10.0.0.0/16"), 1) && table.set(read("2001:db8::/32"), 1)).toBe(true);
    expect(table.size).toBe(2);
  });

  it("forgets the prefix lengths of ranges that are gone", () => {
    const lengthsAround = vi.spyOn(RangeIndex.prototype, "lengthsAround");
    const table = new PrefixTable();
    const ranges = ["192.0.2.0/24", "192.0.3.0/24", "192.0.2.0/25", "2001:db8::/64"].map(read);
    for (const range of ranges) table.set(range, 1);
    for (const range of ranges.slice(0, 2)) table.delete(range);
    sweepAll(table, any);
    for (const range of ranges) table.match(range, any);
    expect(lengthsAround.mock.results.map(({ value }) => value)).toEqual([0, 0, 0, 0, 0]);
    lengthsAround.mockRestore();
  });

  it("deletes what the caller names, slice by slice", () => {
    const table = new PrefixTable();
    for (let n = 0; n < 10_000; n++) table.set({ family: 4, a: n << 8, b: 0, c: 0, d: 0, length: 24 }, n);
    const largest = Math.max(
      ...Array.from({ length: PrefixTable.slices }, () => table.sweep((value) => value % 2 === 0)),
    );
    expect(table.size).toBe(5_000);
    expect(largest).toBeLessThan(100);
    expect(sweepAll(table, any)).toBe(5_000);
    expect(table.size).toBe(0);
    expect(table.match(read("0.0.1.1"), any)).toBeUndefined();
  });
});

describe("a range index", () => {
  it("reports a prefix length from its first range to its last", () => {
    const index = new RangeIndex(16);
    const first = { a: 0x0a00_0100, length: 24 };
    const second = { a: 0x0a00_0200, length: 24 };
    const other = { a: 0x0a01_0000, length: 24 };
    index.add(first);
    index.add(second);
    index.add({ a: 0x0a00_0000, length: 31 });
    expect(index.lengthsAround(0x0a00_ffff, 0)).toBe((1 << 24) | (1 << 31));
    expect(index.lengthsAround(other.a, 0)).toBe(0);
    index.add(other);
    index.remove(first);
    expect(index.lengthsAround(first.a, 0)).toBe((1 << 24) | (1 << 31));
    index.remove(second);
    expect(index.lengthsAround(first.a, 0)).toBe(1 << 31);
    expect(index.lengthsAround(other.a, 0)).toBe(1 << 24);
  });

  it("reports IPv6 lengths by bands", () => {
    const index = new RangeIndex(32);
    for (const length of [32, 63, 64, 127]) index.add({ a: 0x2001_0db8, length });
    expect([0, 1, 2, 3].map((band) => index.lengthsAround(0x2001_0db8, band))).toEqual([
      0,
      1 | (1 << 31),
      1,
      1 << 31,
    ]);
    expect(index.lengthsAround(0x2001_0db9, 1)).toBe(0);
  });
});
