import { type Holding, type Slot, takeSnapshot } from "../audit/snapshot.ts";
import type { Level } from "../policy/levels.ts";
import type { Policy } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import { type CustomerId, keys } from "../redis/keys.ts";
import { type OverrideNote, readNote } from "./note.ts";
import { readOverride } from "./override.ts";
import { readTier } from "./tier.ts";

/** What is known of a customer, for people. */
export interface Customer {
  readonly id: CustomerId;
  readonly tier?: {
    readonly name: string;
    /** False: the policy has no such tier, so it says nothing. */
    readonly isKnown: boolean;
    /** In ms; null for never. */
    readonly expiresAt: number | null;
  };
  readonly override?: {
    readonly levels: readonly Level[];
    readonly expiresAt: number | null;
    readonly note: OverrideNote;
  };
  /** The levels that count: those of the override, else those of the tier. Without any, it is as good as anonymous. */
  readonly levels?: readonly Level[];
  /** What stands in Redis and is not obeyed, a sentence each. */
  readonly flags: readonly string[];
}

export async function readCustomer(redis: Connection, id: CustomerId): Promise<Customer> {
  const [customer] = await readCustomers(redis, [id]);
  return customer ?? { id, flags: [] };
}

/** Many at one moment, with the tiers that the policy has now. */
export async function readCustomers(redis: Connection, ids: readonly CustomerId[]): Promise<Customer[]> {
  const { policy } = await readPolicy(redis);
  const { slots } = await takeSnapshot(redis, { slots: ids.flatMap(slotsOf) });
  return ids.map((id, i) => customerFrom(id, policy.tiers, slots.slice(3 * i, 3 * i + 3)));
}

/** Where a customer's tier, override, and what is noted of the override stand. */
export function slotsOf(id: CustomerId): [tier: Slot, override: Slot, note: Slot] {
  return [
    { key: keys.tier(id), target: id },
    { key: keys.override(id), target: id, isHash: true },
    { key: keys.overrideNote(id), target: id, isAside: true },
  ];
}

/** @param held the customer's slots, as `slotsOf` names them */
export function customerFrom(
  id: CustomerId,
  tiers: Policy["tiers"],
  [tier, override, note]: readonly Holding[],
): Customer {
  const flags: string[] = [];
  const ownTier = tier && readOwnTier(tiers, id, tier, flags);
  const ownLevels = override && readOwnLevels(id, override, flags);
  const levels = ownLevels?.levels ?? (ownTier?.isKnown ? tiers[ownTier.name]?.levels : undefined);
  return {
    id,
    ...(ownTier && { tier: ownTier }),
    ...(ownLevels && { override: { ...ownLevels, note: readNote(note?.value ?? "") } }),
    ...(levels && { levels }),
    flags,
  };
}

function readOwnTier(tiers: Policy["tiers"], id: CustomerId, held: Holding, flags: string[]) {
  if (held.kind === "none") return undefined;
  const name = held.kind === "string" ? readTier(held.value) : undefined;
  if (name === undefined) {
    flags.push(
      `${keys.tier(id)} is not obeyed: ${held.kind === "string" ? "it names no tier" : `it is a ${held.kind}`}`,
    );
    return undefined;
  }
  const isKnown = Object.hasOwn(tiers, name);
  if (!isKnown) flags.push(`the policy has no tier ${name}, so the customer counts as if it had none`);
  return { name, isKnown, expiresAt: held.expiresAt };
}

function readOwnLevels(id: CustomerId, held: Holding, flags: string[]) {
  if (held.kind === "none") return undefined;
  const fields = held.kind === "hash" ? parseFields(held.value) : undefined;
  if (!fields) {
    const why = held.kind === "hash" ? "it has too many fields" : `it is a ${held.kind}`;
    flags.push(`${keys.override(id)} is not obeyed: ${why}`);
    return undefined;
  }
  const { levels, flags: found } = readOverride(Object.entries(fields));
  flags.push(...found.map((flag) => `${keys.override(id)}, ${flag}`));
  return levels && { levels, expiresAt: held.expiresAt };
}

/** What was too long was cut, and is no JSON any more. */
function parseFields(text: string): Record<string, string> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
