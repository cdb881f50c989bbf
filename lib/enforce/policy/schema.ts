import { z } from "zod";
import { rateAlgorithms, windowAlgorithms } from "../algorithms/algorithms.ts";
import { largestLimit, mostRules, mostTiers, oneOf, text, whole } from "./bounds.ts";
import { type Client, clientSchema, counts } from "./client.ts";
import { edgeSchema } from "./edge-rules.ts";
import { levelsSchema, rateLevelsSchema } from "./levels.ts";
import { matchSchema } from "./match.ts";
import { type Problem, problemsOf, refusal } from "./problems.ts";

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

function reservedNames({ rules }: Policy): Problem[] {
  return rules.flatMap(({ name }, i) =>
    reserved.has(name)
      ? [{ path: `rules[${i}].name`, message: `"${name}" is reserved for sign-ins: choose another name` }]
      : [],
  );
}

/** The policy, or a refusal that names each field. */
export function requirePolicy(given: unknown): Policy {
  const checked = checkPolicy(given);
  if (checked.ok) return checked.policy;
  throw refusal("The policy was not saved", checked.problems);
}

export const modes = ["enforce", "shadow", "off"] as const;
export type Mode = (typeof modes)[number];

const day = 86_400;
const tenYears = 3_653 * day;

const response = z.strictObject(
  {
    status: z.literal([429, 503], { error: "write 429 or 503" }).default(429),
    message: text(/^(?:[^\p{Cc}]|\n){1,500}$/u, "write at most 500 characters of plain text").optional(),
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
  .refine(({ forSeconds, capSeconds }) => capSeconds >= forSeconds, {
    error: "write a cap that is no shorter than the first ban",
    path: ["capSeconds"],
  });

const slackWords = "write a share from 0 to 1: 0.1 lets all nodes together exceed the limit by a tenth";

const ofEveryRule = {
  name: text(/^[A-Za-z0-9_./-]{1,64}$/, "write a name of letters, digits and _ . / -, at most 64"),
  match: matchSchema.prefault({}),
  client: clientSchema,
  /** Answers 400 to an Authorization header that names no Basic user. */
  requireBasic: z.boolean({ error: "write true or false" }).default(false),
  ipv6Prefix: whole(32, 64).default(64),
  cost: z
    .union([z.literal("request"), whole(1, largestLimit)], {
      error: 'write a whole number, or "request" for what the app says a request costs',
    })
    .default(1),
  /** The share of its limit by which all nodes together may exceed it, so that few requests wait. Exact if left out. */
  slack: z
    .number({ error: slackWords })
    .min(0, { error: slackWords })
    .max(1, { error: slackWords })
    .optional(),
  mode: oneOf(modes).default("enforce"),
  response: response.prefault({}),
  onStoreError: oneOf(["open", "closed", "model"]).default("open"),
  ban: ban.optional(),
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

export const policySchema = z
  .strictObject(
    {
      mode: oneOf(modes),
      rules: z
        .array(rule, { error: "write a list of rules" })
        .max(mostRules, { error: `a policy has at most ${mostRules} rules` }),
      tiers: z
        .record(tierName, tier, { error: "write tiers by name: { free: { levels } }" })
        .refine((tiers) => Object.keys(tiers).length <= mostTiers, {
          error: `a policy has at most ${mostTiers} tiers`,
        }),
      /** The tier of signed-in customers that have no tier of the policy and no limits of their own. */
      defaultTier: tierName.optional(),
      edge: edgeSchema.prefault({}),
    },
    { error: "write a policy: { mode, rules, tiers, defaultTier, edge }" },
  )
  .superRefine(({ rules, tiers, defaultTier }, context) => {
    if (defaultTier !== undefined && !Object.hasOwn(tiers, defaultTier)) {
      const known = Object.keys(tiers);
      const cure =
        known.length > 0 ? `write one of ${known.join(", ")}, or leave it out` : "add a tier first";
      context.addIssue({ code: "custom", path: ["defaultTier"], message: `there is no such tier: ${cure}` });
    }
    const names = rules.map(({ name }) => name);
    for (const [i, rule] of rules.entries()) {
      const say = (field: string, message: string) =>
        context.addIssue({ code: "custom", path: ["rules", i, field], message });
      if (names.indexOf(rule.name) < i)
        say("name", `another rule is named "${rule.name}": give this one a name of its own`);
      if (rule.ban && !bansItself(rule.client))
        say("ban", "count by ip, or together with ip: else one client could have another's address banned");
      if (rule.requireBasic && !counts(rule.client, "user"))
        say("requireBasic", "count by user, or leave requireBasic out");
      if (rule.levels === "tier")
        for (const [field, message] of tierProblems(rule, tiers)) say(field, message);
    }
  });

/** A ban strikes the address of the denied client, so it has to be the address that went over. */
function bansItself(client: Client): boolean {
  return counts(client, "ip") || counts(client, "standard") || counts(client, "broad");
}

function tierProblems({ client, match }: Rule, tiers: object): [field: string, message: string][] {
  const problems: [string, string][] = [];
  if (Object.keys(tiers).length === 0)
    problems.push(["levels", "there is no tier to take levels from: add a tier, or write the levels here"]);
  if (!counts(client, "customer"))
    problems.push(["client", "count by customer: a tier's levels are for one customer each"]);
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
