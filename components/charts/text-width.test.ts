import { expect, it } from "vitest";
import { textWidth } from "./text-width.ts";

it("grows with every character, and counts a surrogate pair once", () => {
  expect(textWidth("")).toBe(0);
  expect(textWidth("20:40")).toBeCloseTo(4 * 7.1 + 4.2);
  expect(textWidth("20:40 policy 41")).toBeGreaterThan(textWidth("20:40 policy 4"));
  expect(textWidth("🙂")).toBe(textWidth("a"));
});
