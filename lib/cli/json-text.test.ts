import { expect, it } from "vitest";
import { parseJson } from "./json-text.ts";

it.each([
  ["", "Line 1, column 1: there should be a value, but there is the end of the file"],
  ["{a: 1}", 'Line 1, column 2: there should be a name in "double quotes" or "}", but there is a'],
  ['{\n  "a": 1,\n}', 'Line 3, column 1: there should be a name in "double quotes", but there is }'],
  ['{"a": 1\n "b": 2}', 'Line 2, column 2: there should be "," or "}", but there is the text "b"'],
  ['["a", enforce]', "Line 1, column 7: there should be a value, but there is enforce"],
  ["[1, 2", 'Line 1, column 6: there should be "," or "]", but there is the end of the file'],
  ["[01]", 'Line 1, column 2: there should be a value or "]", but there is 01'],
  ["[1, -]", "Line 1, column 5: there should be a value, but there is -"],
  ["[,]", 'Line 1, column 2: there should be a value or "]", but there is ,'],
  ['{"a" 1}', 'Line 1, column 6: there should be ":", but there is 1'],
  ['{"a": "b', "Line 1, column 7: there should be a value, but there is a text that JSON cannot read"],
  ['["", "\\x"]', "Line 1, column 6: there should be a value, but there is a text that JSON cannot read"],
  ["{} {}", "Line 1, column 4: there should be nothing more, but there is {"],
  ["[1}", 'Line 1, column 3: there should be "," or "]", but there is }'],
  ['{"a": [[], {}, [1, {"b": null}]], // no', 'Line 1, column 35: there should be a name in "double quotes"'],
])("%j", (text, says) => {
  expect(() => parseJson(text)).toThrow(says);
});

it("reads what is JSON, with or without a byte order mark", () => {
  expect(parseJson('\ufeff{"a": [1, "b", true]}')).toEqual({ a: [1, "b", true] });
});

it("holds with deep and with long files", () => {
  expect(() => parseJson("[".repeat(100_000))).toThrow("column 100001: there should be a value");
  expect(() => parseJson(`["${"\\n".repeat(400_000)}" x`)).toThrow('there should be "," or "]"');
});
