import { expect, it } from "vitest";
import { endsOf, momentOf, readEnds, sayFor } from "./ends.ts";

const now = Date.parse("2026-03-21T14:32:10.123Z");
const kept = Date.parse("2026-03-28T14:32:45.678Z");
const date = (text: string) => ({ choice: "date", text }) as const;

it("reads what was chosen", () => {
  expect(readEnds({ choice: "1w", text: "" }, now, null)).toEqual({ ok: true, inMs: 604_800_000 });
  expect(readEnds({ choice: "never", text: "x" }, now, kept)).toEqual({ ok: true, at: null });
  expect(readEnds(date("2026-03-28T14:32"), now, null)).toEqual({
    ok: true,
    at: Date.parse("2026-03-28T14:32Z"),
  });
});

it("keeps the seconds of an unchanged end", () => {
  expect(readEnds(endsOf(kept), now, kept)).toEqual({ ok: true, at: kept });
  expect(endsOf(null).choice).toBe("never");
});

it.each([
  ["", "Enter a date and a time"],
  ["2026-03-21T14:32", "This time is in the past"],
  ["2036-04-21T14:32", "At most 10 years, or never"],
])("refuses %j", (text, problem) => {
  expect(readEnds(date(text), now, null)).toEqual({ ok: false, problem });
  expect(momentOf(date(text), now, null)).toBeUndefined();
});

it("says for how long", () => {
  expect(sayFor({ choice: "30d", text: "" }, "x")).toBe("for 30 days");
  expect(sayFor(date("y"), "28 Mar, 14:32")).toBe("until 28 Mar, 14:32 UTC");
  expect(sayFor({ choice: "never", text: "" }, "x")).toBe("permanently");
});
