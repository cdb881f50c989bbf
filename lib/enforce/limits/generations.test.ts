import { expect, it } from "vitest";
import { Generations } from "./generations.ts";

it("holds no more than it may, and the latest of it", () => {
  const names = new Generations<number>(10);
  for (let i = 0; i < 100; i++) names.set(`name-${i}`, i);
  expect(names.size).toBeLessThanOrEqual(10);
  expect(names.get("name-99")).toBe(99);
  expect(names.get("name-0")).toBeUndefined();
});

it("keeps what is looked up", () => {
  const names = new Generations<number>(10);
  names.set("kept", 1);
  for (let i = 0; i < 100; i++) {
    names.set(`name-${i}`, i);
    expect(names.get("kept")).toBe(1);
  }
});

it("deletes from both generations", () => {
  const names = new Generations<number>(4);
  for (let i = 0; i < 4; i++) names.set(`name-${i}`, i);
  names.get("name-0");
  names.delete("name-0");
  expect(names.get("name-0")).toBeUndefined();
  names.clear();
  expect(names.size).toBe(0);
});
