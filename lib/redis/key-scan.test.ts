import { expect, it } from "vitest";
import { foundTogetherMs, ScanPace } from "./key-scan.ts";

const paceOf = (pages: number, costMs: number, walkers: number) => {
  const pace = new ScanPace();
  pace.learn(pages, costMs, walkers);
  return pace;
};

it("one process that walks for all takes as long in a large fleet as in a small one", () => {
  for (const walkers of [2, 10, 1_000]) {
    const pace = paceOf(11, 25, walkers);
    expect(pace.walkMs("shared")).toBe(6_000);
    expect(foundTogetherMs(pace.walkMs("shared"))).toBe(30_000);
  }
});

it("a walk never takes more of Redis' time than its share", () => {
  for (const costMs of [25, 300, 3_000]) {
    expect(costMs / paceOf(100, costMs, 1).walkMs("shared")).toBeLessThanOrEqual(0.005);
    expect((costMs * 20) / paceOf(100, costMs, 20).walkMs("own")).toBeLessThanOrEqual(0.008);
    expect(costMs / paceOf(100, costMs, 20).walkMs("spare")).toBeLessThanOrEqual(0.002);
  }
});

it("processes that walk for themselves promise longer the more of them walk", () => {
  expect(paceOf(11, 25, 2).foundAloneMs).toBe(30_000);
  expect(paceOf(11, 25, 6).foundAloneMs).toBe(50_000);
  expect(paceOf(11, 25, 20).foundAloneMs).toBe(150_000);
});

it("rare comparisons of all nodes together take one percent of Redis' time", () => {
  expect(paceOf(11, 25, 20).rareShare).toBe(1);
  const { rareShare } = paceOf(1_000, 2_500, 1_000);
  expect((rareShare * 1_000 * 2_500) / (30 * 60_000)).toBeCloseTo(0.01);
});
