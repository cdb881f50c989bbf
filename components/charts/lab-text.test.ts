import { expect, it } from "vitest";
import { axisTimeText, momentText, periodText, spanText, ticksBetween, timeStep } from "./lab-text.ts";

it("writes moments, spans and periods", () => {
  expect([0, 80, 59.2, 59.96, 451.4, 3_605].map(momentText)).toEqual([
    "0:00",
    "1:20",
    "0:59.2",
    "1:00",
    "7:31.4",
    "1:00:05",
  ]);
  expect([0.33, 3.32, 33.2, 151, 1_500, 5_400].map(spanText)).toEqual([
    "0.33 s",
    "3.32 s",
    "33 s",
    "151 s",
    "25 min",
    "1.5 h",
  ]);
  expect([1, 60, 90, 300, 3_600].map(periodText)).toEqual(["1 s", "60 s", "90 s", "5 min", "1 h"]);
});

it("divides a time axis into about five steps, in seconds or minutes", () => {
  expect([6, 250, 300, 600, 21_600].map(timeStep)).toEqual([1, 60, 60, 120, 3_600]);
  expect(ticksBetween(0, 600, 120)).toEqual([0, 120, 240, 360, 480, 600]);
  expect(ticksBetween(58, 64, 1)).toEqual([58, 59, 60, 61, 62, 63, 64]);
  expect([axisTimeText(480, 120), axisTimeText(58, 1)]).toEqual(["8", "58"]);
});
