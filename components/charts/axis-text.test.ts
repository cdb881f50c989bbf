import { expect, it } from "vitest";
import { spanText } from "./axis-text.ts";

const at = (text: string) => Date.parse(`2026-11-${text}Z`);

it.each([
  [at("18T20:29:00"), at("18T20:37:00"), "20:29–20:37"],
  [at("18T20:29:05"), at("18T20:30:00"), "20:29:05–20:30:00"],
  [at("18T23:00:00"), at("19T02:00:30"), "18 Nov 23:00–19 Nov 02:00"],
])("from %d to %d", (from, until, text) => {
  expect(spanText({ from, until })).toBe(text);
});
