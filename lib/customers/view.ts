import { takeSnapshot } from "../audit/snapshot.ts";
import type { Mode, Policy } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import type { CustomerId } from "../redis/keys.ts";
import { type Basis, basisOf } from "./basis.ts";
import { type Customer, customerFrom, slotsOf } from "./read.ts";
import { type CountedUsage, type CountReader, nothingIfAway, usageOf } from "./usage.ts";

/** A customer as an editor needs it: how it stands, what it may become, and what a change of it rests on. */
export interface CustomerView {
  /** Ms of Redis' clock. */
  readonly now: number;
  readonly basis: Basis;
  readonly mode: Mode;
  readonly tiers: Policy["tiers"];
  readonly customer: Customer;
  /** Nothing while the counters do not answer; the rest is worth showing without them. */
  readonly usage: readonly CountedUsage[] | undefined;
}

export async function viewCustomer(
  redis: Connection,
  counts: CountReader,
  id: CustomerId,
): Promise<CustomerView> {
  const { policy } = await readPolicy(redis);
  const { now, lastId, slots } = await takeSnapshot(redis, { slots: slotsOf(id) });
  const customer = customerFrom(id, policy.tiers, slots);
  const usage = await usageOf(counts, policy, id, customer.levels).catch(nothingIfAway);
  const { mode, tiers } = policy;
  return { now, basis: basisOf(slots, lastId), mode, tiers, customer, usage };
}
