import { expect, it } from "vitest";
import { runsOfUnknown } from "./customer-day.ts";

it("joins neighbours of which nothing is known", () => {
  const minutes = [..."xx.x..x"].map((sign) => ({ isKnown: sign === "." }));
  expect(runsOfUnknown(minutes)).toEqual([
    [0, 2],
    [3, 1],
    [6, 1],
  ]);
  expect(runsOfUnknown([])).toEqual([]);
});
