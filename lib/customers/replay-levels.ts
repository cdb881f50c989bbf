import { takeSnapshot } from "../audit/snapshot.ts";
import { breathing } from "../audit/walk.ts";
import { customerPlan } from "../policy/customer-plan.ts";
import type { Level } from "../policy/levels.ts";
import { isNarrow } from "../policy/match.ts";
import type { Mode, Policy } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import type { CustomerId } from "../redis/keys.ts";
import { type Wish, wished } from "./preview.ts";
import { customerFrom, slotsOf } from "./read.ts";
import { type MinuteCount, type Replay, replay } from "./replay.ts";

/** The customer's last requests under the limits of now and under those that are wished for. */
export interface ReplayedWish {
  readonly mode: Mode;
  readonly before: Replay;
  readonly after: Replay;
  /** For who wishes for levels of its own: tiers that would have denied none of it. */
  readonly fitting: readonly string[];
  /** Rules that count the customer and could not be replayed, or only as if they looked at every request. */
  readonly leftOut: readonly string[];
  readonly narrower: readonly string[];
}

export async function replayWish(
  redis: Connection,
  id: CustomerId,
  wish: Wish,
  minutes: readonly MinuteCount[],
): Promise<ReplayedWish> {
  const { policy } = await readPolicy(redis);
  const { slots } = await takeSnapshot(redis, { slots: slotsOf(id) });
  const customer = customerFrom(id, policy.tiers, slots);
  const under = (levels: readonly Level[] | undefined) => replay(minutes, stepsOf(policy, levels));
  const counting = policy.rules.filter(({ client, mode }) => client === "customer" && mode !== "off");
  const namesOf = (rules: Policy["rules"]) => rules.map(({ name }) => name);
  return {
    mode: policy.mode,
    before: under(customer.levels),
    after: under(wished(policy, customer, wish)),
    fitting: wish.levels ? await tiersThatFit(policy, (levels) => under(levels).denied === 0) : [],
    leftOut: namesOf(counting.filter((rule) => rule.algorithm === "earrrl")),
    narrower: namesOf(counting.filter((rule) => rule.algorithm !== "earrrl" && isNarrow(rule.match))),
  };
}

async function tiersThatFit(
  { tiers }: Policy,
  fits: (levels: readonly Level[]) => boolean,
): Promise<readonly string[]> {
  const breath = breathing();
  const found: string[] = [];
  for (const [name, { levels }] of Object.entries(tiers)) {
    if (fits(levels)) found.push(name);
    await breath();
  }
  return found;
}

/** Without levels nothing counts the customer by itself, as for whoever is anonymous. */
function stepsOf(policy: Policy, levels: readonly Level[] | undefined) {
  if (!levels) return [];
  const costs = new Map(policy.rules.map(({ name, cost }) => [name, cost === "request" ? 1 : cost]));
  return customerPlan(policy, levels)
    .steps.filter(({ algorithm }) => algorithm !== "earrrl")
    .map((step) => ({ ...step, cost: costs.get(step.rule) ?? 1 }));
}
