import { describe, expect, it } from "vitest";
import { type PolicyInput, requirePolicy } from "./schema.ts";
import { parsePolicy, writePolicy } from "./stored.ts";
import { type AttackMode, afterEnds, attackRules, type End, nextEnd, withAttack } from "./timed.ts";

type RuleInput = PolicyInput["rules"][number];

const ruleOf = (name: string, limit: number, given: Partial<RuleInput> = {}): RuleInput =>
  ({ name, client: "ip", algorithm: "fixed", levels: [{ limit, periodSeconds: 60 }], ...given }) as RuleInput;
const policyOf = (given: Partial<PolicyInput> = {}) =>
  requirePolicy({ mode: "enforce", rules: [ruleOf("a", 1), ruleOf("b", 2)], tiers: {}, ...given });
const signed = { by: "ada@example.org", reason: "an attack" };
const end = (given: Omit<End, "by" | "reason">): End => ({ ...given, ...signed });
const attack: AttackMode = { sinceMs: 100, untilMs: 200, ...signed };
const saved = { version: 3, at: "2026-03-28T12:00:00.000Z", by: "ada@example.org", reason: "" };

describe("what ends at a time", () => {
  const policy = policyOf({ mode: "shadow", tiers: { gold: { levels: [{ limit: 9, periodSeconds: 60 }] } } });
  const backTo = (given: object) => requirePolicy({ ...policy, ...given });

  it("is as it was saved until then, and as it was before from then on", () => {
    const timed = { ends: [end({ part: "mode", atMs: 1_000, back: "enforce" })] };
    expect(afterEnds(policy, timed, 999)).toEqual({ policy, timed, hasEnded: false });
    expect(afterEnds(policy, timed, 1_000)).toEqual({
      ...{ policy: backTo({ mode: "enforce" }), timed: { ends: [] }, hasEnded: true },
    });
  });

  it.each<[string, Omit<End, "atMs" | "by" | "reason">, object]>([
    [
      "a changed rule",
      { part: "rules", name: "a", back: ruleOf("a", 7) },
      { rules: [ruleOf("a", 7), ruleOf("b", 2)] },
    ],
    ["an added rule", { part: "rules", name: "b" }, { rules: [ruleOf("a", 1)] }],
    [
      "a removed rule, in its place",
      { part: "rules", name: "c", back: ruleOf("c", 3), place: 1 },
      { rules: [ruleOf("a", 1), ruleOf("c", 3), ruleOf("b", 2)] },
    ],
    ["an added tier", { part: "tiers", name: "gold" }, { tiers: {} }],
    [
      "a removed tier",
      { part: "tiers", name: "free", back: { levels: [{ limit: 1, periodSeconds: 60 }] } },
      { tiers: { ...policy.tiers, free: { levels: [{ limit: 1, periodSeconds: 60 }] } } },
    ],
    ["the default tier", { part: "defaultTier", back: "gold" }, { defaultTier: "gold" }],
    ["messages", { part: "messages", back: { suspended: "Later." } }, { messages: { suspended: "Later." } }],
  ])("can be %s", (_, part, expected) => {
    const timed = { ends: [end({ ...part, atMs: 5 })] };
    expect(afterEnds(policy, timed, 5).policy).toEqual(backTo(expected));
  });

  it("stays where the policy would be none without it", () => {
    const tiered = policyOf({
      rules: [ruleOf("t", 1, { client: "customer", levels: "tier" } as Partial<RuleInput>)],
      tiers: { gold: { levels: [{ limit: 9, periodSeconds: 60 }] } },
    });
    const timed = { ends: [end({ part: "tiers", name: "gold", atMs: 5 })] };
    expect(afterEnds(tiered, timed, 5).policy).toBe(tiered);
  });

  it("is applied in the order of time, whatever order it is in", () => {
    const ends = [
      end({ part: "mode", atMs: 9, back: "off" }),
      end({ part: "mode", atMs: 7, back: "enforce" }),
    ];
    expect(afterEnds(policy, { ends }, 8).policy.mode).toBe("enforce");
    expect(afterEnds(policy, { ends }, 9).policy.mode).toBe("off");
    expect(nextEnd({ ends, attack: { ...attack, untilMs: 8 } })).toBe(7);
    expect(nextEnd({ ends: [] })).toBe(Number.POSITIVE_INFINITY);
  });

  it("is in the text beside the policy, which older versions read without it", () => {
    const timed = { ends: [end({ part: "mode", atMs: 1_000, back: "enforce" })], attack };
    const text = writePolicy({ ...saved, policy, timed });
    expect(JSON.parse(text).policy).not.toHaveProperty("timed");
    expect(parsePolicy(text)).toMatchObject({ ok: true, stored: { policy: { mode: "shadow" }, timed } });
    expect(parsePolicy(text, 1_000)).toMatchObject({
      ok: true,
      stored: { policy: { mode: "enforce" }, timed: { ends: [] }, hasEnded: true },
    });
    expect(writePolicy({ ...saved, policy })).not.toContain("timed");
  });

  it("is ignored where another program wrote what cannot be read", () => {
    const spoiled = [
      null,
      7,
      { part: "mode" },
      { part: "all", atMs: 1, ...signed },
      { part: "mode", atMs: "1", ...signed },
    ];
    for (const one of spoiled) {
      const given = { ...JSON.parse(writePolicy({ ...saved, policy })), timed: { ends: [one], attack: one } };
      expect(parsePolicy(JSON.stringify(given), 5_000)).toMatchObject({
        ok: true,
        stored: { policy: { mode: "shadow" }, timed: { ends: [] } },
      });
    }
  });
});

describe("attack mode", () => {
  const policy = policyOf({
    attack: { rules: [ruleOf("attack/all", 5), ruleOf("attack/shop", 5, { match: { apps: ["shop"] } })] },
  });
  const names = (apps?: readonly string[]) => attackRules(policy, apps).map(({ name }) => name);

  it("adds its rules before the others, for the apps that it is for", () => {
    expect(withAttack(policy, attack).rules.map(({ name }) => name)).toEqual([
      "attack/all",
      "attack/shop",
      "a",
      "b",
    ]);
    expect(withAttack(policy, undefined)).toBe(policy);
    expect(names(["shop"])).toEqual(["attack/all", "attack/shop"]);
    expect(names(["blog"])).toEqual(["attack/all"]);
    expect(attackRules(policy, ["blog"])[0]?.match.apps).toEqual(["blog"]);
  });

  it("has a set of rules on a fresh install, which the schema takes", () => {
    const fresh = attackRules(policyOf(), undefined);
    expect(policyOf({ attack: { rules: fresh as RuleInput[] } }).attack?.rules).toEqual(fresh);
    expect(fresh).not.toEqual([]);
  });

  it("is over at its end", () => {
    expect(afterEnds(policy, { ends: [], attack }, 199)).toEqual({
      policy,
      timed: { ends: [], attack },
      hasEnded: false,
    });
    expect(afterEnds(policy, { ends: [], attack }, 200)).toEqual({
      policy,
      timed: { ends: [] },
      hasEnded: true,
    });
  });

  it("has rules with names of their own, and is refused where one is not", () => {
    expect(() => policyOf({ attack: { rules: [ruleOf("a", 5)] } })).toThrow('another rule is named "a"');
  });
});
