import { expect, it } from "vitest";
import { at, madeOnce, valueAt } from "./at.ts";

it("returns what is there, and throws for what is not", () => {
  expect(at(["a", "b"], 1)).toBe("b");
  expect(() => at(["a"], 1)).toThrow("No item at index 1 of 1.");
});

it("returns the value of a key that is in the map, and throws for any other", () => {
  const counts = new Map([["a", 0]]);
  expect(valueAt(counts, "a")).toBe(0);
  expect(() => valueAt(counts, "b")).toThrow("The map has no key b.");
});

it("makes the value of a key once, and keeps it", () => {
  const lists = new Map<string, number[]>();
  madeOnce(lists, "a", () => []).push(1);
  madeOnce(lists, "a", () => []).push(2);
  madeOnce(lists, "b", () => [3]);
  expect([...lists]).toEqual([
    ["a", [1, 2]],
    ["b", [3]],
  ]);
});
