import type { Plan } from "../limits/plan.ts";
import { stepOf } from "./branch.ts";
import type { Level } from "./levels.ts";
import type { Policy } from "./schema.ts";

/**
 * The steps that count one customer by itself, at whatever app. Rules that count it together with something else are
 * left out: nobody knows all the others.
 */
export function customerPlan({ rules }: Policy, own: readonly Level[]): Plan {
  const counting = rules.filter(({ client, mode }) => client === "customer" && mode !== "off");
  const steps = counting.flatMap((rule) => {
    const levels = rule.levels === "tier" ? own : rule.levels;
    return levels.map((level) => stepOf(rule, level, rule.mode === "shadow"));
  });
  return { steps };
}

/** Every level that a customer may have been counted by under this policy: one for each period. */
export function allLevels({ tiers }: Policy, own: readonly Level[]): Level[] {
  const levels = [...own, ...Object.values(tiers).flatMap((tier) => tier.levels)];
  return [...new Map(levels.map((level) => [level.periodSeconds, level])).values()];
}
