import { isRate, models, shareOf } from "../algorithms/algorithms.ts";
import type { CountWhen, Step } from "../limits/plan.ts";
import { counted } from "./bounds.ts";
import type { Client } from "./client.ts";
import type { EdgePolicy } from "./edge-rules.ts";
import { type Level, type RateLevel, stepOf, termsOf } from "./levels.ts";
import type { Match } from "./match.ts";
import { denialStatus, type RequestMatch, type RequestRule } from "./request-rules.ts";
import type { Rule } from "./schema.ts";

/** "300 per 5 min and 600 per 30 min" */
export function sayLevels(levels: "tier" | readonly (Level | RateLevel)[]): string {
  return levels === "tier" ? "by the customer's tier" : levels.map(sayLevel).join(" and ");
}

function sayLevel(level: Level | RateLevel): string {
  if ("limit" in level) return `${sayLimit(level.limit)} per ${sayPeriod(level)}`;
  const { limitPerSecond, halfLifeSeconds, overageWeight } = level;
  const weight = overageWeight === 1 ? "" : `, overage weighing ${overageWeight}`;
  return `${limitPerSecond}/s with a half-life of ${saySeconds(halfLifeSeconds)}${weight}`;
}

/** A limit of 0 allows none. */
const sayLimit = (limit: number): string => (limit === 0 ? "none" : counted(limit));

/** `5 min`, `day in Europe/Berlin`, `month from day 15 in UTC`. */
export function sayPeriod(level: Level): string {
  const terms = termsOf(level);
  if (!terms) return saySeconds(level.periodSeconds);
  const { period, timeZone, startsOn = 1 } = terms;
  return `${period}${startsOn === 1 ? "" : ` from day ${startsOn}`} in ${timeZone}`;
}

/** The level that a step weighs. */
export function levelOf({
  limit,
  periodSeconds,
  calendar,
}: Pick<Step, "limit" | "periodSeconds" | "calendar">): Level {
  if (!calendar) return { limit, periodSeconds };
  const { period, timeZone, startsOn } = calendar;
  return { limit, periodSeconds, period, timeZone, startsOn };
}

/** What of the calendar a step counts in, for pages. Empty for a plain period. */
export function calendarIn(step: Pick<Step, "limit" | "periodSeconds" | "calendar">): {
  readonly calendar?: string;
} {
  return step.calendar ? { calendar: sayPeriod(levelOf(step)) } : {};
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
  const { ip, header, cookie, code, all, show } = client;
  if (ip) return `network of the address (IPv4 /${ip.v4}, IPv6 /${ip.v6})`;
  const shown = show ? " (shown)" : "";
  if (all !== undefined) return all.map(sayClient).join(" and ");
  if (header !== undefined) return `header ${header}${shown}`;
  if (cookie !== undefined) return `cookie ${cookie}${shown}`;
  return `code ${code}`;
}

export function sayMatch(match: Match): string {
  return matchWords(match).join("; ") || "every request";
}

function matchWords(match: Match): string[] {
  const { only, anyExtension, except, methods, serverAction, apps, exceptApps, who } = match;
  const parts = [
    who === "anyone" ? "" : who,
    only ? `only ${only.join(", ")}${anyExtension ? " with any extension" : ""}` : "",
    except ? `except ${except.join(", ")}` : "",
    methods ? `methods ${methods.join(", ")}` : "",
    serverAction ? "Server Actions" : "",
    apps ? `apps ${apps.join(", ")}` : "",
    exceptApps ? `not apps ${exceptApps.join(", ")}` : "",
  ];
  return parts.filter(Boolean);
}

/** What a rule that denies or exempts requests matches. */
export function sayRequestMatch(match: RequestMatch): string {
  const { userAgents, tools, headers = [], countries, exceptCountries, feeds, verifiedBot } = match;
  const parts = [
    ...matchWords(match),
    userAgents ? `user agents with ${userAgents.join(", ")}` : "",
    tools ? `known tools: ${tools.join(", ")}` : "",
    ...headers.map(sayHeader),
    countries ? `countries ${countries.join(", ")}` : "",
    exceptCountries ? `not countries ${exceptCountries.join(", ")}` : "",
    feeds ? `feeds ${feeds.join(", ")}` : "",
    verifiedBot === undefined ? "" : verifiedBot ? "verified bots" : "no verified bots",
  ];
  return parts.filter(Boolean).join("; ");
}

