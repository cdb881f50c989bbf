import { clientOfId } from "../../redis/keys.ts";
import { isRate } from "../algorithms/algorithms.ts";
import type { CountedRequest, Plan, Weighed } from "../limits/plan.ts";
import { countsAddresses, countsIds } from "./client.ts";
import { type Level, stepOf } from "./levels.ts";
import type { Policy, Rule } from "./schema.ts";

/** The steps that count one customer, and the rule of each. */
export interface CustomerPlan extends Plan {
  readonly rules: readonly Rule[];
}

/**
 * The steps that count one customer alone, at any app. Rules that count it together with something else are
 * left out: the others are unknown.
 *
 * @param own undefined for a customer without limits of its own: limits for anonymous clients count it by its id
 */
export function customerPlan(policy: Policy, own: readonly Level[] | undefined): CustomerPlan {
  const found = countingRules(policy, own).flatMap((rule) => {
    const levels = rule.levels === "tier" ? (own ?? []) : rule.levels;
    return levels.map((level) => ({ rule, step: stepOf(rule, level, rule.mode === "shadow") }));
  });
  return { steps: found.map(({ step }) => step), rules: found.map(({ rule }) => rule) };
}

/** The rules of these steps. */
export function countingRules({ rules }: Policy, own: readonly Level[] | undefined): Rule[] {
  return rules.filter((rule) => {
    const { client, match, mode, levels } = rule;
    if (mode === "off") return false;
    if (own !== undefined) return client === "customer" && match.who !== "anonymous";
    if (client === "customer") return match.who !== "customers" && levels !== "tier";
    return countsAddresses(client) && countsIds(rule);
  });
}

/** One customer on the scales: its next request, at what the rules say that it costs. */
export function customerLoad(plan: CustomerPlan, id: string): CountedRequest {
  return {
    plan,
    clients: plan.rules.map(({ client }) => (countsAddresses(client) ? clientOfId(id) : id)),
    costs: plan.rules.map(({ cost }) => (cost === "request" ? 1 : cost)),
  };
}

/** Every level that a customer may have been counted by under this policy: one for each period. */
export function allLevels({ tiers }: Policy, own: readonly Level[]): Level[] {
  const levels = [...own, ...Object.values(tiers).flatMap((tier) => tier.levels)];
  return [...new Map(levels.map((level) => [level.periodSeconds, level])).values()];
}

/** What is used of one level, and what is left. Of EARRRL limit and used are rates a second, and the period is the half-life. */
export interface LimitLevel {
  readonly limit: number;
  readonly periodSeconds: number;
  readonly used: number;
  readonly remaining: number;
  /** Until the level gives something back; if nothing is left, until a cost of one fits again. */
  readonly resetSeconds: number;
}

/** What the readings of a plan say, level for level. */
export function levelsOf({ steps }: Plan, { readings }: Weighed): LimitLevel[] {
  return steps.map(({ algorithm, limit, periodSeconds }, i) => {
    const { used = 0, resetMs = 0 } = readings[i] ?? {};
    const left = Math.max(0, limit - used);
    const remaining = isRate(algorithm) ? left : Math.floor(left);
    return { limit, periodSeconds, used, remaining, resetSeconds: Math.ceil(resetMs / 1_000) };
  });
}
