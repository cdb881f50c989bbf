import { expect, it } from "vitest";
import { momentText, relativeTime, utcText } from "./relative-time.ts";

const now = Date.UTC(2026, 2, 28, 14, 32, 7);
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [0, "just now"],
  [3 * second, "just now"],
  [42 * second, "42 s ago"],
  [14 * minute, "14 min ago"],
  [3 * hour + 59 * minute, "3 h ago"],
  [23 * hour, "23 h ago"],
  [day, "yesterday"],
  [6 * day, "6 d ago"],
  [16 * day, "12 Mar"],
  [400 * day, "21 Feb 2025"],
])("says of what was %d ms ago: %s", (age, text) => {
  expect(relativeTime(now - age, now)).toBe(text);
});

it.each([
  [3 * second, "just now"],
  [41 * minute, "in 41 min"],
  [6 * day + 20 * hour, "in 6 d"],
  [30 * day, "27 Apr"],
])("says of what is %d ms ahead: %s", (ahead, text) => {
  expect(relativeTime(now + ahead, now)).toBe(text);
});

it("says when something ends in UTC", () => {
  expect(momentText(now, now)).toBe("28 Mar, 14:32");
  expect(momentText(now + 365 * day, now)).toBe("28 Mar 2027, 14:32");
  expect(utcText(now)).toBe("2026-03-28 14:32:07 UTC");
});
