import { expect, it } from "vitest";
import { placesIn } from "./rows-view.ts";

it("has places for the first rows while their number is unknown", () => {
  expect(placesIn({ count: 0, span: { from: 0, to: 0 } })).toHaveLength(10);
  expect(placesIn({ count: 3, span: { from: 0, to: 3 } })).toEqual([0, 1, 2]);
  expect(placesIn({ count: 900, span: { from: 400, to: 403 } })).toEqual([400, 401, 402]);
});
