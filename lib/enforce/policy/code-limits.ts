import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Algorithm } from "../algorithms/algorithms.ts";
import type { CountWhen } from "../limits/plan.ts";
import { type Problem, refusal, sayProblems } from "./bounds.ts";
import type { Level, RateLevel } from "./levels.ts";
import { checkPolicy, type Mode, modes, type Policy, type Rule } from "./schema.ts";
import { parseObject } from "./stored.ts";

/** What the keys of a limit are. */
export const limitKinds = ["customer", "user", "ip", "key"] as const;
export type LimitKind = (typeof limitKinds)[number];

/** A rate for EARRRL, as a person may write it: `overageWeight` is 1 unless given. */
type RateLevelInput = Omit<RateLevel, "overageWeight"> & { readonly overageWeight?: number | undefined };

/** One level, or a list of them. */
type GivenLevels =
  | {
      /** How much fits into the period: requests, or what they cost. */
      readonly limit: number;
      readonly periodSeconds: number;
      readonly levels?: undefined;
    }
  | {
      /** In place of `limit` and `periodSeconds`: how much fits into which periods, as in a rule of the policy. */
      readonly levels: readonly (Level | RateLevelInput)[];
      readonly limit?: undefined;
      readonly periodSeconds?: undefined;
    };

/** A limit that an app's code names. */
export type LimitOptions = GivenLevels & LimitTerms;

export interface LimitTerms {
  /** What the keys are: "key" for any other text. Keys of "ip" are addresses, IPv6 by its /64. "key" unless given. */
  readonly by?: LimitKind | undefined;
  /** How requests are counted. "fixed" unless given. */
  readonly algorithm?: Algorithm | undefined;
  /** "enforce" unless given. In "shadow" it only reports what it would deny. */
  readonly mode?: Mode | undefined;
  /** The share of the limit by which all nodes together may exceed it, so that few checks wait. Exact unless given. */
  readonly slack?: number | undefined;
  /**
   * Counts only what ends so: with one of these statuses, or of which the app says that it failed. `verdict.settle` says how a use ended,
   * and middleware calls it. All uses count unless given.
   */
  readonly countWhen?: CountWhen | undefined;
  /** What happens while the counters do not answer: every check passes, none does, or this process counts. "open" unless given. */
  readonly onStoreError?: Rule["onStoreError"] | undefined;
}

/** A limit of an app, as its code has it. */
export interface CodeLimit {
  readonly app: string;
  readonly name: string;
  readonly by: LimitKind;
  /** As a rule of the policy would count the same. */
  readonly rule: Rule;
}

/** What an admin has published for a limit. It wins over the code. */
export interface LimitOverride {
  /** As it was written: it may not fit the limit any more. */
  readonly levels?: readonly unknown[];
  readonly mode?: Mode;
}

export const limitRulePrefix = "code/";

/** No policy has a rule of this name, and no two limits have one. */
export function limitRuleName(app: string, name: string): string {
  return `${limitRulePrefix}${encodeURIComponent(Buffer.from(app).toString())}/${name}`;
}

/** The field of a limit in hashes of Redis, and its name on the command line. */
export const limitField = ({ app, name }: Pick<CodeLimit, "app" | "name">): string => `${app}/${name}`;

const names = /^[A-Za-z0-9_.-]{1,64}$/;

/** What such a field names. Undefined for other text. */
export function readLimitField(field: string): Pick<CodeLimit, "app" | "name"> | undefined {
  const slash = field.lastIndexOf("/");
  const [app, name] = [field.slice(0, Math.max(0, slash)), field.slice(slash + 1)];
  return app !== "" && names.test(name) ? { app, name } : undefined;
}

type Made =
  | { readonly ok: true; readonly limit: CodeLimit }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const optionNames = Object.keys({
  limit: true,
  periodSeconds: true,
  levels: true,
  by: true,
  algorithm: true,
  mode: true,
  slack: true,
  countWhen: true,
  onStoreError: true,
} satisfies Record<keyof LimitOptions, true>);

