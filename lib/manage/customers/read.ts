import { at } from "../../at.ts";
import { readOverride, readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { type OwnTier, readTier, readTierEnd, tierAt } from "../../enforce/customers/tier.ts";
import { type Note, readNote as readEntryNote } from "../../enforce/lists/entry.ts";
import { type LimitsSource, limitsOf, type SharedOverride } from "../../enforce/policy/client.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { type Holding, type Slot, takeSnapshot } from "../../redis/snapshot.ts";
import { type OverrideNote, readNote } from "./note.ts";
import { type ReportedSession, readSessions } from "./session-limits.ts";

/** A customer, as pages show it. */
export interface Customer {
  readonly id: CustomerId;
  readonly tier?: {
    readonly name: string;
    /** False: the policy has no such tier, so it has no effect. */
    readonly isKnown: boolean;
    /** In ms; null for never. */
    readonly expiresAt: number | null;
    /** Its tier from then on. Undefined: none. */
    readonly back?: string;
  };
  readonly override?: {
    readonly levels: readonly Level[];
    readonly expiresAt: number | null;
    readonly note: OverrideNote;
  };
  /** Its requests are answered with 403. */
  readonly suspension?: {
    readonly expiresAt: number | null;
    readonly note: Note;
  };
  /**
   * The levels that count: those of the override, else of a group or pattern, of the app's session, of the tier, or of the policy's default tier. Without
   * any, limits for anonymous clients count it by its id.
   */
  readonly levels?: readonly Level[];
  /** The source of `levels`. */
  readonly from?: LimitsSource;
  /** The group or pattern that gives them, and the tier that it gives. */
  readonly shared?: { readonly name: string; readonly tier?: string };
  /** What an app's session last gave the customer, where nodes reported it. */
  readonly session?: ReportedSession;
  /** Keys of the customer that are not enforced, a sentence each. */
  readonly flags: readonly string[];
}

export async function readCustomer(redis: Connection, id: CustomerId): Promise<Customer> {
  return at(await readCustomers(redis, [id]), 0);
}

/** Many at one moment, with the tiers that the policy has now. */
export async function readCustomers(redis: Connection, ids: readonly CustomerId[]): Promise<Customer[]> {
  const [{ policy }, sessions, shared] = await Promise.all([
    readPolicy(redis),
    readSessions(redis, ids),
    readSharedOverrides(redis),
  ]);
  const { now, slots } = await takeSnapshot(redis, { slots: ids.flatMap(allSlotsOf) });
  const each = slots.length / ids.length;
  return ids.map((id, i) => {
    const held = slots.slice(each * i, each * (i + 1));
    return customerFrom(id, policy, { held, now }, { session: sessions[i], shared: shared.of(id) });
  });
}

/** All that Redis holds of a customer. */
export function allSlotsOf(id: CustomerId): Slot[] {
  return [...slotsOf(id), suspensionSlot(id)];
}

export function suspensionSlot(id: CustomerId): Slot {
  return { key: keys.suspension(id), target: id };
}

/** The places of a customer's tier, override, the override's note, and what follows the tier: what its editor changes. */
export function slotsOf(id: CustomerId): [tier: Slot, override: Slot, note: Slot, tierEnd: Slot] {
  return [
    { key: keys.tier(id), target: id },
    { key: keys.override(id), target: id, isHash: true },
    { key: keys.overrideNote(id), target: id, isAside: true },
    { key: keys.tierEnd(id), target: `${id} afterwards` },
  ];
}

/** What gives a customer limits, besides its own keys and the policy. */
export interface OtherLimits {
  /** What an app's session last gave it, where nodes reported it. */
  readonly session?: ReportedSession | undefined;
  /** Overrides of groups and patterns that have it. */
  readonly shared: readonly SharedOverride[];
}

/** What Redis holds of a customer at a moment, in the slots that `allSlotsOf` names. */
interface HeldAt {
  readonly held: readonly Holding[];
  readonly now: number;
}

export function customerFrom(
  id: CustomerId,
  policy: Pick<Policy, "tiers" | "defaultTier">,
  { held, now }: HeldAt,
  { session, shared }: OtherLimits,
): Customer {
  const flags: string[] = [];
  const [tier, override, note, suspended] = [at(held, 0), at(held, 1), at(held, 2), at(held, 4)];
  const ownTier = readOwnTier(policy, id, { tier, end: at(held, 3), now }, flags);
  const ownLevels = readOwnLevels(id, override, flags);
  const suspension = readOwnSuspension(id, suspended, flags);
  const limits = limitsOf(policy, { tier: ownTier?.name, override: ownLevels?.levels }, session, shared);
  const { name, tier: tierOfName } = limits ?? {};
  return {
    id,
    ...(ownTier && { tier: ownTier }),
    ...(ownLevels && { override: { ...ownLevels, note: readNote(note.value) } }),
    ...(suspension && { suspension }),
    ...(limits && { levels: limits.levels, from: limits.from }),
    ...(name !== undefined && {
      shared: { name, ...(tierOfName !== undefined && { tier: tierOfName }) },
    }),
    ...(session && { session }),
    flags,
  };
}

function readOwnTier(
  { tiers, defaultTier }: Pick<Policy, "tiers" | "defaultTier">,
  id: CustomerId,
  held: HeldTier,
  flags: string[],
): Customer["tier"] {
  const { kind } = held.tier;
  if (kind === "none") return undefined;
  const own = ownTierOf(held);
  if (!own) {
    flags.push(
      `${keys.tier(id)} is not enforced: ${kind === "string" ? "it names no tier" : `it is a ${kind}`}`,
    );
    return undefined;
  }
  const { name, endsAt, back } = own;
  const isKnown = Object.hasOwn(tiers, name);
  if (!isKnown) {
    const instead =
      defaultTier === undefined ? "counts as if it had none" : `is in the default tier, ${defaultTier}`;
    flags.push(`the policy has no tier ${name}, so the customer ${instead}`);
  }
  const expiresAt = Number.isFinite(endsAt) ? endsAt : null;
  return { name, isKnown, expiresAt, ...(back !== undefined && { back }) };
}

/** The keys of a customer's tier, at a moment. */
interface HeldTier {
  readonly tier: Holding;
  readonly end: Holding;
  readonly now: number;
}

/** Undefined where Redis names no tier. Of one that has ended, what follows it. */
export function ownTierOf({ tier, end, now }: HeldTier): OwnTier | undefined {
  const name = tier.kind === "string" ? readTier(tier.value) : undefined;
  const follows = end.kind === "string" ? readTierEnd(end.value) : undefined;
  const endsAt = ({ expiresAt }: Holding) => expiresAt ?? Number.POSITIVE_INFINITY;
  if (name === undefined) return undefined;
  return tierAt({ name, endsAt: endsAt(tier) }, follows && { ...follows, endsAt: endsAt(end) }, now);
}

function readOwnLevels(id: CustomerId, held: Holding, flags: string[]) {
  if (held.kind === "none") return undefined;
  const fields = held.kind === "hash" ? parseFields(held.value) : undefined;
  if (!fields) {
    const why = held.kind === "hash" ? "it has too many fields" : `it is a ${held.kind}`;
    flags.push(`${keys.override(id)} is not enforced: ${why}`);
    return undefined;
  }
  const { levels, flags: found } = readOverride(Object.entries(fields));
  flags.push(...found.map((flag) => `${keys.override(id)}, ${flag}`));
  return levels && { levels, expiresAt: held.expiresAt };
}

function readOwnSuspension(id: CustomerId, held: Holding, flags: string[]): Customer["suspension"] {
  if (held.kind === "none") return undefined;
  if (held.kind === "string") return { expiresAt: held.expiresAt, note: readEntryNote(held.value) };
  flags.push(`${keys.suspension(id)} is not enforced: it is a ${held.kind}`);
  return undefined;
}

/** Undefined for a value that was cut, which is no longer JSON. */
function parseFields(text: string): Record<string, string> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
