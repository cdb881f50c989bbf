import { describe, expect, it } from "vitest";
import { keptMs, type OwnTier, readTierEnd, type TierEnd, tierAt, writeTierEnd } from "./tier.ts";

const never = Number.POSITIVE_INFINITY;
const minute = 60_000;
const end: TierEnd = { tier: "enterprise", back: "pro", atMs: 1_000 };
const follows = { ...end, endsAt: 1_000 + keptMs };
const saved = (given: Partial<OwnTier> = {}): OwnTier => ({
  name: "enterprise",
  endsAt: 1_000 + keptMs,
  ...given,
});

describe("a tier that ends", () => {
  it("is in force until then, and the one that follows from then on", () => {
    expect(tierAt(saved(), follows, 999)).toEqual({ name: "enterprise", endsAt: 1_000, back: "pro" });
    expect(tierAt(saved(), follows, 1_000)).toEqual({ name: "pro", endsAt: never });
  });

  it("is the same for keys that are read one after another", () => {
    expect(tierAt(saved({ endsAt: follows.endsAt + minute }), follows, 1_000).name).toBe("pro");
    expect(tierAt(saved({ endsAt: follows.endsAt - minute }), follows, 1_000).name).toBe("pro");
  });

  it.each<[string, OwnTier]>([
    ["the same tier again, which removes the expiry", saved({ endsAt: never })],
    ["another tier", saved({ name: "free", endsAt: never })],
    ["another tier with the same expiry", saved({ name: "free" })],
    ["the same tier for a time of its own", saved({ endsAt: 30 * 86_400_000 })],
  ])("has no end once another program sets %s", (_, tier) => {
    expect(tierAt(tier, follows, 2_000)).toBe(tier);
  });

  it("has no end without what follows, or where that never expires", () => {
    expect(tierAt(saved(), undefined, 2_000)).toEqual(saved());
    expect(tierAt(saved({ endsAt: never }), { ...follows, endsAt: never }, 2_000).name).toBe("enterprise");
  });

  it("is written as text, and ignored in any other form", () => {
    expect(readTierEnd(writeTierEnd(end))).toEqual(end);
    for (const text of ["", "pro", "[]", '{"tier":"a"}', '{"tier":"a","back":"b","atMs":"1"}'])
      expect(readTierEnd(text)).toBeUndefined();
  });
});
