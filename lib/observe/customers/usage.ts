import { at, madeOnce } from "../../at.ts";
import { shareUsed } from "../../enforce/algorithms/algorithms.ts";
import type { CustomerUsage } from "../../enforce/guard/limit.ts";
import type { CountedRequest, Plan, Reading, Step, Weighed } from "../../enforce/limits/plan.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
import { withLimits } from "../../enforce/policy/code-limits.ts";
import {
  type CustomerPlan,
  customerLoad,
  customerPlan,
  levelsOf,
} from "../../enforce/policy/customer-plan.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { readCustomer } from "../../manage/customers/read.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";

/** Reads counts, and charges nothing. */
export type CountReader = Pick<Scales, "read">;

/** A customer's count at one level. */
export type Usage = Step & Reading;

export interface CountedUsage extends Usage {
  /** The level is the customer's, or its tier's, and not one that the rule has for everybody. */
  readonly isOwn: boolean;
}

/** What a customer has used and what is left, by every rule and limit of code in force that counts it: as `guard.usage` says it. */
export async function readUsageLeft(
  redis: Connection,
  counts: CountReader,
  id: CustomerId,
): Promise<CustomerUsage> {
  const policy = await withLimits(redis, (await readPolicy(redis)).policy);
  const { levels: own, from, tier, shared } = await readCustomer(redis, id);
  const rules = policy.rules.filter(({ mode }) => mode === "enforce");
  const plan = customerPlan({ ...policy, rules }, own);
  const found = plan.steps.length > 0 ? await weighedBy(counts, customerLoad(plan, id)) : undefined;
  const levels = found ? levelsOf(plan, found) : [];
  const named = levels.map((level, i) => ({ rule: at(plan.rules, i).name, ...level }));
  const ofCustomer = from === "tier" ? tier?.name : shared?.tier;
  const known = from === "default-tier" ? policy.defaultTier : ofCustomer;
  return { customerId: id, tier: known, levels: named };
}

/** A customer's counts against its limits, level for level. Without limits of its own: against those for anonymous clients. */
export async function readUsage(redis: Connection, counts: CountReader, id: CustomerId): Promise<Usage[]> {
  const policy = await withLimits(redis, (await readPolicy(redis)).policy);
  const { levels } = await readCustomer(redis, id);
  return count(counts, policy, id, levels);
}

/** A customer's counts against these levels, whatever levels it has now. */
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

/** For each customer the level with the highest share used; undefined without a count, or when the counters do not answer. */
export async function tightestOf(
  counts: CountReader,
  policy: Policy,
  customers: readonly { readonly id: CustomerId; readonly levels: readonly Level[] | undefined }[],
): Promise<(Usage | undefined)[]> {
  // Customers of one tier share a plan, and so are read in one call.
  const plans = new Map<readonly Level[] | undefined, CustomerPlan>();
  return Promise.all(
    customers.map(async ({ id, levels }) => {
      const plan = madeOnce(plans, levels, () => customerPlan(policy, levels));
      if (plan.steps.length === 0) return undefined;
      const found = await counts.read(customerLoad(plan, id));
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
  const plan = customerPlan(policy, levels);
  if (plan.steps.length === 0) return [];
  return withReadings(plan, await weighedBy(counts, customerLoad(plan, id)));
}

async function weighedBy(counts: CountReader, request: CountedRequest): Promise<Weighed> {
  const found = await counts.read(request);
  if (found.outcome === "weighed") return found;
  throw new DomainError("redis-unavailable", "The counters do not answer now; try again.");
}

function tightest([first, ...others]: readonly Usage[]): Usage | undefined {
  return others.reduce((most, one) => (most && share(one) <= share(most) ? most : one), first);
}

const share = ({ used, limit }: Usage): number => shareUsed(used, limit);

function withReadings({ steps }: Plan, { readings }: Weighed): Usage[] {
  return steps.map((step, i) => ({ ...step, ...at(readings, i) }));
}

/** Without the counters the rest is still worth showing. */
export function nothingIfAway(error: unknown): undefined {
  if (error instanceof DomainError && error.code === "redis-unavailable") return undefined;
  throw error;
}
