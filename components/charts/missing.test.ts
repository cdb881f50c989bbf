import { expect, it } from "vitest";
import { gapsOf, withGaps } from "./missing.ts";

const told = (text: string) => [...text].map((sign, at) => ({ at, isMissing: sign === "?" }));

it.each([
  ["-----", []],
  ["--??-", [{ from: 1, to: 4 }]],
  ["??---", [{ from: 0, to: 2 }]],
  ["---??", [{ from: 2, to: 4 }]],
  [
    "-?-?-",
    [
      { from: 0, to: 2 },
      { from: 2, to: 4 },
    ],
  ],
  ["????", [{ from: 0, to: 3 }]],
  ["", []],
])("%s is not drawn where data is missing", (text, gaps) => {
  expect(gapsOf(told(text))).toEqual(gaps);
});

it("extends to now if reads fail", () => {
  expect(gapsOf(told("---"), 9)).toEqual([{ from: 2, to: 9 }]);
  expect(gapsOf(told("--?"), 9)).toEqual([{ from: 1, to: 9 }]);
  expect(gapsOf(told("---"), 1)).toEqual([]);
});

it("separates points with missing data between them", () => {
  const points = [0, 1, 2, 9, 10].map((at) => ({ at, estimate: 1 }));
  expect(withGaps(points, 5)).toEqual({
    points: [...points.slice(0, 3), { at: 5.5 }, ...points.slice(3)],
    gaps: [{ from: 2, to: 9 }],
  });
  expect(withGaps([], 5)).toEqual({ points: [], gaps: [] });
});
