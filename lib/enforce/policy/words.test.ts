import { describe, expect, it } from "vitest";
import { at } from "../../at.ts";
import { type Rule, requirePolicy } from "./schema.ts";
import { sayRule, saySlack } from "./words.ts";

const per5min = [{ limit: 300, periodSeconds: 300 }];

function ruleWith(settings: object): Rule {
  const rule = { name: "login", client: "ip", algorithm: "fixed", levels: per5min, ...settings };
  const tiers = { pro: { levels: per5min } };
  return at(requirePolicy({ mode: "enforce", rules: [rule], tiers }).rules, 0);
}

describe("the slack of a rule", () => {
  it.each([
    [4, "10%: up to 28 of 300 more, with 4 nodes"],
    [3, "10%: up to 30 of 300 more, with 3 nodes"],
    [1, "10%: up to 30 of 300 more, with 1 node"],
    [0, "10%: up to 30 of 300 more, with 1 node"],
    [30, "10%: up to 30 of 300 more, with 30 nodes"],
    [31, "10%: none of 300 (too few to divide), with 31 nodes"],
    [undefined, "10% of each limit"],
  ])("is the amount that %s nodes together may let pass above its limit", (nodes, words) => {
    expect(saySlack(ruleWith({ slack: 0.1 }), nodes)).toBe(words);
  });

  it("has an amount for each level", () => {
    const levels = [...per5min, { limit: 20, periodSeconds: 60 }];
    expect(saySlack(ruleWith({ slack: 0.25, levels }), 4)).toBe(
      "25%: up to 72 of 300 more and none of 20 (too few to divide), with 4 nodes",
    );
  });

  it("is a number of requests at once where the limit is a rate", () => {
    const levels = [{ limitPerSecond: 10, halfLifeSeconds: 60 }];
    expect(saySlack(ruleWith({ slack: 0.1, algorithm: "earrrl", levels }), 2)).toBe(
      "10%: up to 86 requests more at once, with 2 nodes",
    );
    expect(saySlack(ruleWith({ slack: 0.1, algorithm: "earrrl", levels }), 87)).toBe(
      "10%: none of 10/s (too few to divide), with 87 nodes",
    );
  });

  it("is a share where the limits are those of the customer's tier, unless its levels are known", () => {
    const rule = ruleWith({ slack: 0.005, levels: "tier", client: "customer" });
    expect(saySlack(rule, 4)).toBe("0.5% of each limit");
    const step = { rule: "login", algorithm: "fixed", overageWeight: 1, isShadowed: false } as const;
    expect(saySlack(rule, 4, [{ ...step, limit: 5_000, periodSeconds: 60, slack: 0.005 }])).toBe(
      "0.5%: up to 24 of 5,000 more, with 4 nodes",
    );
  });

  it.each<[string, object]>([
    ["none: each request waits for its count", {}],
    ["none: each request waits for its count", { slack: 0 }],
    ["none: a rolling list is exact", { slack: 0.1, algorithm: "rolling-list" }],
    ["none: a rolling set is exact", { slack: 0.1, algorithm: "rolling-set" }],
    ["none: a limit of requests at once is exact", { slack: 0.1, algorithm: "concurrent" }],
    ["none: a rule that counts by outcome is exact", { slack: 0.1, countWhen: "failed" }],
    ["none: a rule with onStoreError closed is exact", { slack: 0.1, onStoreError: "closed" }],
    [
      "none: a rule that bans is exact",
      { slack: 0.1, ban: { after: 5, withinSeconds: 60, forSeconds: 60, capSeconds: 60 } },
    ],
  ])("is %s", (words, settings) => {
    expect(saySlack(ruleWith(settings), 4)).toBe(words);
  });
});

describe("what a rule says", () => {
  it("names the requests that it counts, where it does not count all", () => {
    expect(sayRule(ruleWith({}))).not.toHaveProperty("counts");
    expect(sayRule(ruleWith({ countWhen: "failed" })).counts).toBe("only requests that the app calls failed");
    expect(sayRule(ruleWith({ countWhen: { status: [401, 403] } })).counts).toBe(
      "only responses with status 401 or 403",
    );
  });

  it("says how many requests may be under way at once", () => {
    const levels = [{ limit: 5, periodSeconds: 120 }];
    expect(sayRule(ruleWith({ algorithm: "concurrent", levels }))).toMatchObject({
      limits: "5 at once, each for 2 min at most",
      "counted in": "requests at once",
    });
  });
});
