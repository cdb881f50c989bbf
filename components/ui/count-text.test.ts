import { expect, it } from "vitest";
import { counted, countText, shortCount } from "./count-text.ts";

it.each([
  [0, "0"],
  [1_204, "1,204"],
  [1_000_000, "1,000,000"],
])("writes %d as %s", (count, text) => {
  expect(countText(count)).toBe(text);
});

it.each([
  [1, "1 entry"],
  [0, "0 entries"],
  [1_204, "1,204 entries"],
])("counts %d as %s", (count, text) => {
  expect(counted(count, "entry", "entries")).toBe(text);
});

it("makes a plural of its own where that is an s", () => {
  expect(counted(3, "node")).toBe("3 nodes");
});

it.each([
  [999, "999"],
  [1_000, "1k"],
  [6_040, "6k"],
  [12_345, "12.3k"],
  [999_949, "999.9k"],
  [999_950, "1M"],
  [2_500_000, "2.5M"],
])("shortens %d to %s", (count, text) => {
  expect(shortCount(count)).toBe(text);
});
