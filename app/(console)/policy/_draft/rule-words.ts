import { countText } from "../../../../components/ui/count-text.ts";
import { checkPolicy } from "../../../../lib/policy/check.ts";
import type { Client } from "../../../../lib/policy/client.ts";
import type { Level, RateLevel } from "../../../../lib/policy/levels.ts";
import type { Rule } from "../../../../lib/policy/schema.ts";
import { saySeconds } from "../../../../lib/policy/words.ts";
import type { FormPolicy, FormRule } from "./draft.ts";

export const clientWords = {
  ip: "client IP",
  user: "Basic user",
  customer: "customer",
  path: "path",
  standard: "standard fingerprint",
  broad: "broad fingerprint",
} as const;

/** The rule as a policy reads it; nothing while it has problems of its own. */
export function ruleIn({ tiers }: FormPolicy, rule: FormRule): Rule | undefined {
  const checked = checkPolicy({ mode: "enforce", rules: [rule], tiers });
  return checked.ok ? checked.policy.rules[0] : undefined;
}

export function nameOf({ name }: FormRule, place: number): string {
  return typeof name === "string" && name !== "" ? name : `rule ${place + 1}`;
}

export function sayCountedBy(client: Client): string {
  if (typeof client === "string") return clientWords[client];
  const { header, cookie, code, all } = client;
  if (header !== undefined) return `header ${header}`;
  if (cookie !== undefined) return `cookie ${cookie}`;
  return code === undefined ? (all ?? []).map(sayCountedBy).join(" + ") : `code ${code}`;
}

export interface LimitWords {
  readonly limit: string;
  readonly per: string;
}

/** A line a level: `300`, `5 min`. */
export function sayLimits({ levels }: Pick<Rule, "levels">): readonly LimitWords[] {
  return levels === "tier" ? [{ limit: "by tier", per: "" }] : levels.map(sayLimit);
}

function sayLimit(level: Level | RateLevel): LimitWords {
  if ("limit" in level) return { limit: countText(level.limit), per: saySeconds(level.periodSeconds) };
  return { limit: `${level.limitPerSecond}/s`, per: `half-life ${saySeconds(level.halfLifeSeconds)}` };
}
