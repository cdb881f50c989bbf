import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { sayRequestRule } from "@/lib/enforce/policy/words.ts";
import type { FormPolicy, FormRule } from "../draft/draft.ts";
import { freeName } from "../rules/rules.ts";

export function requestRulesOf({ requestRules = [] }: FormPolicy): readonly FormRule[] {
  return requestRules;
}

/** The policy with these rules. Without any, it has no list of them. */
export function withRequestRules(policy: FormPolicy, rules: readonly FormRule[]): FormPolicy {
  const { requestRules: _, ...others } = policy;
  return rules.length > 0 ? { ...others, requestRules: rules } : others;
}

export function movedRequest(policy: FormPolicy, from: number, by: -1 | 1): FormPolicy {
  const rules = requestRulesOf(policy);
  const [rule, other] = [rules[from], rules[from + by]];
  if (!rule || !other) return policy;
  return withRequestRules(policy, rules.with(from, other).with(from + by, rule));
}

/** Default of a new rule: in shadow, it denies nothing. */
export function newRequestRule(policy: FormPolicy): FormRule {
  return {
    name: freeName(policy, "new-deny"),
    action: "deny",
    match: { tools: ["scanners"] },
    mode: "shadow",
  };
}

/** Such a rule in words. Undefined while it has problems. */
export function saidOf(rule: FormRule): Record<string, string> | undefined {
  const checked = checkPolicy({ mode: "enforce", rules: [], tiers: {}, requestRules: [rule] });
  const [said] = checked.ok ? (checked.policy.requestRules ?? []) : [];
  return said && sayRequestRule(said);
}

/** One sentence: "Denies with 403: user agents with acme-bot." */
export function sentenceOf(rule: FormRule): string | undefined {
  const said = saidOf(rule);
  if (!said) return undefined;
  const { action = "", matches } = said;
  const does = rule.action === "exempt" ? "Exempts from all limits" : action.replace(/^deny/, "Denies");
  return `${does}: ${matches}.`;
}
