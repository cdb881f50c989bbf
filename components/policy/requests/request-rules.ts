import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { sayRequestRule } from "@/lib/enforce/policy/words.ts";
import type { FormPolicy, FormRule } from "../draft/draft.ts";
import { freeName } from "../rules/rules.ts";

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
