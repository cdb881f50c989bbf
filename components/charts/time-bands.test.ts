import { expect, it } from "vitest";
import { clearHeight, offLabel, offSentence } from "./time-bands.tsx";

const at = (clock: string) => Date.parse(`2026-11-18T${clock}Z`);
const past = { from: at("20:06:00"), until: at("20:14:00"), isEarlier: false };
const since = { from: at("20:34:00"), until: null, isEarlier: false };
const begunEarlier = { isEarlier: true };

it.each([
  [past, 300, "Protection off 8 min"],
  [past, 70, "Off 8 min"],
  [past, 30, "Off"],
  [past, 10, ""],
  [since, 300, "Protection off since 20:34"],
  [since, 120, "Off since 20:34"],
  [{ ...past, ...begunEarlier }, 300, "Protection off"],
  [{ ...since, ...begunEarlier }, 300, "Protection off"],
  [{ ...since, ...begunEarlier }, 30, "Off"],
])("%j in %d px", (span, room, label) => {
  expect(offLabel(span, room)).toBe(label);
});

it("describes a past and a current time", () => {
  expect(offSentence(past)).toBe("Protection off from 18 Nov 20:06:00 to 18 Nov 20:14:00");
  expect(offSentence(since)).toBe("Protection off since 18 Nov 20:34:00");
});

it("states no start for a time that began before the chart", () => {
  expect(offSentence({ ...past, ...begunEarlier })).toBe("Protection off until 18 Nov 20:14:00");
  expect(offSentence({ ...since, ...begunEarlier })).toBe("Protection off");
});

it.each([
  [[], 100],
  [[40, 160], 100],
  [[100], 93],
  [[97], 110],
  [[92, 106], 85],
])("puts a label where none of the lines at %j crosses it", (lines, height) => {
  expect(clearHeight(100, lines)).toBe(height);
});
