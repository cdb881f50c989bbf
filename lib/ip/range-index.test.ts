import { expect, it } from "vitest";
import { RangeIndex } from "./range-index.ts";

it("tells a prefix length from its first range to its last", () => {
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

it("tells IPv6 lengths by bands", () => {
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
