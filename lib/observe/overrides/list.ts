import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { readShared, type SharedOverrideDefinition } from "../../manage/overrides/shared-override.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { listNodes } from "../stats/nodes.ts";

/** The override of a group or pattern, as it is. */
export interface ListedOverride extends SharedOverrideDefinition {
  /** Its end has come. */
  readonly isEnded: boolean;
  /** False: the policy has no such tier, so it has no effect. */
  readonly isTierKnown: boolean;
  /** When a check last used it, to the minute. Null for never; undefined where a node may not report it. */
  readonly usedAt: number | null | undefined;
}

export interface OverrideList {
  /** Ms of Redis' clock. */
  readonly now: number;
  /** In the order in which they win. */
  readonly overrides: readonly ListedOverride[];
  readonly tiers: Policy["tiers"];
  /** Ids of live nodes that ignore them. */
  readonly olderNodes: readonly string[];
}

/** All overrides of groups and patterns. */
export async function listSharedOverrides(redis: Connection): Promise<OverrideList> {
  const [definitions, uses, nodes, { policy }, now] = await Promise.all([
    readShared(redis),
    redis.hgetall(keys.sharedOverrideUses()),
    listNodes(redis),
    readPolicy(redis),
    redisNow(redis),
  ]);
  const areUsesKnown = nodes.every(({ overridesFormat }) => overridesFormat !== 0);
  const overrides = definitions.map((one): ListedOverride => {
    const usedAt = Number(uses[one.name]) || undefined;
    return {
      ...one,
      isEnded: one.expiresAt !== null && one.expiresAt <= now,
      isTierKnown: one.tier === undefined || Object.hasOwn(policy.tiers, one.tier),
      usedAt: usedAt ?? (areUsesKnown ? null : undefined),
    };
  });
  const older = nodes.filter(({ overridesFormat }) => overridesFormat === undefined);
  return { now, overrides, tiers: policy.tiers, olderNodes: older.map(({ id }) => id) };
}
