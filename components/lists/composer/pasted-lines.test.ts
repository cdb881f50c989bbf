import { expect, it } from "vitest";
import { linesOf } from "./pasted-lines.ts";

it("puts each address on its own line", () => {
  expect(linesOf("203.0.113.1, 203.0.113.2;198.51.100.0/24  2001:db8::1")).toBe(
    "203.0.113.1\n203.0.113.2\n198.51.100.0/24\n2001:db8::1",
  );
  expect(linesOf("203.0.113.1\r\n203.0.113.2\r")).toBe("203.0.113.1\n203.0.113.2\n");
});

it("does not change lines that are not a list of addresses", () => {
  for (const text of [
    "203.0.113.1, 1w, scraper, one of many",
    "see 203.0.113.1",
    "",
    "203.0.113.1",
    "a, b",
  ]) {
    expect(linesOf(text)).toBe(text);
  }
});
