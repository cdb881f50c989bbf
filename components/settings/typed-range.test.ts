import { expect, it } from "vitest";
import { readTypedRange } from "./typed-range.ts";

it("judges a range while it is typed", () => {
  expect(readTypedRange(" ", [])).toEqual({ kind: "empty" });
  expect(readTypedRange(" 192.0.2.0/24 ", [])).toEqual({ kind: "range", range: "192.0.2.0/24" });
  expect(readTypedRange("2001:DB8::0/32", [])).toEqual({ kind: "range", range: "2001:db8::/32" });
  expect(readTypedRange("192.0.2", [])).toMatchObject({ kind: "wrong", says: expect.stringMatching(/\.$/) });
  expect(readTypedRange("192.0.2.9/24", [])).toMatchObject({ kind: "wrong", suggestion: "192.0.2.0/24" });
  expect(readTypedRange("192.0.2.9/32", ["192.0.2.9"])).toMatchObject({
    kind: "wrong",
    says: "192.0.2.9 is already protected.",
  });
});
