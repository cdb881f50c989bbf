import { expect, it } from "vitest";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { begin, isFormPolicy, standingOf, withPolicy } from "../draft/draft.ts";
import { rulesOf, withRules } from "../rules/rules.ts";
import { newRequestRule, saidOf, sentenceOf } from "./request-rules.ts";

const fresh = begin(0, { ...defaultPolicy });
const bots = { name: "no-bots", action: "deny", match: { userAgents: ["acme-bot"] } };
const health = { name: "health", action: "exempt", match: { only: ["/health"] } };

it("adds a rule in shadow, with a name of its own, and leaves no list behind", () => {
  const one = withRules(fresh.policy, "requestRules", [newRequestRule(fresh.policy)]);
  const second = newRequestRule(one);
  expect([rulesOf(one, "requestRules")[0]?.mode, second.name]).toEqual(["shadow", "new-deny-2"]);
  const draft = withPolicy(fresh, () => one);
  expect(standingOf(draft)).toMatchObject({
    problems: [],
    changes: ["Deny rule new-deny is new: deny with 403, mode shadow. It matches known tools: scanners."],
  });
  const without = withRules(one, "requestRules", []);
  expect(without).not.toHaveProperty("requestRules");
  expect(standingOf(withPolicy(draft, () => without)).isEdited).toBe(false);
});

it("says what a rule does, and nothing of one with problems", () => {
  expect(sentenceOf(bots)).toBe("Denies with 403: user agents with acme-bot.");
  expect(sentenceOf({ ...bots, response: { status: 404, message: "Gone." } })).toBe(
    'Denies with 404 "Gone.": user agents with acme-bot.',
  );
  expect(sentenceOf(health)).toBe("Exempts from all limits: only /health.");
  expect([sentenceOf({ ...bots, match: {} }), saidOf({ ...bots, name: "" })]).toEqual([undefined, undefined]);
});

it("is shown by forms only where it is a list of rules", () => {
  const shown = (requestRules: unknown) => isFormPolicy({ ...defaultPolicy, requestRules });
  expect([shown(undefined), shown([bots]), shown(3), shown(["x"])]).toEqual([true, true, false, false]);
});
