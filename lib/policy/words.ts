import { algorithmWords } from "./algorithms.ts";
import { counted } from "./bounds.ts";
import type { Client } from "./client.ts";
import type { EdgePolicy } from "./edge.ts";
import type { Level, RateLevel } from "./levels.ts";
import type { Match } from "./match.ts";
import type { Rule } from "./schema.ts";

/** "300 per 5 min and 600 per 30 min" */
export function sayLevels(levels: "tier" | readonly (Level | RateLevel)[]): string {
  return levels === "tier" ? "by the customer's tier" : levels.map(sayLevel).join(" and ");
}

function sayLevel(level: Level | RateLevel): string {
  if ("limit" in level) return `${counted(level.limit)} per ${saySeconds(level.periodSeconds)}`;
  const { limitPerSecond, halfLifeSeconds, overageWeight } = level;
  const weight = overageWeight === 1 ? "" : `, overage weighing ${overageWeight}`;
  return `${limitPerSecond}/s with a half-life of ${saySeconds(halfLifeSeconds)}${weight}`;
}

const units = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** In the largest unit that fits without a rest. */
export function saySeconds(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? ["s", 1];
  const count = seconds / size;
  return `${counted(count)} ${unit === "day" && count !== 1 ? "days" : unit}`;
}

export function sayClient(client: Client): string {
  if (typeof client === "string")
    return client === "standard" || client === "broad" ? `${client} fingerprint` : client;
  const { header, cookie, code, all } = client;
  if (header !== undefined) return `header ${header}`;
  if (cookie !== undefined) return `cookie ${cookie}`;
  if (code !== undefined) return `code ${code}`;
  return (all ?? []).map(sayClient).join(" and ");
}

export function sayMatch({ only, except, methods, apps, exceptApps, who }: Match): string {
  const parts = [
    who === "anyone" ? "" : who,
    only ? `only ${only.join(", ")}` : "",
    except ? `except ${except.join(", ")}` : "",
    methods ? `methods ${methods.join(", ")}` : "",
    apps ? `apps ${apps.join(", ")}` : "",
    exceptApps ? `not apps ${exceptApps.join(", ")}` : "",
  ];
  return parts.filter(Boolean).join("; ") || "every request";
}

/** Each thing that a rule says, by what people call it. */
export function sayRule(rule: Rule): Record<string, string> {
  const { response, ban } = rule;
  return {
    "counted by": sayClient(rule.client),
    limits: sayLevels(rule.levels),
    "counted in": algorithmWords[rule.algorithm],
    matches: sayMatch(rule.match),
    mode: rule.mode,
    cost: rule.cost === "request" ? "what the app says" : counted(rule.cost),
    answer:
      response.message === undefined ? `${response.status}` : `${response.status} "${response.message}"`,
    "when Redis is away": rule.onStoreError,
    "IPv6 network": `/${rule.ipv6Prefix}`,
    "Basic users": rule.requireBasic ? "required" : "not required",
    ban: ban ? sayBan(ban) : "none",
  };
}

function sayBan({ after, withinSeconds, forSeconds, capSeconds }: NonNullable<Rule["ban"]>): string {
  const first = `for ${saySeconds(forSeconds)} after ${counted(after)} denials in ${saySeconds(withinSeconds)}`;
  return `${first}, at most ${saySeconds(capSeconds)}`;
}

/** Each thing that the policy says of the edge. */
export function sayEdge({
  standardPerMinute,
  broadPerMinute,
  coolDownMinutes,
  tools,
}: EdgePolicy): Record<string, string> {
  return {
    "one client on one path": `${counted(standardPerMinute)} a minute`,
    "a known tool": `${counted(broadPerMinute)} a minute`,
    "cool-down": `${counted(coolDownMinutes)} min`,
    tools: tools.join(", ") || "none",
  };
}
