import { describe, expect, it } from "vitest";
import { isLapsing, readLapsing, toggledLapse, writeLapsing } from "./lapse.ts";

const entry = (expiresAt: number | null) => ({
  ...{ address: "203.0.113.9", isRange: false, reason: "", lifeMs: null, expiresAt },
});

describe("an entry that is left to expire", () => {
  it("is stored, and can be undone", () => {
    const lapsing = toggledLapse(new Map(), entry(90_000));
    const again = readLapsing(writeLapsing(lapsing));
    expect(isLapsing(again, entry(90_000))).toBe(true);
    expect(isLapsing(toggledLapse(again, entry(90_000)), entry(90_000))).toBe(false);
  });

  it("asks again after the entry was extended", () => {
    const lapsing = toggledLapse(new Map(), entry(90_000));
    expect(isLapsing(lapsing, entry(90_400))).toBe(true);
    expect(isLapsing(lapsing, entry(500_000))).toBe(false);
    expect(toggledLapse(new Map(), entry(null)).size).toBe(0);
  });

  it.each([null, "", "{}", "[1]", '[["a"]]', "["])("is none when %s was stored", (kept) => {
    expect(readLapsing(kept).size).toBe(0);
  });
});
