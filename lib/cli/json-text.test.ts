import { expect, it } from "vitest";
import { parseJson } from "./json-text.ts";

it.each([
  ["", "Line 1, column 1: expected a value, found the end of the file"],
  ["{a: 1}", "Line 1, column 2: expected a value or a name in double quotes, found a"],
  ['{\n  "a": 1,\n}', "Line 3, column 1: expected a name in double quotes, found }"],
  ['{\r\n  "a": 1,\r\n}', "Line 3, column 1: expected a name in double quotes, found }"],
  ['{"a": 1\n "b": 2}', 'Line 2, column 2: expected "," or a closing bracket, found "b"'],
  ['["a", enforce]', "Line 1, column 7: expected a value or a name in double quotes, found enforce"],
  ["[1, 2", 'Line 1, column 6: expected "," or "]", found the end of the file'],
  ['{"a": 1', 'Line 1, column 8: expected "," or "}", found the end of the file'],
  ["[01]", 'Line 1, column 3: expected "," or a closing bracket, found 1'],
  ["[1.]", "Line 1, column 2: the number is incomplete, found 1."],
  ["[1, -]", "Line 1, column 5: expected a value or a name in double quotes, found -"],
  ["[,]", "Line 1, column 2: expected a value, found ,"],
  ['{"a" 1}', 'Line 1, column 6: expected ":", found 1'],
  ['{"a": "b', 'Line 1, column 7: the text has no closing quote in its line, found "b'],
  ['["", "\\x"]', 'Line 1, column 6: the text has an invalid escape, found "\\x"'],
  ['["\\u12"]', 'Line 1, column 2: the text has an invalid escape, found "\\u12"'],
  ['["\u0001"]', "Line 1, column 2: the text has a control character, found "],
  ["{} {}", "Line 1, column 4: expected the end of the file, found {"],
  ["[1}", 'Line 1, column 3: expected "," or a closing bracket, found }'],
  ['{"a": [[], {}, [1, {"b": null}]] // no', "Line 1, column 39: expected"],
  ['{"a": 1 /* no', "Line 1, column 9: the comment has no end, found /* no"],
])("%j", (text, says) => {
  expect(() => parseJson(text)).toThrow(says);
});

it("reads JSON with and without a byte order mark", () => {
  expect(parseJson('\ufeff{"a": [1, "b", true]}')).toEqual({ a: [1, "b", true] });
});

it("skips comments, and leaves what looks like one in a text", () => {
  const text = '// a\n{"a": "http://b /* c */", /* d\n e */ "f": 1 // g\n}';
  expect(parseJson(text)).toEqual({ a: "http://b /* c */", f: 1 });
});

it("reports deep nesting, and the position in a long line", () => {
  expect(() => parseJson("[".repeat(100_000))).toThrow("nested too deeply");
  expect(() => parseJson(`["${"\\n".repeat(400_000)}" x`)).toThrow("column 800005: expected");
});
