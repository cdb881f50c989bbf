import fc from "fast-check";
import { expect, it } from "vitest";
import { readNote, reasonProblem, writeNote } from "./note.ts";

it("reads what it writes", () => {
  const note = fc.record({ reason: fc.string(), by: fc.string(), at: fc.string(), via: fc.string() });
  fc.assert(fc.property(note, (written) => void expect(readNote(writeNote(written))).toEqual(written)));
});

it.each([
  ["x", { reason: "x" }],
  ["", { reason: "" }],
  ["{broken", { reason: "{broken" }],
  ['{"by":"ada"}', { reason: '{"by":"ada"}' }],
  ['{"reason":5}', { reason: '{"reason":5}' }],
  ['["reason"]', { reason: '["reason"]' }],
  ["null", { reason: "null" }],
  ['{"reason":"rails","by":7,"via":"console"}', { reason: "rails", via: "console" }],
])("takes %s from anybody", (value, note) => {
  expect(readNote(value)).toEqual(note);
});

it("never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (value) => void readNote(value)));
});

it("bounds reasons", () => {
  expect(reasonProblem("two\nlines\tand ünïcode 🙂")).toBeUndefined();
  expect(reasonProblem("x".repeat(501))).toContain("at most 500");
  for (const bad of ["\0", "\x1b[31m", "a\rb", "\x9b"]) expect(reasonProblem(bad)).toContain("control");
});
