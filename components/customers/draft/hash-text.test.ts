import { expect, it } from "vitest";
import { readHash, writeHash } from "./hash-text.ts";

it("writes what it reads", () => {
  const text = '{"60": 100, "3600": 1000}';
  const { levels } = readHash(text);
  expect(writeHash(levels ?? [])).toBe(text);
  expect(readHash('{"3600":"1000","60":"100"}')).toEqual({ levels });
});

it.each([
  ["", 'Write JSON: {"60": 100, "3600": 1000}'],
  ["[1]", 'Write JSON: {"60": 100, "3600": 1000}'],
  ["{}", "write at least one level"],
  ['{"min": 5}', '"min" is not a period: use whole seconds'],
  ['{"60": "many"}', 'The limit of "60" is not a whole number'],
  ['{"60": 1.5}', 'The limit of "60" is not a whole number'],
  ['{"60": 0}', '"60": write a whole number from 1 to 1,000,000,000,000'],
  ['{"86399": 1, "86400": 2}', /^"86400": there is a level of 86,399 s/],
])("refuses %s", (text, problem) => {
  expect(readHash(text).problem).toEqual(
    problem instanceof RegExp ? expect.stringMatching(problem) : problem,
  );
});
