import { DomainError } from "../errors.ts";
import type { Load, Plan, Reading, Step, Unweighed, Weighed } from "../limits/plan.ts";
import { customerPlan } from "../policy/customer-plan.ts";
import type { Level } from "../policy/levels.ts";
import type { Policy } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import type { CustomerId } from "../redis/keys.ts";
import { readCustomer } from "./read.ts";

/** Tells what is counted, and charges nothing. */
export interface CountReader {
  read(load: Load): Promise<Weighed | Unweighed>;
}

/** How much of one level a customer has used. */
export type Usage = Step & Reading;

export interface CountedUsage extends Usage {
  /** The level is the customer's, or its tier's, and not one that the rule has for everybody. */
  readonly isOwn: boolean;
}

/** A customer's counts against its limits, level for level; nothing for one that counts as anonymous. */
export async function readUsage(redis: Connection, counts: CountReader, id: CustomerId): Promise<Usage[]> {
  const { policy } = await readPolicy(redis);
  const { levels } = await readCustomer(redis, id);
  return count(counts, policy, id, levels);
}

/** What was counted of a customer, held against these levels whatever it has now. */
export async function usageOf(
  counts: CountReader,
  policy: Policy,
  id: CustomerId,
  levels: readonly Level[] | undefined,
): Promise<CountedUsage[]> {
  const usage = await count(counts, policy, id, levels);
  const own = new Set(policy.rules.filter((rule) => rule.levels === "tier").map(({ name }) => name));
  return usage.map((one) => ({ ...one, isOwn: own.has(one.rule) }));
}

/** Of each customer the level that is used up most; nothing where nothing is counted, or the counters do not answer. */
export async function tightestOf(
  counts: CountReader,
  policy: Policy,
  customers: readonly { readonly id: CustomerId; readonly levels: readonly Level[] | undefined }[],
): Promise<(Usage | undefined)[]> {
  // Customers of one tier share a plan, and so are read in one call.
  const plans = new Map<readonly Level[], Plan>();
  const planOf = (levels: readonly Level[]) => {
    const plan = plans.get(levels) ?? customerPlan(policy, levels);
    plans.set(levels, plan);
    return plan;
  };
  return Promise.all(
    customers.map(async ({ id, levels }) => {
      const plan = levels && planOf(levels);
      if (!plan || plan.steps.length === 0) return undefined;
      const found = await counts.read(loadOf(policy, plan, id));
      return found.outcome === "unweighed" ? undefined : tightest(withReadings(plan, found));
    }),
  );
}

async function count(
  counts: CountReader,
  policy: Policy,
  id: CustomerId,
  levels: readonly Level[] | undefined,
): Promise<Usage[]> {
  const plan = levels && customerPlan(policy, levels);
  if (!plan || plan.steps.length === 0) return [];
  const found = await counts.read(loadOf(policy, plan, id));
  if (found.outcome === "unweighed")
    throw new DomainError("redis-unavailable", "The counters do not answer now; try again.");
  return withReadings(plan, found);
}

function tightest([first, ...others]: readonly Usage[]): Usage | undefined {
  return others.reduce(
    (most, one) => (most && one.used / one.limit <= most.used / most.limit ? most : one),
    first,
  );
}

/** The next request, at what the rules say that it costs. */
function loadOf({ rules }: Policy, plan: Plan, id: CustomerId): Load {
  const costs = new Map(rules.map(({ name, cost }) => [name, cost === "request" ? 1 : cost]));
  return {
    plan,
    clients: plan.steps.map(() => id),
    costs: plan.steps.map(({ rule }) => costs.get(rule) ?? 1),
  };
}

function withReadings({ steps }: Plan, { readings }: Weighed): Usage[] {
  return steps.flatMap((step, i) => {
    const reading = readings[i];
    return reading ? [{ ...step, ...reading }] : [];
  });
}

/** Without the counters the rest is still worth showing. */
export function nothingIfAway(error: unknown): undefined {
  if (error instanceof DomainError && error.code === "redis-unavailable") return undefined;
  throw error;
}
