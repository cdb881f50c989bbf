import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { sayTier } from "../../level-words.ts";
import type { Draft } from "../_editor/draft.ts";

/** By what it is limited now: `Free`, `custom`, `no tier`. */
export function sayStanding({ override, tier }: CustomerNow): string {
  if (override) return "custom";
  return tier?.isKnown ? sayTier(tier.name) : "no tier";
}

/** The same, once the draft is saved. */
export function sayWish({ rows, tier }: Draft): string {
  if (rows) return "custom";
  return tier === "" ? "no tier" : sayTier(tier);
}
