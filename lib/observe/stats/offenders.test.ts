import { expect, it } from "vitest";
import { Trend } from "./offenders.ts";

it("keeps what was read, and takes two questions of almost one moment as one", () => {
  const trend = new Trend({ most: 3 });
  trend.add("a", 1, 1_000);
  trend.add("a", 2, 1_400);
  expect(trend.add("a", 3, 2_000)).toEqual([
    { at: 1_000, value: 2 },
    { at: 2_000, value: 3 },
  ]);
  trend.add("a", 4, 3_000);
  expect(trend.add("a", 5, 4_000).map(({ value }) => value)).toEqual([3, 4, 5]);
  expect(trend.add("b", 9, 4_000)).toHaveLength(1);
});

it("forgets clients that are no longer read", () => {
  const trend = new Trend({ forgottenAfterMs: 100 });
  trend.add("a", 1, 1_000);
  trend.add("b", 1, 1_090);
  trend.forget(1_150);
  expect(trend.add("a", 2, 1_700)).toHaveLength(1);
  expect(trend.add("b", 2, 1_700)).toHaveLength(2);
});
