import { describe, expect, it } from "vitest";
import { aWeek, ttlOf } from "./expiry.ts";

const custom = (amount: string, unit: "m" | "h" | "d" | "w" = "h") =>
  ttlOf({ preset: "custom", amount, unit }, true);

describe("the duration of an entry", () => {
  it("is a week by default", () => {
    expect(ttlOf(aWeek, false)).toEqual({ ok: true, value: 604_800_000 });
    expect(ttlOf({ ...aWeek, preset: "24h" }, false)).toEqual({ ok: true, value: 86_400_000 });
    expect(ttlOf({ ...aWeek, preset: "never" }, true)).toEqual({ ok: true, value: null });
  });

  it("is a whole number of units", () => {
    expect(custom(" 36 ")).toEqual({ ok: true, value: 129_600_000 });
    expect(custom("90", "m")).toEqual({ ok: true, value: 5_400_000 });
    for (const amount of ["", "1.5", "-1", "1e3", "two"]) expect(custom(amount).ok).toBe(false);
  });

  it("is at most 90 days for staff", () => {
    const ofStaff = (amount: string) => ttlOf({ preset: "custom", amount, unit: "d" }, false);
    expect(ofStaff("90")).toEqual({ ok: true, value: 90 * 86_400_000 });
    const reason = "Staff may choose at most 90 days, an admin may choose longer";
    expect(ofStaff("91")).toEqual({ ok: false, reason });
    expect(custom("91", "d").ok).toBe(true);
  });

  it("is neither zero nor longer than ten years", () => {
    expect(custom("0")).toMatchObject({ ok: false, reason: expect.stringContaining("a second at least") });
    expect(custom("600", "w")).toMatchObject({ ok: false, reason: expect.stringContaining("ten years") });
  });
});
