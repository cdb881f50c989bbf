import { expect, it } from "vitest";
import { addedLevel, convertedLevels } from "./levels.ts";

it("adds a level of a length that is not there", () => {
  expect(addedLevel([{ limit: 1, periodSeconds: 300 }], false)).toEqual({ limit: 300, periodSeconds: 3_600 });
  expect(addedLevel([], true)).toEqual({ limitPerSecond: 10, halfLifeSeconds: 300 });
});

it("turns limits into rates and back", () => {
  const levels = [{ limit: 300, periodSeconds: 60 }];
  const rates = convertedLevels(levels, true);
  expect(rates).toEqual([{ limitPerSecond: 5, halfLifeSeconds: 60 }]);
  expect(convertedLevels(rates, false)).toEqual(levels);
});

it("leaves what it cannot turn", () => {
  expect(convertedLevels([{ limit: "x", periodSeconds: 60 }], true)).toEqual([
    { limit: "x", periodSeconds: 60 },
  ]);
  expect(convertedLevels("tier", false)).toBe("tier");
  expect(convertedLevels("tier", true)).toEqual([{ limitPerSecond: 10, halfLifeSeconds: 300 }]);
});
