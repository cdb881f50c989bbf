import { expect, it } from "vitest";
import { durationText } from "./duration-text.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [7 * day, "7 d"],
  [6 * day + 20 * hour + 59 * minute, "6 d 20 h"],
  [23 * hour + 54 * minute, "23 h 54 m"],
  [day + 5 * minute, "1 d"],
  [41 * minute, "41 m"],
  [minute + 48 * second, "1 m 48 s"],
  [42 * second + 900, "42 s"],
  [999, "under 1 s"],
  [-5 * day, "under 1 s"],
])("writes %d ms as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
