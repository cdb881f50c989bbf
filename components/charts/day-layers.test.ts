import { expect, it } from "vitest";
import { isInReach, layerPath } from "./day-layers.tsx";
import { plotOf } from "./plot.ts";

const hourMs = 3_600_000;
const frame = { width: 650, height: 152, from: 0, until: 24 * hourMs, highest: 100 };

it("stacks layers, shows the smallest values, and stays in the plot", () => {
  const plot = plotOf(frame);
  const bars = [{ at: -hourMs / 2, values: [50, 1] }];
  expect(layerPath(bars, 0, hourMs, plot)).toBe("M36.0 130.0V80.0H47.5V130.0Z");
  expect(layerPath(bars, 1, hourMs, plot)).toBe("M36.0 80.0V79.0H47.5V80.0Z");
  expect(layerPath([{ at: 0, values: [0, 0] }], 0, hourMs, plot)).toBe("");
});

it("draws no limit that would flatten all bars", () => {
  expect([isInReach(100, 60), isInReach(1_000, 60), isInReach(3, 0)]).toEqual([true, false, true]);
});
