import { sayProblems } from "./problems.ts";
import { checkPolicy, type Policy, policySchema } from "./schema.ts";

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
}

export type ParsedPolicy =
  | { readonly ok: true; readonly stored: StoredPolicy }
  | { readonly ok: false; readonly problem: string };

export const freshInstall: StoredPolicy = {
  version: 0,
  reason: "what a fresh install begins with",
  policy: defaultPolicy,
};

/**
 * The default tier and the slack of each rule are stored beside the policy: nodes and consoles of a version without them refuse
 * a policy with a field that they do not know, even one that only switches the mode off. They ignore a field beside it, and
 * count exactly.
 */
export function writePolicy({ version, at, by, reason, policy }: Required<StoredPolicy>): string {
  const { defaultTier, ...rest } = policy;
  const exact = { ...rest, rules: rest.rules.map(({ slack: _, ...rule }) => rule) };
  const slack = rest.rules.flatMap(({ name, slack }) => (slack === undefined ? [] : [[name, slack]]));
  const beside = { defaultTier, ...(slack.length > 0 && { slack: Object.fromEntries(slack) }) };
  return JSON.stringify({ version, at, by, reason, policy: exact, ...beside });
}

/** Reads the value in Redis, which any program may have written. */
export function parsePolicy(text: string): ParsedPolicy {
  const { version, at, by, reason, policy, defaultTier, slack } = parseObject(text) ?? {};
  if (policy === undefined) return { ok: false, problem: "it is not a policy that Sluice wrote" };
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return { ok: false, problem: "it has no version" };
  const tiered = defaultTier === undefined ? policy : withDefaultTier(policy, defaultTier);
  const checked = checkPolicy(withSlack(tiered, slack), { isStored: true });
  if (!checked.ok) return { ok: false, problem: sayProblems(checked.problems) };
  const stored = {
    version,
    ...(typeof at === "string" && { at }),
    ...(typeof by === "string" && { by }),
    reason: typeof reason === "string" ? reason : "",
    policy: checked.policy,
  };
  return { ok: true, stored };
}

/** One in the policy itself counts, too. */
function withDefaultTier(policy: unknown, defaultTier: unknown): unknown {
  return isRecord(policy) ? { defaultTier, ...policy } : policy;
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
