import { takeSnapshot } from "../audit/snapshot.ts";
import type { Level } from "../policy/levels.ts";
import type { Mode, Policy } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import type { CustomerId } from "../redis/keys.ts";
import { type Customer, customerFrom, slotsOf } from "./read.ts";
import { type CountedUsage, type CountReader, nothingIfAway, usageOf } from "./usage.ts";

/** What somebody is about to save; what is left out stays as it is. */
export interface Wish {
  /** Null for none. */
  readonly tier?: string | null | undefined;
  /** Null for those of the tier. */
  readonly levels?: readonly Level[] | null | undefined;
}

/** What was counted so far, under the limits of now and under those that are wished for. */
export interface Preview {
  readonly mode: Mode;
  /** Both nothing while the counters do not answer. */
  readonly before: readonly CountedUsage[] | undefined;
  readonly after: readonly CountedUsage[] | undefined;
}

/** Would the next request pass, and would it if this were saved? Nothing is written or counted. */
export async function previewLevels(
  redis: Connection,
  counts: CountReader,
  id: CustomerId,
  wish: Wish,
): Promise<Preview> {
  const { policy } = await readPolicy(redis);
  const { slots } = await takeSnapshot(redis, { slots: slotsOf(id) });
  const customer = customerFrom(id, policy.tiers, slots);
  const [before, after] = await Promise.all(
    [customer.levels, wished(policy, customer, wish)].map((levels) =>
      usageOf(counts, policy, id, levels).catch(nothingIfAway),
    ),
  );
  return { mode: policy.mode, before, after };
}

/** The levels that would count then; nothing for one that would count as anonymous. */
export function wished(
  { tiers }: Policy,
  { tier, override }: Customer,
  wish: Wish,
): readonly Level[] | undefined {
  const own = wish.levels === undefined ? override?.levels : wish.levels;
  if (own) return own;
  const name = wish.tier === undefined ? tier?.name : wish.tier;
  return name != null && Object.hasOwn(tiers, name) ? tiers[name]?.levels : undefined;
}
