import { readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { limitsOf, type SharedOverride } from "../../enforce/policy/client.ts";
import { withLimits } from "../../enforce/policy/code-limits.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { Mode, Policy } from "../../enforce/policy/schema.ts";
import { nodesBefore, readPolicy, suspensionFormat } from "../../enforce/policy/versions.ts";
import { basisOf, type CustomerBasis } from "../../manage/customers/basis.ts";
import { allSlotsOf, type Customer, customerFrom } from "../../manage/customers/read.ts";
import { lastSession } from "../../manage/customers/session-limits.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { takeSnapshot } from "../../redis/snapshot.ts";
import { type CountedUsage, type CountReader, nothingIfAway, usageOf } from "./usage.ts";

/** A customer for an editor: its current limits and counts, the tiers to choose from, and the basis of a change. */
export interface CustomerView {
  /** Ms of Redis' clock. */
  readonly now: number;
  readonly basis: CustomerBasis;
  readonly mode: Mode;
  readonly tiers: Policy["tiers"];
  readonly defaultTier: Policy["defaultTier"];
  readonly customer: Customer;
  /** Ids of live nodes that do not enforce suspensions. */
  readonly olderNodes: readonly string[];
  /** Overrides of groups and patterns that have the customer, in the order in which they win. */
  readonly shared: readonly SharedOverride[];
  /** Undefined while the counters do not answer; the rest is worth showing without them. */
  readonly usage: readonly CountedUsage[] | undefined;
}

export async function viewCustomer(
  redis: Connection,
  counts: CountReader,
  id: CustomerId,
): Promise<CustomerView> {
  const [{ policy: published }, session, overrides, older] = await Promise.all([
    readPolicy(redis),
    lastSession(redis, id),
    readSharedOverrides(redis),
    nodesBefore(redis, suspensionFormat),
  ]);
  const shared = overrides.of(id);
  const policy = await withLimits(redis, published);
  const { now, lastId, slots } = await takeSnapshot(redis, { slots: allSlotsOf(id) });
  const customer = customerFrom(id, policy, { held: slots, now }, { session, shared });
  const usage = await usageOf(counts, policy, id, customer.levels).catch(nothingIfAway);
  const { mode, tiers, defaultTier } = policy;
  const olderNodes = older.map((node) => node.id);
  return {
    now,
    basis: basisOf(slots.slice(0, 4), lastId),
    mode,
    tiers,
    defaultTier,
    customer,
    olderNodes,
    shared,
    usage,
  };
}

/** A change that is not saved yet. A property that is left out stays as it is. */
export interface CustomerDraft {
  /** Null for none. */
  readonly tier?: string | null | undefined;
  /** Null for those of the tier. */
  readonly levels?: readonly Level[] | null | undefined;
}

/** The current counts under the limits in force and under those of a draft. */
export interface UsagePreview {
  readonly mode: Mode;
  /** Both are undefined while the counters do not answer. */
  readonly before: readonly CountedUsage[] | undefined;
  readonly after: readonly CountedUsage[] | undefined;
}

/** Whether the next request would pass, now and with the draft saved. Nothing is written or counted. */
export async function previewLevels(
  redis: Connection,
  counts: CountReader,
  id: CustomerId,
  draft: CustomerDraft,
): Promise<UsagePreview> {
  const [{ policy: published }, session, overrides] = await Promise.all([
    readPolicy(redis),
    lastSession(redis, id),
    readSharedOverrides(redis),
  ]);
  const shared = overrides.of(id);
  const policy = await withLimits(redis, published);
  const { now, slots } = await takeSnapshot(redis, { slots: allSlotsOf(id) });
  const customer = customerFrom(id, policy, { held: slots, now }, { session, shared });
  const [before, after] = await Promise.all(
    [customer.levels, levelsAfter(policy, customer, shared, draft)].map((levels) =>
      usageOf(counts, policy, id, levels).catch(nothingIfAway),
    ),
  );
  return { mode: policy.mode, before, after };
}

/** The levels with the draft saved. Undefined: those for anonymous clients. */
export function levelsAfter(
  policy: Policy,
  { tier, override, session }: Customer,
  shared: readonly SharedOverride[],
  draft: CustomerDraft,
): readonly Level[] | undefined {
  const own = draft.levels === undefined ? override?.levels : draft.levels;
  const name = draft.tier === undefined ? tier?.name : draft.tier;
  return limitsOf(policy, { override: own ?? undefined, tier: name ?? undefined }, session, shared)?.levels;
}
