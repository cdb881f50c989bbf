import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { areEndsChanged, type Draft, isOwnChanged, levelsOfTier, readOwn } from "./draft.ts";
import { areSame } from "./level-rows.ts";

/** Change of one level, compared with the level in force. */
export type LevelFate =
  | { readonly fate: "same" | "new" }
  | { readonly fate: "changed" | "removed"; readonly was: number };

export interface Changes {
  readonly isTierChanged: boolean;
  /** Change of the customer's own levels. Null for no change. */
  readonly own: "set" | "clear" | null;
  /** Number of changes as shown: the tier, each level, the end. */
  readonly count: number;
}

export function changesIn(draft: Draft, base: CustomerNow): Changes {
  const isTierChanged = draft.tier !== (base.tier?.name ?? "");
  const own = !isOwnChanged(draft, base) ? null : draft.rows === null ? "clear" : "set";
  return { isTierChanged, own, count: (isTierChanged ? 1 : 0) + countOwn(draft, base, own) };
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
