import { expect, it } from "vitest";
import { edgesOf, plotOf } from "./plot.ts";

const plot = plotOf({ width: 650, height: 152, from: 1_000, until: 7_000, highest: 100 });

it("converts times and values to positions, and back", () => {
  expect([plot.left, plot.right, plot.top, plot.bottom]).toEqual([36, 636, 30, 130]);
  expect([plot.x(1_000), plot.x(4_000), plot.x(7_000)]).toEqual([36, 336, 636]);
  expect([plot.y(0), plot.y(50), plot.y(900)]).toEqual([130, 80, 30]);
  expect([plot.at(336), plot.at(-9), plot.at(9_999)]).toEqual([4_000, 1_000, 7_000]);
});

it("starts beside the widest label of the value axis", () => {
  const frame = { width: 650, height: 152, from: 0, until: 1, highest: 1 };
  expect(plotOf({ ...frame, labels: ["0", "1"] }).left).toBe(36);
  expect(plotOf({ ...frame, labels: ["0", "123.4M"] }).left).toBeGreaterThan(46);
});

it("cuts a span to the plot", () => {
  expect(edgesOf(plot, { from: 0, until: 4_000 })).toEqual([36, 336]);
  expect(edgesOf(plot, { from: 4_000, until: 9_000 })).toEqual([336, 636]);
  expect(edgesOf(plot, { from: 7_000, until: 9_000 })).toBeUndefined();
  expect(edgesOf(plot, { from: 0, until: 1_000 })).toBeUndefined();
});
