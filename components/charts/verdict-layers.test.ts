import { expect, it } from "vitest";
import { edgeStops } from "./verdict-layers.tsx";

const axis = { from: 1_000, until: 2_000, highest: 100 };
const points = (...values: number[]) => values.map((value, i) => ({ at: 1_000 + i * 250, value }));

it.each([
  [[], []],
  [[0, 0.5, 0.9, 0], []],
  [
    [5, 5, 5, 5],
    [
      [0, false],
      [0, true],
    ],
  ],
  [
    [0, 0, 7, 7, 0.2],
    [
      [0.5, false],
      [0.5, true],
      [1, true],
      [1, false],
    ],
  ],
])("draws the line along %j where the layer is visible", (values, stops) => {
  expect(edgeStops(points(...values), axis).map(({ offset, isDrawn }) => [offset, isDrawn])).toEqual(stops);
});
