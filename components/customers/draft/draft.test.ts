import { describe, expect, it } from "vitest";
import {
  asRows,
  changesIn,
  draftOf,
  isInForce,
  isSameBasis,
  levelsOfTier,
  readOwn,
  rebased,
  shownRows,
  wishedLevels,
  withHash,
  withoutOwn,
  withRows,
} from "./draft.ts";
import { rowsOf } from "./level-rows.ts";
import { customerAs, withOwn } from "./vitest.customer.ts";

const hour = (limit: number) => ({ limit, periodSeconds: 3_600 });
const minute = (limit: number) => ({ limit, periodSeconds: 60 });

describe("a draft", () => {
  it("begins as the current customer, with nothing to save", () => {
    for (const now of [customerAs(), customerAs({ tier: null, levels: null }), withOwn([minute(5)], 9e12)]) {
      expect(changesIn(draftOf(now), now)).toEqual({ isTierChanged: false, own: null, count: 0 });
      expect(isInForce(draftOf(now), now)).toBe(true);
    }
  });

  it("follows the limits of its tier until they are made the customer's own", () => {
    const now = customerAs();
    const moved = { ...draftOf(now), tier: "pro" };
    expect(shownRows(now, moved).map(({ limit }) => limit)).toEqual(["100", "5,000"]);
    expect(changesIn(moved, now)).toEqual({ isTierChanged: true, own: null, count: 1 });
    const own = withRows(moved, rowsOf([hour(1_000)]));
    expect(wishedLevels(own, now)).toEqual([hour(1_000)]);
    expect(changesIn(own, now)).toMatchObject({ own: "set", count: 2 });
    expect(withoutOwn(own)).toEqual(moved);
  });

  it("follows the default tier where it has none of the policy", () => {
    const now = customerAs({ tier: null, defaultTier: "pro", levels: [minute(100), hour(5_000)] });
    expect(wishedLevels(draftOf(now), now)).toEqual(now.levels);
    expect(isInForce(draftOf(now), now)).toBe(true);
    expect(isInForce({ ...draftOf(now), tier: "free" }, now)).toBe(false);
  });

  it("counts each level that is new, other or gone, and the end", () => {
    const now = withOwn([minute(5), hour(9)], 9e12);
    const draft = withRows(draftOf(now), rowsOf([minute(6), { limit: 1, periodSeconds: 86_400 }]));
    expect(changesIn(draft, now).count).toBe(3);
    expect(changesIn({ ...draft, ends: { choice: "never", text: "" } }, now).count).toBe(4);
    expect(changesIn(withoutOwn(draft), now)).toMatchObject({ own: "clear", count: 1 });
  });

  it("that gives a customer what its tier has anyway is a change, too: it stays when the tier changes", () => {
    const now = customerAs();
    expect(changesIn(withRows(draftOf(now), rowsOf([hour(100)])), now)).toMatchObject({
      own: "set",
      count: 1,
    });
  });

  it("is read from the hash while that is typed", () => {
    const now = customerAs();
    const typed = withHash(draftOf(now), '{"60": 7');
    expect(readOwn(typed)?.problem).toMatch(/Write JSON/);
    expect(asRows(typed)).toBe(typed);
    const done = withHash(typed, '{"60": 7}');
    expect(wishedLevels(done, now)).toEqual([minute(7)]);
    expect(asRows(done)).toMatchObject({ hash: null, rows: [{ count: "1", unit: "min", limit: "7" }] });
  });
});

describe("on the version that another user saved", () => {
  const base = customerAs();
  const theirs = customerAs({ tier: { name: "pro", isKnown: true, expiresAt: null } });

  it("own levels are put on top of their tier", () => {
    const mine = { ...withRows(draftOf(base), rowsOf([minute(7)])), reason: "mine" };
    expect(rebased(mine, base, theirs)).toEqual({ ...mine, tier: "pro" });
  });

  it("a tier is put beside their levels", () => {
    const other = withOwn([hour(9)], 9e12);
    const mine = rebased({ ...draftOf(base), tier: "pro", reason: "mine" }, base, other);
    expect(mine).toMatchObject({ tier: "pro", reason: "mine", ends: draftOf(other).ends });
    expect(changesIn(mine, other)).toEqual({ isTierChanged: true, own: null, count: 1 });
  });

  it("what both changed is mine, and what they gave and I did not touch stays", () => {
    const [before, after] = [withOwn([hour(9)]), withOwn([hour(10)])];
    const mine = withRows(draftOf(before), rowsOf([hour(11)]));
    expect(wishedLevels(rebased(mine, before, after), after)).toEqual([hour(11)]);
    expect(rebased(withoutOwn(mine), before, after).rows).toBeNull();
    expect(changesIn(rebased(draftOf(before), before, after), after).count).toBe(0);
  });

  it("a level that I did not touch stays as they saved it", () => {
    const before = withOwn([minute(100), hour(5_000)]);
    const after = withOwn([minute(100), hour(9_000)], 9e12);
    const mine = withRows(draftOf(before), rowsOf([minute(150), hour(5_000)]));
    const merged = rebased(mine, before, after);
    expect(wishedLevels(merged, after)).toEqual([minute(150), hour(9_000)]);
    expect(merged.ends).toEqual(draftOf(after).ends);
    const without = withRows(draftOf(before), rowsOf([hour(5_000)]));
    expect(wishedLevels(rebased(without, before, after), after)).toEqual([hour(9_000)]);
    const added = withOwn([minute(100), hour(5_000), { limit: 9, periodSeconds: 86_400 }]);
    expect(wishedLevels(rebased(mine, before, added), added)).toEqual([
      minute(150),
      hour(5_000),
      { limit: 9, periodSeconds: 86_400 },
    ]);
  });

  it("is another customer only if it is another", () => {
    expect(isSameBasis(base, { basedOn: "0123456789abcdef-99" })).toBe(true);
    expect(isSameBasis(base, { basedOn: "1123456789abcdef-7" })).toBe(false);
  });
});

it("takes a tier from the app's session before the default tier, and its limits before the customer's tier", () => {
  const levels = [{ limit: 1, periodSeconds: 60 }];
  const limitOf = (tier: string, session: { tier: string | null; levels: typeof levels | null }) =>
    levelsOfTier(customerAs({ defaultTier: "free", session: { ...session, at: 0 } }), tier).at(-1)?.limit;
  expect(limitOf("", { tier: "pro", levels: null })).toBe(5_000);
  expect(limitOf("", { tier: "gone", levels: null })).toBe(100);
  expect(limitOf("free", { tier: "pro", levels: null })).toBe(100);
  expect(limitOf("pro", { tier: null, levels })).toBe(1);
});
