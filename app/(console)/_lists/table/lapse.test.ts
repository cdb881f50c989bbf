import { describe, expect, it } from "vitest";
import { isLapsing, readLapsing, toggledLapse, writeLapsing } from "./lapse.ts";

const entry = (expiresAt: number | null) => ({
  ...{ address: "203.0.113.9", isRange: false, reason: "", lifeMs: null, expiresAt },
});

describe("letting an entry lapse", () => {
  it("is remembered and can be taken back", () => {
    const lapsing = toggledLapse(new Map(), entry(90_000));
    const again = readLapsing(writeLapsing(lapsing));
    expect(isLapsing(again, entry(90_000))).toBe(true);
    expect(isLapsing(toggledLapse(again, entry(90_000)), entry(90_000))).toBe(false);
  });

  it("holds for the end it had: who extends it asks again", () => {
    const lapsing = toggledLapse(new Map(), entry(90_000));
    expect(isLapsing(lapsing, entry(90_400))).toBe(true);
    expect(isLapsing(lapsing, entry(500_000))).toBe(false);
    expect(toggledLapse(new Map(), entry(null)).size).toBe(0);
  });

  it.each([null, "", "{}", "[1]", '[["a"]]', "["])("is nothing when %s was kept", (kept) => {
    expect(readLapsing(kept).size).toBe(0);
  });
});
