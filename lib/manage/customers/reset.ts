import type { CountedRequest } from "../../enforce/limits/plan.ts";
import { WirePlan } from "../../enforce/limits/wire-plan.ts";
import { withLimits } from "../../enforce/policy/code-limits.ts";
import { allLevels, customerLoad, customerPlan } from "../../enforce/policy/customer-plan.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { readCustomer } from "./read.ts";

/** Long enough for every node to receive it. */
const announcedForMs = 60_000;

/**
 * Resets a customer's counters: deletes the counts of this customer alone, and makes the nodes forget its known denials.
 * In this order, or a node would learn the same denial again.
 */
export async function resetCounters(
  ctx: Signed,
  counters: CountersConnection,
  { id, reason }: { readonly id: CustomerId; readonly reason: string },
): Promise<{ readonly change: number | null; readonly deleted: number }> {
  checkReason(reason);
  const policy = await withLimits(ctx.redis, (await readPolicy(ctx.redis)).policy);
  const { levels = [] } = await readCustomer(ctx.redis, id);
  // Also the counters from before it had limits of its own.
  const plans = [allLevels(policy, levels), undefined].map((own) => customerPlan(policy, own));
  const keysOf = await Promise.all(plans.map((plan) => counterKeys(counters, customerLoad(plan, id))));
  const found = [...new Set(keysOf.flat())];
  // One by one: on a cluster they need not lie together.
  const remove = (key: string) => (ctx.isDryRun ? counters.exists(key) : counters.unlink(key));
  const deleted = await Promise.all(found.map(remove));
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

/** The current keys of a request's counters. */
async function counterKeys(
  counters: CountersConnection,
  request: CountedRequest,
): Promise<readonly string[]> {
  const wirePlan = new WirePlan(request.plan, counters.isCluster);
  wirePlan.turnTo((await redisNow(counters)) * 1_000);
  return wirePlan.keysOf(request);
}