function make(app: string, name: string, given: unknown): Made {
  if (!names.test(name)) return wrong("name", "name the limit with letters, digits and _ . -, at most 64");
  if (typeof given !== "object" || given === null) return wrong("options", "write { limit, periodSeconds }");
  const { by = "key", ...options } = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const kind = limitKinds.find((one) => one === by);
  if (!kind) return wrong("by", `write one of ${limitKinds.join(", ")}`);
  const odd = Object.keys(options).find((option) => !optionNames.includes(option));
  if (odd !== undefined) return wrong(odd, `is not an option. The options are ${optionNames.join(", ")}`);
  if (options.levels === "tier") return wrong("levels", "write a list of levels: { limit, periodSeconds }");
  const { limit, periodSeconds, ...terms } = options;
  const isOneLevel = limit !== undefined || periodSeconds !== undefined;
  if (isOneLevel && terms.levels !== undefined)
    return wrong("levels", "leave it out, or limit and periodSeconds");
  const levels = isOneLevel ? [{ limit, periodSeconds }] : terms.levels;
  const client = kind === "key" ? { code: name } : kind;
  const rule = { algorithm: "fixed", ...terms, levels, name: "limit", client, cost: "request" };
  const checked = checkPolicy({ mode: "enforce", rules: [rule], tiers: {} });
  if (!checked.ok) return { ok: false, problems: checked.problems.map(isOneLevel ? ofOneLevel : ofLimit) };
  const [counted] = checked.policy.rules;
  if (!counted) return wrong("options", "write { limit, periodSeconds }");
  return { ok: true, limit: { app, name, by: kind, rule: { ...counted, name: limitRuleName(app, name) } } };
}

const wrong = (path: string, message: string): Made => ({ ok: false, problems: [{ path, message }] });

const ofLimit = ({ path, message }: Problem): Problem => ({
  path: path.replace(/^rules\[0\]\.?/, ""),
  message,
});

const ofOneLevel = (problem: Problem): Problem => {
  const { path, message } = ofLimit(problem);
  return { path: path.replace(/^levels\[0\]\.?/, ""), message };
};

/** The limit of an app's code. Throws a DomainError that names what is wrong with it. */
export function defineLimit(app: string, name: string, options: LimitOptions): CodeLimit {
  const made = make(app, name, options);
  if (made.ok) return made.limit;
  throw refusal(`guard.limit("${String(name).slice(0, 80)}")`, made.problems);
}

/** Whether two limits count alike. */
export function isSameLimit(one: CodeLimit, other: CodeLimit): boolean {
  return one.by === other.by && JSON.stringify(one.rule) === JSON.stringify(other.rule);
}

const optionsOf = ({ by, rule: { levels, algorithm, mode, slack, countWhen, onStoreError } }: CodeLimit) => ({
  levels,
  by,
  algorithm,
  mode,
  slack,
  countWhen,
  onStoreError,
});

/** A limit as it is in force; where its override does not fit it, as the code has it. */
export function withOverride(
  limit: CodeLimit,
  override: LimitOverride | undefined,
): { readonly limit: CodeLimit; readonly problem?: string } {
  if (!override) return { limit };
  const { levels = limit.rule.levels, mode = limit.rule.mode } = override;
  const made = make(limit.app, limit.name, { ...optionsOf(limit), levels, mode });
  return made.ok ? { limit: made.limit } : { limit, problem: sayProblems(made.problems) };
}

/** What an admin gave for a limit, or a refusal that names each field. */
export function requireOverride(
  limit: CodeLimit,
  { levels, mode }: { levels?: unknown; mode?: unknown },
): LimitOverride {
  const given = { ...(levels !== undefined && { levels }), ...(mode !== undefined && { mode }) };
  const made = make(limit.app, limit.name, { ...optionsOf(limit), ...given });
  if (!made.ok) throw refusal("The limit was not changed", made.problems);
  const { rule } = made.limit;
  const isNew = levels !== undefined && rule.levels !== "tier";
  return { ...(isNew && { levels: [...rule.levels] }), ...(mode !== undefined && { mode: rule.mode }) };
}

