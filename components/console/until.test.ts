import { expect, it } from "vitest";
import { chosen, noEnd, readUntil, sayUntil, type Until, untilDate } from "./until.ts";

const now = Date.parse("2026-03-28T14:32:07Z");
const iso = (until: Until) => {
  const read = readUntil(until, now);
  return read.ok ? read.atMs && new Date(read.atMs).toISOString() : read.problem;
};

it.each([
  ["never", "", undefined],
  ["30m", "", "2026-03-28T15:02:07.000Z"],
  ["4h", "", "2026-03-28T18:32:07.000Z"],
  ["tomorrow", "", "2026-03-29T18:00:00.000Z"],
  ["date", "2026-04-01T10:00", "2026-04-01T10:00:00.000Z"],
  ["date", "", "Enter a date and a time"],
  ["date", "2026-03-28T14:32", "Choose a time from 1 min to 1 year from now"],
  ["date", "2028-03-28T14:32", "Choose a time from 1 min to 1 year from now"],
] as const)("%s %s is %s", (choice, text, expected) => {
  expect(iso({ choice, text })).toBe(expected);
});

it("is said in UTC", () => {
  expect(sayUntil({ choice: "tomorrow", text: "" }, now)).toBe("29 Mar, 18:00 UTC");
  expect(sayUntil(noEnd, now)).toBeUndefined();
  expect(sayUntil({ choice: "date", text: "" }, now)).toBeUndefined();
});

it("proposes as a date what was chosen before, and keeps what was typed", () => {
  expect(chosen("date", { choice: "1h", text: "" }, now).text).toBe("2026-03-28T15:32");
  expect(chosen("date", noEnd, now).text).toBe("2026-03-29T18:00");
  const typed = untilDate(now + 7_200_000);
  expect(chosen("date", chosen("never", typed, now), now)).toEqual(typed);
});
