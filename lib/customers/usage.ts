import { DomainError } from "../errors.ts";
import type { Load, Reading, Step, Unweighed, Weighed } from "../limits/plan.ts";
import { customerPlan } from "../policy/customer-plan.ts";
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

/** A customer's counts against its limits, level for level; nothing for one that counts as anonymous. */
export async function readUsage(redis: Connection, counts: CountReader, id: CustomerId): Promise<Usage[]> {
  const { policy } = await readPolicy(redis);
  const { levels } = await readCustomer(redis, id);
  const plan = levels && customerPlan(policy, levels);
  if (!plan || plan.steps.length === 0) return [];
  const { steps } = plan;
  const found = await counts.read({ plan, clients: steps.map(() => id), costs: steps.map(() => 1) });
  if (found.outcome === "unweighed")
    throw new DomainError("redis-unavailable", "The counters do not answer now; try again.");
  return steps.flatMap((step, i) => {
    const reading = found.readings[i];
    return reading ? [{ ...step, ...reading }] : [];
  });
}