/** Where an override differs from the code. */
export function differs(limit: CodeLimit, { levels, mode }: LimitOverride): boolean {
  const isOther = levels !== undefined && JSON.stringify(levels) !== JSON.stringify(limit.rule.levels);
  return isOther || (mode !== undefined && mode !== limit.rule.mode);
}

/** The value in Redis, which any program may have written. Undefined where it says nothing. */
export function parseOverride(text: string): LimitOverride | undefined {
  const { levels, mode } = parseObject(text) ?? {};
  const known = modes.find((one) => one === mode);
  const isList = Array.isArray(levels);
  if (!known && !isList) return undefined;
  return { ...(isList && { levels }), ...(known && { mode: known }) };
}

/** What is published, by field. */
export async function readLimitOverrides(redis: Connection): Promise<Map<string, LimitOverride>> {
  const overrides = new Map<string, LimitOverride>();
  for (const [field, text] of Object.entries(await hashOf(redis, keys.limitOverrides()))) {
    const override = parseOverride(text);
    if (override && readLimitField(field)) overrides.set(field, override);
  }
  return overrides;
}

/** A limit that a node has reported. */
export interface ReportedLimit extends CodeLimit {
  /** When a node last said so, in ms of Redis' clock. */
  readonly reportedAt: number;
}

/** A limit of which no node has said anything for so long is gone. */
export const limitsLifeMs = 7 * 86_400_000;

export function writeLimit(limit: CodeLimit, nowMs: number): string {
  return JSON.stringify({ ...optionsOf(limit), at: Math.floor(nowMs) });
}

/** The limits that nodes report, by app and name. What an account of a node wrote may be any text. */
export async function readReportedLimits(redis: Connection, nowMs: number): Promise<ReportedLimit[]> {
  const found = Object.entries(await hashOf(redis, keys.codeLimits())).flatMap(([field, text]) => {
    const place = readLimitField(field);
    const { at, ...options } = parseObject(text) ?? {};
    if (!place || typeof at !== "number" || nowMs - at > limitsLifeMs) return [];
    const made = make(place.app, place.name, options);
    return made.ok ? [{ ...made.limit, reportedAt: at }] : [];
  });
  return found.toSorted((one, other) => compare(one.app, other.app) || compare(one.name, other.name));
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** A policy with the limits of code among its rules, as nodes enforce them: for what reads or deletes counts. */
export async function withLimits(redis: Connection, policy: Policy, nowMs = Date.now()): Promise<Policy> {
  const [limits, overrides] = await Promise.all([
    readReportedLimits(redis, nowMs),
    readLimitOverrides(redis),
  ]);
  const inForce = limits.map((limit) => withOverride(limit, overrides.get(limitField(limit))).limit.rule);
  return { ...policy, rules: [...policy.rules, ...inForce] };
}

/** A key of another type counts as absent. */
async function hashOf(redis: Connection, key: string): Promise<Record<string, string>> {
  return redis.hgetall(key).catch((error: Error) => {
    if (error.message.startsWith("WRONGTYPE")) return {};
    throw error;
  });
}

/** Published levels, whatever the limit's algorithm. Undefined where they are none, or not published. */
export function publishedLevels({ levels }: LimitOverride): readonly (Level | RateLevel)[] | undefined {
  if (levels === undefined) return undefined;
  for (const algorithm of ["fixed", "earrrl"]) {
    const made = make("app", "limit", { levels, algorithm });
    if (made.ok && made.limit.rule.levels !== "tier") return made.limit.rule.levels;
  }
  return undefined;
}
