import { expect, it } from "vitest";
import { nearbyLimits } from "./judged-rates.ts";

it("offers limits around one, as people would write them, the highest first", () => {
  expect(nearbyLimits(300)).toEqual([900, 600, 250, 200]);
  expect(nearbyLimits(121_300)).toEqual([350_000, 250_000, 100_000, 80_000]);
});

it.each([1, 2, 3, 7, 12, 99, 1_000, 86_400])("never offers %i itself, one twice, or none at all", (limit) => {
  const found = nearbyLimits(limit);
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain(limit);
  expect(new Set(found).size).toBe(found.length);
  expect(found.every((one) => Number.isInteger(one) && one >= 1)).toBe(true);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
});
