import { type CalendarTerms, isTimeZone } from "../algorithms/model.ts";
import { sayProblems } from "./bounds.ts";
import { calendarSeconds, termsOf } from "./levels.ts";
import { checkPolicy, type Policy, policySchema, type Rule } from "./schema.ts";
import { afterEnds, nothingTimed, readTimed, type Timed } from "./timed.ts";

/** Files that Next serves from disk. Below any other path an app may render a page, or its 404. */
const staticAssets = ["/_next/static"];

/** All nodes together may exceed the limits of anonymous clients by a tenth, so that few requests wait for Redis. */
const slack = 0.1;

const ladder = {
  match: { except: staticAssets, who: "anonymous" },
  client: "ip",
  algorithm: "fixed",
  slack,
} as const;

/**
 * A fresh install: a ladder for anonymous clients, tiers for customers, and EARRRL in shadow until it is enforced. What a
 * customer may use is exact.
 */
export const defaultPolicy: Policy = policySchema.parse({
  mode: "enforce",
  rules: [
    { ...ladder, name: "req/ip/1", levels: [{ limit: 300, periodSeconds: 300 }] },
    { ...ladder, name: "req/ip/2", levels: [{ limit: 600, periodSeconds: 1_800 }] },
    {
      name: "req/customer",
      match: { except: staticAssets, who: "customers" },
      client: "customer",
      algorithm: "fixed",
      levels: "tier",
    },
    {
      name: "rate/ip",
      match: { except: staticAssets },
      client: "ip",
      algorithm: "earrrl",
      levels: [{ limitPerSecond: 10, halfLifeSeconds: 60 }],
      slack,
      mode: "shadow",
    },
  ],
  tiers: {
    free: { levels: [{ limit: 100, periodSeconds: 3_600 }] },
    pro: {
      levels: [
        { limit: 100, periodSeconds: 60 },
        { limit: 5_000, periodSeconds: 3_600 },
      ],
    },
    enterprise: {
      levels: [
        { limit: 200, periodSeconds: 60 },
        { limit: 10_000, periodSeconds: 3_600 },
      ],
    },
  },
});

/** A policy as it was saved. Version 0 is that of a fresh install, which no user saved. */
export interface StoredPolicy {
  readonly version: number;
  /** ISO, by Redis' clock. */
  readonly at?: string;
  readonly by?: string;
  readonly reason: string;
  readonly policy: Policy;
  /** What of it ends at a time. */
  readonly timed?: Timed;
  /** Something of it has ended that is still in what was saved. */
  readonly hasEnded?: boolean;
  /** Levels in these count windows of the clock: the data on time zones of this process are older than the policy. */
  readonly unknownTimeZones?: readonly string[];
}

export type ParsedPolicy =
  | { readonly ok: true; readonly stored: StoredPolicy }
  | { readonly ok: false; readonly problem: string };

export const freshInstall: StoredPolicy = {
  version: 0,
  reason: "what a fresh install begins with",
  policy: defaultPolicy,
};

/** The terms of each level of the calendar, by its place. Undefined without any. */
function calendarsIn(levels: Rule["levels"]): Readonly<Record<number, CalendarTerms>> | undefined {
  if (levels === "tier") return undefined;
  const terms = levels.flatMap((level, place) => {
    const found = "limit" in level ? termsOf(level) : undefined;
    return found ? [[place, found] as const] : [];
  });
  return terms.length > 0 ? Object.fromEntries(terms) : undefined;
}

/**
 * The default tier, the messages, rules that deny or exempt requests, attack mode, what ends at a time, the slack of each rule, and what levels say of the calendar are stored beside the policy: nodes and consoles of a
 * version without them refuse a policy with a field that they do not know, even one that only switches the mode off. They ignore a
 * field beside it, and count exactly, in windows of the clock that are about as long as those of the calendar. Rules that are
 * settled are beside it as a whole, each with its place: earlier nodes leave them out, because they would count every request, and
 * in the same counters.
 */
export function writePolicy({
  version,
  at,
  by,
  reason,
  policy,
  timed = nothingTimed,
}: Required<Pick<StoredPolicy, "version" | "at" | "by" | "reason" | "policy">> &
  Pick<StoredPolicy, "timed">): string {
  const { defaultTier, messages, attack, requestRules, ...rest } = policy;
  const settled = rest.rules.flatMap((rule, place) => (isSettled(rule) ? [{ place, rule }] : []));
  const others = rest.rules.filter((rule) => !isSettled(rule));
  const exact = {
    ...rest,
    rules: others.map(({ slack: _, ...rule }) => ({ ...rule, levels: withoutCalendars(rule.levels) })),
    tiers: Object.fromEntries(
      Object.entries(rest.tiers).map(([name, { levels }]) => [name, { levels: withoutCalendars(levels) }]),
    ),
  };
  const slack = others.flatMap(({ name, slack }) => (slack === undefined ? [] : [[name, slack]]));
  const calendars = {
    rules: calendarsOf(others.map(({ name, levels }) => [name, levels])),
    tiers: calendarsOf(Object.entries(rest.tiers).map(([name, { levels }]) => [name, levels])),
  };
  const beside = {
    defaultTier,
    messages,
    attack,
    ...((timed.ends.length > 0 || timed.attack) && { timed }),
    requestRules,
    ...(slack.length > 0 && { slack: Object.fromEntries(slack) }),
    ...((calendars.rules || calendars.tiers) && { calendars }),
    ...(settled.length > 0 && { settled }),
  };
  return JSON.stringify({ version, at, by, reason, policy: exact, ...beside });
}

/** Whether a text that `writePolicy` wrote has something that ends. */
export const mayEnd = (text: string) => text.includes('"timed":');

