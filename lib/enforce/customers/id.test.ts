import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CustomerId, customerOf, keys } from "../../redis/keys.ts";
import { groupProblem, isCustomerId, parseCustomerId, patternMatcher, patternProblem } from "./id.ts";

it.each(["acme", "3", "Ann.Lee@example.org", "a_b-c", "x".repeat(64), " padded "])("accepts %j", (text) => {
  expect(parseCustomerId(text)).toEqual({ ok: true, value: text.trim() });
});

it.each([
  ["", "A customer id is missing"],
  ["a:tier_redis", '"a:tier_redis" is not a customer id: it has letters, digits and _ . @ - only'],
  ["a*", '"a*" is not a customer id: it has letters, digits and _ . @ - only'],
  ["ümlaut", '"\ufffdmlaut" is not a customer id: it has letters, digits and _ . @ - only'],
  ["a\nb", '"a\ufffdb" is not a customer id: it has letters, digits and _ . @ - only'],
  ["x".repeat(65), `"${"x".repeat(50)}" is not a customer id: it has at most 64 characters`],
])("refuses %j", (text, reason) => {
  expect(parseCustomerId(text)).toEqual({ ok: false, reason });
});

it("accepts the same ids as the pattern", () => {
  const near = fc.string({ unit: fc.constantFrom(..."azAZ09_.@-[`/:;{^ é"), maxLength: 70 });
  fc.assert(
    fc.property(
      fc.oneof(near, fc.string()),
      (text) => isCustomerId(text) === /^[A-Za-z0-9_.@-]{1,64}$/.test(text),
    ),
    { numRuns: 5_000 },
  );
});

it("no id leads to another customer's key, or to a key of another kind", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_.@-]{1,64}$/).map((text) => text as CustomerId);
  fc.assert(
    fc.property(id, (one) => {
      expect(customerOf(keys.tier(one))).toEqual({ id: one, says: "tier" });
      expect(customerOf(keys.override(one))).toEqual({ id: one, says: "override" });
      expect(customerOf(keys.suspension(one))).toEqual({ id: one, says: "suspension" });
    }),
  );
  const hostile = fc
    .tuple(id, fc.constantFrom(":tier_redis", ":throttle_hash", ":suspended", ":", "*", "\0"))
    .map((parts) => parts.join(""));
  fc.assert(fc.property(hostile, (text) => !isCustomerId(text)));
});

describe("a pattern", () => {
  it.each([
    ["premium_*", "premium_1", true],
    ["premium_*", "premium_", true],
    ["premium_*", "premium", false],
    ["premium_*", "x_premium_1", false],
    ["premium_*", "Premium_1", false],
    ["*@example.org", "joe@example.org", true],
    ["*@example.org", "joe@example.org.uk", false],
    ["eu-*-test", "eu-shop-test", true],
    ["eu-*-test", "eu-test", false],
    ["*trial*", "a-trial-b", true],
    ["*trial*", "trial", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "ac", false],
    ["ab*bc", "abc", false],
  ])("%s has %s: %s", (pattern, id, expected) => {
    expect(patternProblem(pattern)).toBeUndefined();
    expect(patternMatcher(pattern)(id)).toBe(expected);
  });

  it.each(["premium", "*", "**", "a**b", "a*b*c*d", "a b*", "ü*", `${"a".repeat(64)}*`])(
    "%s is refused",
    (text) => {
      expect(patternProblem(text)).toBeDefined();
    },
  );
});

it("a group has a plain name", () => {
  expect(["beta", "beta-2", "0_x"].map(groupProblem)).toEqual([undefined, undefined, undefined]);
  expect(["", "Beta", "a b", "a*", "-a", "a".repeat(41)].every((name) => groupProblem(name))).toBe(true);
});
