import * as z from "zod/mini";
import { models, rateAlgorithms, windowAlgorithms } from "../algorithms/algorithms.ts";
import {
  largestLimit,
  listOf,
  type Mode,
  messageText,
  modes,
  mostRequestRules,
  mostRules,
  mostTiers,
  oneOf,
  type Problem,
  problemsOf,
  refusal,
  ruleName,
  text,
  whole,
} from "./bounds.ts";
import { type Client, clientSchema, counts, suspensionName } from "./client.ts";
import { edgeSchema } from "./edge-rules.ts";
import { levelsSchema, rateLevelsSchema } from "./levels.ts";
import { matchSchema } from "./match.ts";
import { requestRuleSchema } from "./request-rules.ts";

export type PolicyCheck =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Consoles of earlier versions count failed sign-ins as rules of these names do. */
const reserved = new Set(["signin/address", "signin/account"]);

/**
 * Everything that is wrong with a policy, one sentence a field.
 * @param isStored a policy that was saved before goes on, whatever is asked of a new one
 */
export function checkPolicy(given: unknown, { isStored = false } = {}): PolicyCheck {
  const parsed = policySchema.safeParse(given);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, "policy") };
  const problems = isStored ? [] : reservedNames(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: parsed.data };
}

function reservedNames({ rules, requestRules = [] }: Policy): Problem[] {
  return Object.entries({ rules, requestRules }).flatMap(([list, named]) =>
    named.flatMap(({ name }, i) => {
      const owner = ownerOf(name);
      if (owner === undefined) return [];
      const message = `"${name}" is reserved for ${owner}: choose another name`;
      return [{ path: `${list}[${i}].name`, message }];
    }),
  );
}

function ownerOf(name: string): string | undefined {
  if (name === suspensionName) return "suspensions";
  if (name.startsWith("code/")) return "limits in code";
  return reserved.has(name) ? "sign-ins" : undefined;
}

/** The policy, or a refusal that names each field. */
export function requirePolicy(given: unknown): Policy {
  const checked = checkPolicy(given);
  if (checked.ok) return checked.policy;
  throw refusal("The policy was not saved", checked.problems);
}

export { type Mode, modes };

const day = 86_400;
const tenYears = 3_653 * day;

const response = z.strictObject(
  {
    status: z._default(z.literal([429, 503], { error: "write 429 or 503" }), 429),
    message: z.optional(messageText),
  },
  { error: "write the answer: { status, message }" },
);

const ban = z
  .strictObject(
    {
      after: whole(1, 100_000),
      withinSeconds: whole(1, day),
      forSeconds: whole(1, tenYears),
      capSeconds: whole(1, tenYears),
    },
    { error: "write a ban: { after, withinSeconds, forSeconds, capSeconds }" },
  )
  .check(
    z.refine(({ forSeconds, capSeconds }) => capSeconds >= forSeconds, {
      error: "write a cap that is no shorter than the first ban",
      path: ["capSeconds"],
    }),
  );

const slackWords = "write a share from 0 to 1: 0.1 lets all nodes together exceed the limit by a tenth";

const outcomeWords = 'write "failed", or the statuses to count: { "status": [401, 403] }';

const countWhen = z.union(
  [
    z.literal("failed", { error: outcomeWords }),
    z.strictObject({ status: listOf(whole(100, 599), 20, "statuses") }, { error: outcomeWords }),
  ],
  { error: outcomeWords },
);

const ofEveryRule = {
  name: ruleName,
  match: z.prefault(matchSchema, {}),
  client: clientSchema,
  /** Answers 400 to an Authorization header that names no Basic user. */
  requireBasic: z._default(z.boolean({ error: "write true or false" }), false),
  ipv6Prefix: z._default(whole(32, 64), 64),
  cost: z._default(
    z.union([z.literal("request"), whole(1, largestLimit)], {
      error: 'write a whole number, or "request" for what the app says a request costs',
    }),
    1,
  ),
  /** The share of its limit by which all nodes together may exceed it, so that few requests wait. Exact if left out. */
  slack: z.optional(
    z.number({ error: slackWords }).check(z.gte(0, { error: slackWords }), z.lte(1, { error: slackWords })),
  ),
  /** Counts only requests that end so: with one of these statuses, or of which the app says that they failed. All if left out. */
  countWhen: z.optional(countWhen),
  mode: z._default(oneOf(modes), "enforce"),
  response: z.prefault(response, {}),
  onStoreError: z._default(oneOf(["open", "closed", "model"]), "open"),
  ban: z.optional(ban),
};

const rule = z.discriminatedUnion(
  "algorithm",
  [
    z.strictObject({
      ...ofEveryRule,
      algorithm: z.enum(windowAlgorithms),
      levels: z.union([z.literal("tier"), levelsSchema], {
        error:
          'write a list of levels: { limit, periodSeconds }, or "tier" for those of the customer\'s tier',
      }),
    }),
    z.strictObject({ ...ofEveryRule, algorithm: z.enum(rateAlgorithms), levels: rateLevelsSchema }),
  ],
  {
    error: (issue) =>
      isObject(issue.input)
        ? `write one of ${[...windowAlgorithms, ...rateAlgorithms].join(", ")}`
        : "write a rule",
  },
);

const tier = z.strictObject({ levels: levelsSchema }, { error: "write a tier: { levels }" });
const tierName = text(
  /^[a-z][a-z0-9_-]{0,31}$/,
  "name a tier with a small letter first, then small letters, digits and _ -, at most 32",
);

