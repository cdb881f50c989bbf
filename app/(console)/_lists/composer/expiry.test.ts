import { describe, expect, it } from "vitest";
import { aWeek, ttlOf } from "./expiry.ts";

const custom = (amount: string, unit: "m" | "h" | "d" | "w" = "h") =>
  ttlOf({ preset: "custom", amount, unit });

describe("how long an entry lives", () => {
  it("is a week unless chosen", () => {
    expect(ttlOf(aWeek)).toEqual({ ok: true, value: 604_800_000 });
    expect(ttlOf({ ...aWeek, preset: "24h" })).toEqual({ ok: true, value: 86_400_000 });
    expect(ttlOf({ ...aWeek, preset: "never" })).toEqual({ ok: true, value: null });
  });

  it("is a whole number of units", () => {
    expect(custom(" 36 ")).toEqual({ ok: true, value: 129_600_000 });
    expect(custom("90", "m")).toEqual({ ok: true, value: 5_400_000 });
    for (const amount of ["", "1.5", "-1", "1e3", "two"]) expect(custom(amount).ok).toBe(false);
  });

  it("is neither nothing nor longer than ten years", () => {
    expect(custom("0")).toMatchObject({ ok: false, reason: expect.stringContaining("a second at least") });
    expect(custom("600", "w")).toMatchObject({ ok: false, reason: expect.stringContaining("ten years") });
  });
});
