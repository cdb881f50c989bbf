import { expect, it } from "vitest";
import { timeTicks } from "./time-ticks.ts";

const s = (...seconds: number[]) => seconds.map((one) => one * 1_000);

it.each([
  [3, 33, s(5, 10, 15, 20, 25, 30)],
  [7, 307, s(60, 120, 180, 240, 300)],
  [0, 20, s(0, 5, 10, 15, 20)],
  [5, 5, s(5)],
])("from %d s to %d s", (from, to, ticks) => {
  expect(timeTicks(from * 1_000, to * 1_000)).toEqual(ticks);
});

it("never draws more than it may", () => {
  for (let span = 1; span < 20_000; span += 7)
    expect(timeTicks(1_234, 1_234 + span * 1_000).length).toBeLessThanOrEqual(7);
});
