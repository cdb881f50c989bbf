import { expect, it } from "vitest";
import { placesIn } from "./rows-view.ts";

it("has places for the first rows while their number is unknown", () => {
  expect(placesIn({ from: 0, to: 0 }, 0)).toHaveLength(10);
  expect(placesIn({ from: 0, to: 3 }, 3)).toEqual([0, 1, 2]);
  expect(placesIn({ from: 400, to: 403 }, 900)).toEqual([400, 401, 402]);
});
