import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { type Ends, endsOf, inAWeek } from "./ends.ts";
import { readHash } from "./hash-text.ts";
import { areSame, type LevelRow, type ReadRows, readRows, rowsOf } from "./level-rows.ts";

/** The edited copy of a customer, as far as it is typed. */
export interface Draft {
  /** "" for none. */
  readonly tier: string;
  /** Levels of its own; null for those of the tier. */
  readonly rows: readonly LevelRow[] | null;
  /** Text of the hash, if it was edited instead of the rows. */
  readonly hash: string | null;
  readonly ends: Ends;
  readonly reason: string;
}

export function draftOf({ tier, override }: CustomerNow): Draft {
  return {
    tier: tier?.name ?? "",
    rows: override ? rowsOf(override.levels) : null,
    hash: null,
    ends: override ? endsOf(override.expiresAt) : inAWeek,
    reason: "",
  };
}

/** The levels of a tier; of one that the policy does not know, those of the default tier, if there is one. */
export function levelsOfTier(
  { tiers, defaultTier }: Pick<CustomerNow, "tiers" | "defaultTier">,
  tier: string,
): readonly Level[] {
  const levelsOf = (wanted: string | null) => tiers.find(({ name }) => name === wanted)?.levels;
  return levelsOf(tier) ?? levelsOf(defaultTier) ?? [];
}

/** What the editor shows: the draft's own rows, or the limits that its tier means. */
export function shownRows(now: CustomerNow, { rows, tier }: Draft): readonly LevelRow[] {
  return rows ?? rowsOf(levelsOfTier(now, tier));
}

/** The draft's own levels. Null for those of the tier, undefined while the draft is not valid. */
export function readOwn({ rows, hash }: Draft): ReadRows | null {
  if (rows === null) return null;
  if (hash === null) return readRows(rows);
  const { levels, problem } = readHash(hash);
  return { levels, problems: new Map(), problem };
}

/** Another row makes the tier's limits the customer's own. */
export function withRows(draft: Draft, rows: readonly LevelRow[]): Draft {
  return { ...draft, rows };
}

/** Rows follow the text as soon as it can be read. */
export function withHash(draft: Draft, hash: string): Draft {
  const { levels } = readHash(hash);
  return { ...draft, hash, rows: levels ? rowsOf(levels) : (draft.rows ?? []) };
}

/** Back to rows, once the text can be read. */
export function asRows(draft: Draft): Draft {
  return readOwn(draft)?.problem === undefined ? { ...draft, hash: null } : draft;
}

export const withoutOwn = (draft: Draft): Draft => ({ ...draft, rows: null, hash: null });

/**
 * Changes of the editor, on the version that another user saved during the edit. Tier and own levels are one thing each: a
 * change of a part replaces the whole.
 */
export function rebased(draft: Draft, base: CustomerNow, theirs: CustomerNow): Draft {
  const [before, after] = [draftOf(base), draftOf(theirs)];
  const isTierMine = draft.tier !== before.tier;
  return {
    ...draft,
    tier: isTierMine ? draft.tier : after.tier,
    ...(isOwnChanged(draft, base) ? {} : { rows: after.rows, hash: null, ends: after.ends }),
  };
}

/** Levels or their end differ from the saved ones. */
export function isOwnChanged(draft: Draft, base: CustomerNow): boolean {
  const own = readOwn(draft);
  const levels = own === null ? null : (own.levels ?? []);
  if (!areSame(levels, base.override?.levels ?? null)) return true;
  return base.override !== null && areEndsChanged(draft, base);
}

export function areEndsChanged({ ends }: Draft, base: CustomerNow): boolean {
  const before = draftOf(base).ends;
  return ends.choice !== before.choice || (ends.choice === "date" && ends.text !== before.text);
}

/** Is it the same customer that both saw? Other records of the log do not matter. */
export function isSameBasis(one: Pick<CustomerNow, "basedOn">, other: Pick<CustomerNow, "basedOn">): boolean {
  return one.basedOn.split("-")[0] === other.basedOn.split("-")[0];
}
