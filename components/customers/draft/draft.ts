import { noEnd, readUntil, type Until, untilDate } from "@/components/console/until.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { type Ends, endsOf, inAWeek } from "./ends.ts";
import { areSame, type LevelRow, type ReadRows, readHash, readRows, rowsOf } from "./level-rows.ts";

/** The edited copy of a customer, as far as it is typed. */
export interface Draft {
  /** "" for none. */
  readonly tier: string;
  /** When the customer goes back to the tier that it has without an end. */
  readonly until: Until;
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
    until: typeof tier?.expiresAt === "number" ? untilDate(tier.expiresAt) : noEnd,
    rows: override ? rowsOf(override.levels) : null,
    hash: null,
    ends: override ? endsOf(override.expiresAt) : inAWeek,
    reason: "",
  };
}

/** The tier that the customer has without any that ends; "" for none. */
export function lastingTier({ tier }: Pick<CustomerNow, "tier">): string {
  return (tier?.expiresAt == null ? tier?.name : tier.back) ?? "";
}

/** Whether the tier of the draft may end: it is another one than follows. */
export function mayEnd({ tier }: Pick<Draft, "tier">, base: CustomerNow): boolean {
  return tier !== "" && tier !== lastingTier(base);
}

/** When the tier of the draft ends, in ms. Undefined for one that does not. */
export function tierEndOf(draft: Draft, base: CustomerNow, now: number): ReturnType<typeof readUntil> {
  if (!mayEnd(draft, base)) return { ok: true, atMs: undefined };
  const kept = base.tier?.expiresAt;
  if (typeof kept === "number" && draft.until.text === untilDate(kept).text && draft.until.choice === "date")
    return { ok: true, atMs: kept };
  return readUntil(draft.until, now);
}

/** The levels of a customer of a tier without levels of its own, as nodes find them. None where anonymous limits count it. */
export function levelsOfTier(
  { tiers, defaultTier, session }: Pick<CustomerNow, "tiers" | "defaultTier" | "session">,
  tier: string,
): readonly Level[] {
  const levelsOf = (wanted: string | null | undefined) => tiers.find(({ name }) => name === wanted)?.levels;
  return session?.levels ?? levelsOf(tier) ?? levelsOf(session?.tier) ?? levelsOf(defaultTier) ?? [];
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

/** Changes of the editor, on the version that another user saved during the edit: of the tier, of each level, of their end. */
export function rebased(draft: Draft, base: CustomerNow, theirs: CustomerNow): Draft {
  const after = draftOf(theirs);
  const isTierTheirs = !isTierChangedIn(draft, base);
  const [tier, until] = isTierTheirs ? [after.tier, after.until] : [draft.tier, draft.until];
  if (!isOwnChanged(draft, base))
    return { ...draft, tier, until, rows: after.rows, hash: null, ends: after.ends };
  const isEndMine = base.override === null || areEndsChanged(draft, base);
  const ends = isEndMine || !theirs.override ? draft.ends : after.ends;
  const mine = readOwn(draft)?.levels;
  const levels = mine && mergedLevels(mine, base.levels ?? [], theirs.levels ?? []);
  if (!mine || !levels || areSame(levels, mine)) return { ...draft, tier, until, ends };
  return { ...draft, tier, until, rows: rowsOf(levels), hash: null, ends };
}

/** Their levels with those that were added, changed or removed in mine. */
function mergedLevels(
  mine: readonly Level[],
  before: readonly Level[],
  theirs: readonly Level[],
): readonly Level[] {
  const isMine = (level: Level) => fateOf(level, before).fate !== "same";
  const removed = removedFrom(before, mine).map(({ periodSeconds }) => periodSeconds);
  const periods = new Map(theirs.map((level) => [level.periodSeconds, level]));
  for (const period of removed) periods.delete(period);
  for (const level of mine) if (isMine(level)) periods.set(level.periodSeconds, level);
  const order = [...mine, ...theirs].map(({ periodSeconds }) => periodSeconds);
  return [...new Set(order)].flatMap((period) => periods.get(period) ?? []);
}

/** Levels or their end differ from the saved ones. */
function isOwnChanged(draft: Draft, base: CustomerNow): boolean {
  const own = readOwn(draft);
  const levels = own === null ? null : (own.levels ?? []);
  if (!areSame(levels, base.override?.levels ?? null)) return true;
  return base.override !== null && areEndsChanged(draft, base);
}

function areEndsChanged({ ends }: Draft, base: CustomerNow): boolean {
  const before = draftOf(base).ends;
  return ends.choice !== before.choice || (ends.choice === "date" && ends.text !== before.text);
}

/** Is it the same customer that both saw? Other records of the log do not matter. */
export function isSameBasis(one: Pick<CustomerNow, "basedOn">, other: Pick<CustomerNow, "basedOn">): boolean {
  return one.basedOn.split("-")[0] === other.basedOn.split("-")[0];
}

/** Change of one level, compared with the level in force. */
type LevelFate =
  | { readonly fate: "same" | "new" }
  | { readonly fate: "changed" | "removed"; readonly was: number };

interface Changes {
  readonly isTierChanged: boolean;
  /** Change of the customer's own levels. Null for no change. */
  readonly own: "set" | "clear" | null;
  /** Number of changes as shown: the tier, each level, the end. */
  readonly count: number;
}

export function changesIn(draft: Draft, base: CustomerNow): Changes {
  const isTierChanged = isTierChangedIn(draft, base);
  const own = !isOwnChanged(draft, base) ? null : draft.rows === null ? "clear" : "set";
  return { isTierChanged, own, count: (isTierChanged ? 1 : 0) + countOwn(draft, base, own) };
}

/** Another tier, or another end of it. */
function isTierChangedIn(draft: Draft, base: CustomerNow): boolean {
  const before = draftOf(base);
  if (draft.tier !== before.tier) return true;
  const { choice, text } = draft.until;
  const isEndChanged = choice !== before.until.choice || (choice === "date" && text !== before.until.text);
  return mayEnd(draft, base) && isEndChanged;
}

function countOwn(draft: Draft, base: CustomerNow, own: Changes["own"]): number {
  if (own === null) return 0;
  if (own === "clear") return 1;
  const ends = base.override !== null && areEndsChanged(draft, base) ? 1 : 0;
  const levels = readOwn(draft)?.levels;
  // Problems come before changes.
  if (!levels) return ends + 1;
  const before = base.levels ?? [];
  const different = [...levels.map((level) => fateOf(level, before).fate)].filter((fate) => fate !== "same");
  return Math.max(1, ends + different.length + removedFrom(before, levels).length);
}

export function fateOf({ limit, periodSeconds }: Level, before: readonly Level[]): LevelFate {
  const was = before.find((level) => level.periodSeconds === periodSeconds);
  if (!was) return { fate: "new" };
  return was.limit === limit ? { fate: "same" } : { fate: "changed", was: was.limit };
}

/** Levels in force that the draft removes. */
export function removedFrom(before: readonly Level[], wished: readonly Level[]): readonly Level[] {
  return before.filter(({ periodSeconds }) => !wished.some((level) => level.periodSeconds === periodSeconds));
}

/** The levels after a save of the draft. Undefined while the draft is not valid. */
export function wishedLevels(draft: Draft, now: CustomerNow): readonly Level[] | undefined {
  const own = readOwn(draft);
  return own === null ? levelsOfTier(now, draft.tier) : own.levels;
}

/** No level would change. */
export function isInForce(draft: Draft, now: CustomerNow): boolean {
  const wished = wishedLevels(draft, now);
  return wished !== undefined && areSame(wished, now.levels ?? []);
}
