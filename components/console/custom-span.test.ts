import { describe, expect, it } from "vitest";
import { readSpan, writeMinute } from "./custom-span.ts";

const now = Date.parse("2026-11-18T20:46:12Z");
const at = (text: string) => Date.parse(`${text}Z`);

describe("a custom period", () => {
  it("is read in UTC, and written as it was", () => {
    const [from, until] = ["2026-11-18T03:00", "2026-11-18T03:22"];
    expect(readSpan(from, until, now)).toEqual({ span: { from: at(from), until: at(until) } });
    expect(writeMinute(at(from))).toBe(from);
  });

  it("begins where statistics are kept", () => {
    expect(readSpan("2026-11-01T00:00", "2026-11-18T00:00", now)).toEqual({
      span: { from: at("2026-11-10T20:47"), until: at("2026-11-18T00:00") },
    });
  });

  it.each([
    ["", "2026-11-18T03:00", "Enter both times."],
    ["2026-11-18T03:00", "2026-11-18T03:00", "The end must be at least 1 min after the start."],
    ["2026-11-18T20:46", "2026-11-18T23:00", "The start must be at least 1 min ago."],
    ["2026-11-01T03:00", "2026-11-02T03:00", "Statistics are kept for 8 d only."],
  ])("from %s until %s: %s", (from, until, problem) => {
    expect(readSpan(from, until, now)).toEqual({ problem });
  });
});