/** Whether requests of the rule are settled once they end. Earlier versions know no such rules. */
export function isSettled({ algorithm, countWhen }: Policy["rules"][number]): boolean {
  return algorithm === "concurrent" || countWhen !== undefined;
}

function withoutCalendars(levels: Rule["levels"]): unknown {
  if (levels === "tier") return levels;
  return levels.map((level) => {
    if (!("limit" in level)) return level;
    const { limit, periodSeconds } = level;
    return { limit, periodSeconds };
  });
}

function calendarsOf(
  levels: readonly (readonly [name: string, levels: Rule["levels"]])[],
): object | undefined {
  const found = levels.flatMap(([name, list]) => {
    const terms = calendarsIn(list);
    return terms ? [[name, terms]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/**
 * Reads the value in Redis, which any program may have written.
 * @param nowMs what has ended by then is over. What ends is as it was saved unless given
 */
export function parsePolicy(text: string, nowMs = Number.NEGATIVE_INFINITY): ParsedPolicy {
  const { version, at, by, reason, policy, slack, calendars, settled, timed, ...others } =
    parseObject(text) ?? {};
  const { defaultTier, messages, attack, requestRules } = others;
  if (policy === undefined) return { ok: false, problem: "it is not a policy that Sluice wrote" };
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return { ok: false, problem: "it has no version" };
  const beside = withMembers(policy, { defaultTier, messages, attack, requestRules });
  const whole = withSettled(withCalendars(withSlack(beside, slack), calendars), settled);
  const checked = checkPolicy(whole, { isStored: true });
  if (!checked.ok) return { ok: false, problem: sayProblems(checked.problems) };
  const stored = {
    version,
    ...(typeof at === "string" && { at }),
    ...(typeof by === "string" && { by }),
    reason: typeof reason === "string" ? reason : "",
    ...(timed === undefined
      ? { policy: checked.policy }
      : afterEnds(checked.policy, readTimed(timed), nowMs)),
    ...unknownZonesIn(calendars),
  };
  return { ok: true, stored };
}

/** Those in the policy itself count, too. */
function withMembers(policy: unknown, members: Fields): unknown {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return isRecord(policy) ? { ...Object.fromEntries(given), ...policy } : policy;
}

/** That of a rule in the policy itself counts, too. */
function withSlack(policy: unknown, slack: unknown): unknown {
  if (!isRecord(policy) || !Array.isArray(policy.rules) || !isRecord(slack)) return policy;
  const rules = policy.rules.map((rule: unknown) => {
    const name = isRecord(rule) && typeof rule.name === "string" ? rule.name : "";
    return isRecord(rule) && Object.hasOwn(slack, name) ? { slack: slack[name], ...rule } : rule;
  });
  return { ...policy, rules };
}

/** Each rule at its place. One of the same name in the policy itself counts. */
function withSettled(policy: unknown, settled: unknown): unknown {
  if (!isRecord(policy) || !Array.isArray(policy.rules) || !Array.isArray(settled)) return policy;
  const rules: unknown[] = [...policy.rules];
  const nameOf = (rule: unknown) => (isRecord(rule) ? rule.name : undefined);
  const names = new Set(rules.map(nameOf));
  for (const { place, rule } of settled.filter(isRecord))
    if (typeof place === "number" && !names.has(nameOf(rule))) rules.splice(place, 0, rule);
  return { ...policy, rules };
}

function withCalendars(policy: unknown, calendars: unknown): unknown {
  if (!isRecord(policy) || !isRecord(calendars)) return policy;
  const { rules, tiers } = policy;
  return {
    ...policy,
    ...(Array.isArray(rules) && {
      rules: rules.map((rule: unknown) =>
        withTerms(rule, calendars.rules, isRecord(rule) ? rule.name : undefined),
      ),
    }),
    ...(isRecord(tiers) && {
      tiers: Object.fromEntries(
        Object.entries(tiers).map(([name, tier]) => [name, withTerms(tier, calendars.tiers, name)]),
      ),
    }),
  };
}

function unknownZonesIn(calendars: unknown): Pick<StoredPolicy, "unknownTimeZones"> {
  const valuesOf = (value: unknown) => (isRecord(value) ? Object.values(value) : []);
  const zones = valuesOf(calendars)
    .flatMap(valuesOf)
    .flatMap(valuesOf)
    .flatMap((terms) => {
      const zone = isRecord(terms) ? terms.timeZone : undefined;
      return typeof zone === "string" && !isTimeZone(zone) ? [zone] : [];
    });
  return zones.length > 0 ? { unknownTimeZones: [...new Set(zones)] } : {};
}

function withTerms(owner: unknown, calendars: unknown, name: unknown): unknown {
  if (!isRecord(owner) || !Array.isArray(owner.levels) || !isRecord(calendars) || typeof name !== "string")
    return owner;
  const terms = Object.hasOwn(calendars, name) ? calendars[name] : undefined;
  if (!isRecord(terms)) return owner;
  const levels = owner.levels.map((level: unknown, place) => {
    const its = terms[String(place)];
    if (!isRecord(level) || !isRecord(its) || !isKnownCalendar(its, level)) return level;
    return { ...its, ...level };
  });
  return { ...owner, levels };
}

/** Not where another program changed the level, or this process does not know the time zone. */
function isKnownCalendar({ period, timeZone }: Fields, { periodSeconds }: Fields): boolean {
  const isSame = (period === "day" || period === "month") && periodSeconds === calendarSeconds[period];
  return isSame && typeof timeZone === "string" && isTimeZone(timeZone);
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** A copy of the members of a JSON object. Undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
