import { expect, it } from "vitest";
import { printable, printableJson } from "./printable.ts";

const nasty = "a\u001b[31m\u0007\u009b\u202e\u2066\u2028\u00ad\u{e0041}\udc00z";

it("spells out what a terminal would act on, in one line", () => {
  expect(printable(nasty)).toBe(
    "a<U+001B>[31m<U+0007><U+009B><U+202E><U+2066><U+2028><U+00AD><U+E0041><U+DC00>z",
  );
  expect(printable("one\r\ntwo\tthree")).toBe("one two three");
});

it("leaves letters of any script and joined emoji alone", () => {
  const text = "Grüße, 你好, می‌خواهم, 👩‍💻";
  expect(printable(text)).toBe(text);
});

it("escapes the same in JSON without changing what it means", () => {
  const json = printableJson({ [nasty]: nasty });
  expect(JSON.parse(json)).toEqual({ [nasty]: nasty });
  expect(json.replaceAll("\n", "")).toMatch(/^[ -~]*$/);
});
