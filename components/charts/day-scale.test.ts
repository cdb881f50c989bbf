import { expect, it } from "vitest";
import { dayScale, hourTicks, isInReach, layerPath, valueTicks } from "./day-scale.ts";

const hourMs = 3_600_000;
const frame = { width: 644, height: 142, from: 0, until: 24 * hourMs, highest: 100 };

it("has four or five steps above every value", () => {
  expect(valueTicks(0)).toEqual([0, 1]);
  expect(valueTicks(4)).toEqual([0, 1, 2, 3, 4]);
  expect(valueTicks(948)).toEqual([0, 250, 500, 750, 1_000]);
  expect(valueTicks(100)).toEqual([0, 25, 50, 75, 100]);
});

it("ticks full hours, as many as there is room for", () => {
  const ticks = (width: number) => hourTicks(dayScale({ ...frame, width }), 0, frame.until);
  expect(ticks(900).map((at) => at / hourMs)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
  expect(ticks(300).map((at) => at / hourMs)).toEqual([6, 12, 18]);
});

it("stacks layers, shows the least, and keeps within the plot", () => {
  const scale = dayScale(frame);
  const bars = [{ at: -hourMs / 2, values: [50, 1] }];
  expect(layerPath(bars, 0, hourMs, scale)).toBe("M36.0 122.0V72.0H47.5V122.0Z");
  expect(layerPath(bars, 1, hourMs, scale)).toBe("M36.0 72.0V71.0H47.5V72.0Z");
  expect(layerPath([{ at: 0, values: [0, 0] }], 0, hourMs, scale)).toBe("");
});

it("draws no limit that would press all to the ground", () => {
  expect([isInReach(100, 60), isInReach(1_000, 60), isInReach(3, 0)]).toEqual([true, false, true]);
});
