import { expect, it } from "vitest";
import { limitAt, limitScale, nextLimit, shareOf, ticksOf } from "./limit-line.tsx";

const scale = { low: 10, high: 100_000 };

it("puts powers of ten at equal distances", () => {
  expect([10, 100, 1_000, 100_000].map((value) => shareOf(scale, value))).toEqual([0, 0.25, 0.5, 1]);
  expect([1, 1e9].map((value) => shareOf(scale, value))).toEqual([0, 1]);
});

it("converts a height to a round limit", () => {
  for (const value of [10, 42, 300, 9_900, 100_000])
    expect(limitAt(scale, shareOf(scale, value))).toBe(value);
  expect(limitAt(scale, shareOf(scale, 304))).toBe(300);
  expect(limitAt({ low: 0.8, high: 8 }, 0)).toBe(1);
});

it("includes every peak and the limit in force", () => {
  const held = limitScale([12_000, 40], 300);
  expect(held.low).toBeLessThan(40);
  expect(held.high).toBeGreaterThan(12_000);
  expect(limitScale([], 300).high).toBeGreaterThan(300);
});

it("shows few ticks, all within the scale", () => {
  expect(ticksOf({ low: 20, high: 2_000 })).toEqual([30, 100, 300, 1_000]);
  expect(ticksOf({ low: 20, high: 2e6 })).toEqual([100, 1_000, 10_000, 100_000, 1_000_000]);
});

it("moves in steps with keys, up and down, and never to 0", () => {
  expect(nextLimit(300, 1, false)).toBe(310);
  expect(nextLimit(300, -1, false)).toBe(290);
  expect(nextLimit(304, 1, false)).toBe(310);
  expect(nextLimit(304, -1, false)).toBe(300);
  expect(nextLimit(300, 1, true)).toBe(400);
  expect(nextLimit(1, -1, false)).toBe(1);
  expect(nextLimit(5, -1, true)).toBe(1);
});
