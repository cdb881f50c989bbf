import { expect, it } from "vitest";
import { gapsOf, sayNoSample, usageBars, usualStep } from "./usage-bars.ts";

const day = {
  firstMinute: 58,
  requests: [3, 0, 5, 4],
  denied: [1, 0, 0, 9],
  unknown: [[1, 1] as [number, number]],
};

it("puts minutes together as windows of the clock lie", () => {
  expect(usageBars(day, 3_600)).toEqual([
    { at: 0, values: [2, 1] },
    { at: 3_600_000, values: [5, 4] },
  ]);
  expect(usageBars(day, 60).map(({ at, values }) => [at / 60_000, ...values])).toEqual([
    [58, 2, 1],
    [59, 0, 0],
    [60, 5, 0],
    [61, 0, 4],
  ]);
});

it("tells when nothing is known", () => {
  expect(gapsOf(day)).toEqual([{ from: 59 * 60_000, until: 60 * 60_000 }]);
});

it("looks by the longest level that can be drawn", () => {
  const level = (periodSeconds: number) => ({ limit: 1, periodSeconds });
  expect(usualStep([level(60), level(3_600), level(86_400)])).toBe("3600");
  expect(usualStep([level(60)])).toBe("60");
  expect(usualStep([level(90)])).toBe("300");
});

it("claims no absence of requests where only samples are missing", () => {
  expect(sayNoSample(0, "denial")).toBe("No denial of this customer was recorded in the last 24 h.");
  expect(sayNoSample(166, "denial")).toMatch(/^No sample of 166 denials: samples are kept for /);
});
