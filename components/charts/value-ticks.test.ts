import { expect, it } from "vitest";
import { valueTicks } from "./value-ticks.ts";

it.each([
  [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [4, [0, 1, 2, 3, 4]],
  [100, [0, 20, 40, 60, 80, 100]],
  [220, [0, 50, 100, 150, 200, 250]],
  [948, [0, 200, 400, 600, 800, 1_000]],
  [1_010, [0, 500, 1_000, 1_500]],
  [3_248_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
])("%d: %j", (highest, ticks) => {
  expect(valueTicks(highest)).toEqual(ticks);
});

it("uses whole numbers for counts", () => {
  expect(valueTicks(0, { isWhole: true })).toEqual([0, 1]);
  expect(valueTicks(3, { isWhole: true })).toEqual([0, 1, 2, 3]);
});

it("has two to five steps, the last at or above every value", () => {
  for (let highest = 0.001; highest < 1e9; highest *= 1.7) {
    const ticks = valueTicks(highest);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
  }
});
