import type { Plan, Reading, Step } from "../limits/plan.ts";

type Headers = Readonly<Record<string, string>>;

const policies = new WeakMap<Plan, string>();

/**
 * What the IETF draft (httpapi-ratelimit-headers-10) tells a client: each quota in force, and what is left of it. A rate
 * has no quota to tell of, and a rule in shadow is nobody's business.
 */
export function rateLimitHeaders(
  plan: Plan,
  readings: readonly Reading[],
  costs: readonly number[],
): Headers {
  const policy = policyOf(plan);
  if (policy === "") return {};
  let left = "";
  for (const [i, step] of plan.steps.entries()) {
    const reading = readings[i];
    if (!reading || !isTold(step)) continue;
    const remaining = remainingOf(step, reading, costs[i] ?? 1);
    left += `${left && ", "}"${nameOf(step, plan)}";r=${remaining};t=${Math.ceil(reading.resetMs / 1_000)}`;
  }
  return left === "" ? { "ratelimit-policy": policy } : { "ratelimit-policy": policy, ratelimit: left };
}

/** What is left once the request itself is counted; a denied one is not. */
export function remainingOf({ limit }: Step, { used, isOver }: Reading, cost: number): number {
  return Math.max(0, Math.floor(limit - used - (isOver ? 0 : cost)));
}

/** A rule of several levels has a quota for each. */
export function nameOf({ rule, periodSeconds }: Step, { steps }: Plan): string {
  return steps.filter((step) => step.rule === rule).length > 1 ? `${rule}/${periodSeconds}` : rule;
}

function policyOf(plan: Plan): string {
  const known = policies.get(plan);
  if (known !== undefined) return known;
  const told = plan.steps.filter(isTold);
  const text = told
    .map((step) => `"${nameOf(step, plan)}";q=${step.limit};w=${step.periodSeconds}`)
    .join(", ");
  policies.set(plan, text);
  return text;
}

function isTold({ algorithm, isShadowed }: Step): boolean {
  return algorithm !== "earrrl" && !isShadowed;
}
