import type { Plan, Reading, Step } from "../limits/plan.ts";

type Headers = Readonly<Record<string, string>>;

/** What a plan says of each request alike. */
interface Told {
  readonly policy: string;
  /** Step for step; nothing for those that are not told of. */
  readonly names: readonly (string | undefined)[];
}

const told = new WeakMap<Plan, Told>();

/**
 * What the IETF draft (httpapi-ratelimit-headers-10) tells a client: each quota in force, and what is left of it. A rate
 * has no quota to tell of, and a rule in shadow is nobody's business.
 */
export function rateLimitHeaders(
  plan: Plan,
  readings: readonly Reading[],
  costs: readonly number[],
  isDenied = false,
): Headers {
  const { policy, names } = toldOf(plan);
  if (policy === "") return {};
  let left = "";
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const step = plan.steps[i];
    const reading = readings[i];
    if (name === undefined || !step || !reading) continue;
    const remaining = remainingOf(step, reading, isDenied ? 0 : (costs[i] ?? 1));
    left += `${left && ", "}"${name}";r=${remaining};t=${Math.ceil(reading.resetMs / 1_000)}`;
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

function toldOf(plan: Plan): Told {
  const known = told.get(plan);
  if (known) return known;
  const names = plan.steps.map((step) => (isTold(step) ? nameOf(step, plan) : undefined));
  const quotas = plan.steps.flatMap(({ limit, periodSeconds }, i) =>
    names[i] === undefined ? [] : [`"${names[i]}";q=${limit};w=${periodSeconds}`],
  );
  const made = { names, policy: quotas.join(", ") };
  told.set(plan, made);
  return made;
}

function isTold({ algorithm, isShadowed }: Step): boolean {
  return algorithm !== "earrrl" && !isShadowed;
}
