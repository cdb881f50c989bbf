import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { Draft } from "../draft/draft.ts";
import { sayTier } from "../level-words.ts";

/** By what it is limited now: `Free`, `custom`, `default tier, Free`, `no tier`. */
export function sayStanding({ override, tier, defaultTier }: CustomerNow): string {
  if (override) return "custom";
  if (tier?.isKnown) return sayTier(tier.name);
  return defaultTier === null ? "no tier" : `default tier, ${sayTier(defaultTier)}`;
}

/** The same, once the draft is saved. */
export function sayWish({ rows, tier }: Draft): string {
  if (rows) return "custom";
  return tier === "" ? "no tier" : sayTier(tier);
}
