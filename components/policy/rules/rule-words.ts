import { countText } from "@/components/ui/value-text.ts";
import type { Client } from "@/lib/enforce/policy/client.ts";
import type { Level, RateLevel } from "@/lib/enforce/policy/levels.ts";
import { checkPolicy, type Rule } from "@/lib/enforce/policy/schema.ts";
import { sayPeriod, saySeconds, saySlack } from "@/lib/enforce/policy/words.ts";
import type { PolicyReply } from "@/lib/queries/policy.ts";
import type { Draft, FormPolicy, FormRule } from "../draft/draft.ts";

export const clientWords = {
  ip: "client IP",
  user: "Basic user",
  customer: "customer",
  path: "path",
  standard: "standard fingerprint",
  broad: "broad fingerprint",
} as const;

/** The parsed rule. Undefined while it has problems. */
export function ruleIn({ tiers }: FormPolicy, rule: FormRule): Rule | undefined {
  const checked = checkPolicy({ mode: "enforce", rules: [rule], tiers });
  return checked.ok ? checked.policy.rules[0] : undefined;
}

/** How far all running nodes together may exceed the rule. Undefined while it has problems. */
export function slackOf(
  { now, draft }: { now: Pick<PolicyReply, "nodes">; draft: Pick<Draft, "policy"> },
  rule: FormRule,
): string | undefined {
  const said = ruleIn(draft.policy, rule);
  return said && saySlack(said, now.nodes);
}

export function nameOf({ name }: FormRule, place: number): string {
  return typeof name === "string" && name !== "" ? name : `rule ${place + 1}`;
}

export function sayCountedBy(client: Client): string {
  if (typeof client === "string") return clientWords[client];
  const { ip, header, cookie, code, all } = client;
  if (ip) return `network, /${ip.v4} and /${ip.v6}`;
  if (header !== undefined) return `header ${header}`;
  if (cookie !== undefined) return `cookie ${cookie}`;
  return code === undefined ? (all ?? []).map(sayCountedBy).join(" + ") : `code ${code}`;
}

/** One line per level: `300`, `per 5 min`. */
export function sayLimits({ levels, algorithm }: Pick<Rule, "levels" | "algorithm">) {
  if (levels === "tier") return [{ limit: "by tier", per: "" }];
  const lines = levels.map(sayLimit);
  return algorithm === "concurrent" ? lines.map(({ limit }) => ({ limit, per: "at once" })) : lines;
}

function sayLimit(level: Level | RateLevel) {
  if ("limit" in level) return { limit: countText(level.limit), per: `per ${sayPeriod(level)}` };
  return { limit: `${level.limitPerSecond}/s`, per: `half-life ${saySeconds(level.halfLifeSeconds)}` };
}

/** A problem of the schema as a sentence. */
export function sentence(problem: string | undefined): string | undefined {
  return problem && `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`;
}
