import { expect, it } from "vitest";
import { addedLevel, convertedLevels } from "./levels.ts";

it("adds a level with an unused period", () => {
  expect(addedLevel([{ limit: 1, periodSeconds: 300 }], false)).toEqual({ limit: 300, periodSeconds: 3_600 });
  expect(addedLevel([], true)).toEqual({ limitPerSecond: 10, halfLifeSeconds: 300 });
});

it("converts limits to rates and back", () => {
  const levels = [{ limit: 300, periodSeconds: 60 }];
  const rates = convertedLevels(levels, true);
  expect(rates).toEqual([{ limitPerSecond: 5, halfLifeSeconds: 60 }]);
  expect(convertedLevels(rates, false)).toEqual(levels);
});

it("leaves levels that it cannot convert", () => {
  expect(convertedLevels([{ limit: "x", periodSeconds: 60 }], true)).toEqual([
    { limit: "x", periodSeconds: 60 },
  ]);
  expect(convertedLevels("tier", false)).toBe("tier");
  expect(convertedLevels("tier", true)).toEqual([{ limitPerSecond: 10, halfLifeSeconds: 300 }]);
});
