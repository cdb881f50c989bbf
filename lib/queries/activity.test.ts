import { expect, it } from "vitest";
import { noteActivity, takeActivity } from "./activity.ts";

it("is sent with the next read, and again after more of it, but not within a minute", () => {
  const start = Date.now();
  expect(takeActivity(start)).toBe(false);
  noteActivity(start);
  expect(takeActivity(start + 1)).toBe(true);
  expect(takeActivity(start + 120_000)).toBe(false);
  noteActivity(start + 121_000);
  expect(takeActivity(start + 121_001)).toBe(true);
  noteActivity(start + 122_000);
  expect(takeActivity(start + 123_000)).toBe(false);
  expect(takeActivity(start + 182_000)).toBe(true);
});
