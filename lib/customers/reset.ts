import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { allLevels, customerPlan } from "../policy/customer-plan.ts";
import { readPolicy } from "../policy/versions.ts";
import type { CountersConnection } from "../redis/connect.ts";
import { type CustomerId, keys } from "../redis/keys.ts";
import { counterKeys } from "./counter-keys.ts";
import { readCustomer } from "./read.ts";

/** Long enough for every node to hear of it; what they remember is older than that or was learnt since. */
const announcedForMs = 60_000;

/**
 * Lets a customer begin anew: deletes what was counted of it alone, and tells the nodes to forget that they denied it.
 * In this order, or a node would learn the same denial again.
 */
export async function resetCounters(
  ctx: Signed,
  counters: CountersConnection,
  { id, reason }: { readonly id: CustomerId; readonly reason: string },
): Promise<{ readonly change: number | null; readonly deleted: number }> {
  checkReason(reason);
  const { policy } = await readPolicy(ctx.redis);
  const { levels = [] } = await readCustomer(ctx.redis, id);
  const found = await counterKeys(counters, customerPlan(policy, allLevels(policy, levels)), id);
  // One by one: on a cluster they need not lie together.
  const deleted = await Promise.all(found.map((key) => counters.unlink(key)));
  const { change } = await commit(ctx, {
    action: "customer.reset",
    reason,
    slots: [{ key: keys.reset(id), target: id }],
    decide({ now }) {
      const to = { value: new Date(now).toISOString(), expiresAt: now + announcedForMs };
      return { writes: [{ slot: 0, to }] };
    },
  });
  return { change, deleted: deleted.reduce((sum, count) => sum + count, 0) };
}
