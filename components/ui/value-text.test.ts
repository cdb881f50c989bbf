import { describe, expect, it } from "vitest";
import {
  counted,
  countText,
  dayText,
  decimalText,
  durationText,
  momentText,
  rateText,
  relativeTime,
  secondsOfDayText,
  shareText,
  shortCount,
  spanText,
  tookText,
  utcText,
} from "./value-text.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("numbers", () => {
  it.each([
    [0.082, "0.08"],
    [9.994, "9.99"],
    [9.996, "10"],
    [41.42, "41.4"],
    [99.96, "100"],
    [4_811.7, "4,812"],
  ])("writes a rate of %d as %s", (perSecond, text) => {
    expect(rateText(perSecond)).toBe(text);
  });

  it.each([
    [0, "0"],
    [1_204, "1,204"],
    [1_000_000, "1,000,000"],
  ])("writes %d as %s", (count, text) => {
    expect(countText(count)).toBe(text);
  });

  it.each([
    [1, "1 entry"],
    [0, "0 entries"],
    [1_204, "1,204 entries"],
  ])("counts %d as %s", (count, text) => {
    expect(counted(count, "entry", "entries")).toBe(text);
  });

  it("adds an s for the default plural", () => {
    expect(counted(3, "node")).toBe("3 nodes");
  });

  it.each([
    [999, "999"],
    [1_000, "1k"],
    [6_040, "6k"],
    [12_345, "12.3k"],
    [999_949, "999.9k"],
    [999_950, "1M"],
    [2_500_000, "2.5M"],
  ])("shortens %d to %s", (count, text) => {
    expect(shortCount(count)).toBe(text);
  });
  it.each([
    [0.824, "0.82"],
    [3, "3"],
    [1_000.5, "1,000.5"],
  ])("writes %d with two decimals at most: %s", (value, text) => {
    expect(decimalText(value)).toBe(text);
  });
});

describe("durations", () => {
  it.each([
    [7 * day, "7 d"],
    [6 * day + 20 * hour + 59 * minute, "6 d 20 h"],
    [23 * hour + 54 * minute, "23 h 54 min"],
    [day + 5 * minute, "1 d"],
    [41 * minute, "41 min"],
    [minute + 48 * second, "1 min 48 s"],
    [42 * second + 900, "42 s"],
    [999, "under 1 s"],
    [-5 * day, "under 1 s"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
  it.each([
    [0, "0 ms"],
    [90, "90 ms"],
    [1_449, "1.4 s"],
  ])("writes work of %d ms as %s", (ms, text) => {
    expect(tookText(ms)).toBe(text);
  });
});

describe("times", () => {
  const now = Date.UTC(2026, 2, 28, 14, 32, 7);
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
  ])("writes a time %d ms ago as %s", (age, text) => {
    expect(relativeTime(now - age, now)).toBe(text);
  });

  it.each([
    [3 * second, "just now"],
    [41 * minute, "in 41 min"],
    [6 * day + 20 * hour, "in 6 d"],
    [30 * day, "27 Apr"],
  ])("writes a time %d ms ahead as %s", (ahead, text) => {
    expect(relativeTime(now + ahead, now)).toBe(text);
  });

  it("writes future times in UTC", () => {
    expect(momentText(now, now)).toBe("28 Mar, 14:32");
    expect(momentText(now + 365 * day, now)).toBe("28 Mar 2027, 14:32");
    expect(utcText(now)).toBe("2026-03-28 14:32:07 UTC");
  });
  it("names days", () => {
    expect([0, 1, 7, 400].map((days) => dayText(now - days * day, now))).toEqual([
      "Today",
      "Yesterday",
      "Saturday 21 March",
      "21 February 2025",
    ]);
  });
});

const at = (text: string) => Date.parse(`2026-11-${text}Z`);

it.each([
  [at("18T20:29:00"), at("18T20:37:00"), "20:29–20:37"],
  [at("18T20:29:05"), at("18T20:30:00"), "20:29:05–20:30:00"],
  [at("18T23:00:00"), at("19T02:00:30"), "18 Nov 23:00–19 Nov 02:00"],
])("from %d to %d", (from, until, text) => {
  expect(spanText({ from, until })).toBe(text);
});

it("claims neither all nor nothing of a part", () => {
  const shares = [1, 1 - 1e-12, 0.9993, 0.524, 0.01, 0.004].map(shareText);
  expect(shares).toEqual(["100%", "100%", "over 99%", "52%", "1%", "under 1%"]);
});

it("writes the day of a second only if it is not today", () => {
  const at = Date.parse("2026-11-18T00:00:05Z");
  expect(secondsOfDayText(at, at + 20 * hour)).toBe("00:00:05");
  expect(secondsOfDayText(at - 10 * second, at)).toBe("17 Nov 23:59:55");
});