const ruleList = z
  .array(rule, { error: "write a list of rules" })
  .check(z.maxLength(mostRules, { error: `a policy has at most ${mostRules} rules` }));

const attack = z.strictObject({ rules: ruleList }, { error: "write what attack mode adds: { rules }" });

/** What denied clients read, where no rule decides. */
const messages = z.strictObject(
  { suspended: z.optional(messageText) },
  { error: "write messages: { suspended }" },
);

export const policySchema = z
  .strictObject(
    {
      mode: oneOf(modes),
      rules: ruleList,
      tiers: z.record(tierName, tier, { error: "write tiers by name: { free: { levels } }" }).check(
        z.refine((tiers) => Object.keys(tiers).length <= mostTiers, {
          error: `a policy has at most ${mostTiers} tiers`,
        }),
      ),
      /** The tier of signed-in customers that have no tier of the policy and no limits of their own. */
      defaultTier: z.optional(tierName),
      edge: z.prefault(edgeSchema, {}),
      messages: z.optional(messages),
      /** What attack mode adds. */
      attack: z.optional(attack),
      /** In the order in which they decide. */
      requestRules: z.optional(listOf(requestRuleSchema, mostRequestRules, "rules")),
    },
    { error: "write a policy: { mode, rules, requestRules, tiers, defaultTier, edge, messages, attack }" },
  )
  .check(
    z.superRefine(({ rules, requestRules = [], tiers, defaultTier, attack }, context) => {
      if (defaultTier !== undefined && !Object.hasOwn(tiers, defaultTier)) {
        const known = Object.keys(tiers);
        const cure =
          known.length > 0 ? `write one of ${known.join(", ")}, or leave it out` : "add a tier first";
        context.addIssue({
          code: "custom",
          path: ["defaultTier"],
          message: `there is no such tier: ${cure}`,
        });
      }
      const ofAttack = attack?.rules ?? [];
      const all = [...rules, ...ofAttack];
      const names = all.map(({ name }) => name);
      for (const [i, rule] of all.entries()) {
        const place = i < rules.length ? ["rules", i] : ["attack", "rules", i - rules.length];
        const say = (field: string, message: string) =>
          context.addIssue({ code: "custom", path: [...place, field], message });
        if (names.indexOf(rule.name) < i) say("name", sayTaken(rule.name));
        if (rule.ban && !bansItself(rule.client))
          say("ban", "count by ip, or together with ip: else one client could have another's address banned");
        if (rule.requireBasic && !counts(rule.client, "user"))
          say("requireBasic", "count by user, or leave requireBasic out");
        for (const [field, message] of holdProblems(rule)) say(field, message);
        if (
          rule.levels !== "tier" &&
          rule.algorithm !== "fixed" &&
          rule.levels.some((level) => "period" in level)
        )
          say("algorithm", "days and months of the calendar are counted in fixed windows: write fixed");
        if (rule.levels === "tier")
          for (const [field, message] of tierProblems(rule, tiers)) say(field, message);
      }
      for (const [i, { name }] of requestRules.entries()) {
        if (!names.includes(name) && requestRules.findIndex((other) => other.name === name) === i) continue;
        const path = ["requestRules", i, "name"];
        context.addIssue({ code: "custom", path, message: sayTaken(name) });
      }
    }),
  );

const sayTaken = (name: string) => `another rule is named "${name}": give this one a name of its own`;

/** A ban strikes the address of the denied client, so it has to be the address that went over. */
function bansItself(client: Client): boolean {
  return counts(client, "ip") || counts(client, "standard") || counts(client, "broad");
}

const counting = Object.entries(models).flatMap(([name, { findsUsed }]) => (findsUsed ? [name] : []));

function holdProblems({ algorithm, countWhen, levels }: Rule): [field: string, message: string][] {
  const problems: [string, string][] = [];
  if (countWhen && !models[algorithm].findsUsed)
    problems.push(["countWhen", `choose one of ${counting.join(", ")} to count by outcome, or leave it out`]);
  if (algorithm === "concurrent" && (levels === "tier" || levels.length > 1))
    problems.push(["levels", "write one level: how many at once, and after how many seconds each expires"]);
  return problems;
}

function tierProblems(
  { client, match, algorithm }: Rule,
  tiers: Policy["tiers"],
): [field: string, message: string][] {
  const problems: [string, string][] = [];
  if (Object.keys(tiers).length === 0)
    problems.push(["levels", "there is no tier to take levels from: add a tier, or write the levels here"]);
  if (!counts(client, "customer"))
    problems.push(["client", "count by customer: a tier's levels are for one customer each"]);
  const calendars = Object.entries(tiers).filter(([, { levels }]) => levels.some(({ period }) => period));
  if (algorithm !== "fixed" && calendars.length > 0)
    problems.push([
      "algorithm",
      `tier ${calendars[0]?.[0]} has days or months of the calendar: count in fixed windows`,
    ]);
  if (match.who === "anonymous")
    problems.push(["match", 'anonymous requests have no tier: write who "customers", or levels here']);
  return problems;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One throttle. */
export type Rule = z.output<typeof rule>;

/** All rules and tiers, and the mode. */
export type Policy = z.output<typeof policySchema>;

/** The same as a person may write it: what has a default may be left out. */
export type PolicyInput = z.input<typeof policySchema>;