function sayHeader({ name, contains, is, isPresent }: NonNullable<RequestMatch["headers"]>[number]): string {
  if (contains) return `header ${name} with ${contains.join(", ")}`;
  if (is) return `header ${name}: ${is.join(", ")}`;
  return `${isPresent ? "with" : "without"} header ${name}`;
}

/** Each thing that such a rule says, by what people call it. */
export function sayRequestRule(rule: RequestRule): Record<string, string> {
  const { action, match, mode, response } = rule;
  const message = response?.message === undefined ? "" : ` "${response.message}"`;
  return {
    action: action === "deny" ? `deny with ${denialStatus(rule)}${message}` : "exempt from all limits",
    matches: sayRequestMatch(match),
    mode,
  };
}

/**
 * How far all nodes together may exceed a rule: "10%: up to 30 of 300 more, with 4 nodes".
 * @param nodes that share it; undefined for the share alone
 * @param steps of its levels; those of tiers depend on the customer
 */
export function saySlack(rule: Rule, nodes?: number, steps: readonly Step[] = stepsOf(rule)): string {
  const { slack } = rule;
  if (!slack) return "none: each request waits for its count";
  const because = whyExact(rule);
  if (because) return `none: ${because} is exact`;
  if (nodes === undefined || steps.length === 0) return `${sayShare(slack)} of each limit`;
  const sharing = sharingOf(nodes);
  const amounts = steps.map((step) => sayMore(step, sharing)).join(" and ");
  return `${sayShare(slack)}: ${amounts}, with ${counted(sharing)} ${sharing === 1 ? "node" : "nodes"}`;
}

/** The same for a column of a table, one line a level: "up to 30 of 300 more", "exact". */
export function saySlackOfLevels(rule: Rule, nodes: number): readonly string[] {
  const { slack } = rule;
  if (!slack || whyExact(rule)) return ["exact"];
  const steps = stepsOf(rule);
  return steps.length === 0
    ? [`${sayShare(slack)} of each limit`]
    : steps.map((step) => sayMore(step, sharingOf(nodes)));
}

function sayShare(slack: number): string {
  return `${counted(Number((slack * 100).toPrecision(3)))}%`;
}

/** The first node that starts has all of the slack. */
function sharingOf(nodes: number): number {
  return Math.max(1, nodes);
}

function stepsOf(rule: Rule): Step[] {
  return rule.levels === "tier" ? [] : rule.levels.map((level) => stepOf(rule, level, false));
}

function sayMore(step: Step, nodes: number): string {
  const more = shareOf(step, nodes) * nodes;
  const limit = isRate(step.algorithm) ? `${counted(step.limit)}/s` : counted(step.limit);
  if (more === 0) return `none of ${limit} (too few to divide)`;
  return isRate(step.algorithm)
    ? `up to ${counted(more)} requests more at once`
    : `up to ${counted(more)} of ${limit} more`;
}

function whyExact({ algorithm, ban, onStoreError, countWhen }: Rule): string | undefined {
  if (countWhen) return "a rule that counts by outcome";
  if (algorithm === "concurrent") return "a limit of requests at once";
  if (models[algorithm].keepsHits) return models[algorithm].words;
  if (ban) return "a rule that bans";
  return onStoreError === "closed" ? "a rule with onStoreError closed" : undefined;
}

/** Each thing that a rule says, by what people call it. @param nodes that share its slack; undefined for the share alone */
export function sayRule(rule: Rule, nodes?: number): Record<string, string> {
  const { response, ban } = rule;
  return {
    "counted by": sayClient(rule.client),
    limits: sayLimits(rule),
    "counted in": models[rule.algorithm].words,
    ...(rule.countWhen && { counts: sayCountWhen(rule.countWhen) }),
    slack: saySlack(rule, nodes),
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

/** "only requests that fail", "only responses with status 401 or 403" */
export function sayCountWhen(countWhen: CountWhen): string {
  return countWhen === "failed"
    ? "only requests that the app calls failed"
    : `only responses with status ${countWhen.status.join(" or ")}`;
}

/** The limits of a rule: "300 per 5 min", or "5 at once, each for 1 min at most". */
export function sayLimits({ algorithm, levels }: Pick<Rule, "algorithm" | "levels">): string {
  if (algorithm !== "concurrent" || levels === "tier") return sayLevels(levels);
  return levels.map((level) => ("limit" in level ? sayAtOnce(level) : sayLevel(level))).join(" and ");
}

function sayAtOnce({ limit, periodSeconds }: Level): string {
  if (limit === 0) return "none at once";
  return `${counted(limit)} at once, each for ${saySeconds(periodSeconds)} at most`;
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
