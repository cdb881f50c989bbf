import type { Rule } from "../../enforce/policy/schema.ts";
import { sayClient, sayLimits, sayMatch } from "../../enforce/policy/words.ts";

/** "30 per 1 min, counted by ip. It matches anonymous; except /_next/static." */
export function sayAttackRule(rule: Rule): string {
  const mode = rule.mode === "enforce" ? "" : `, ${rule.mode}`;
  return `${sayLimits(rule)}, counted by ${sayClient(rule.client)}${mode}. It matches ${sayMatch(rule.match)}.`;
}
