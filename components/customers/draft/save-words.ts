import { momentText } from "@/components/ui/value-text.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayTier } from "../level-words.ts";
import { type Changes, changesIn } from "./changes.ts";
import type { Draft } from "./draft.ts";
import { momentOf, sayFor } from "./ends.ts";
import { keptEnd } from "./save.ts";

/** Label of the button: the object and the duration. */
export function sayApply(draft: Draft, base: CustomerNow, now: number): string {
  const { isTierChanged, own } = changesIn(draft, base);
  const { id } = base;
  if (own === "set") {
    const moment = momentOf(draft.ends, now, keptEnd(base));
    return `Apply to customer ${id} ${sayFor(draft.ends, typeof moment === "number" ? momentText(moment, now) : "…")}`;
  }
  const tier = draft.tier === "" ? "out of any tier" : `to ${sayTier(draft.tier)}`;
  if (own === "clear" && isTierChanged) return `Move customer ${id} ${tier}, without custom throttle`;
  if (own === "clear") return `Remove the custom throttle of customer ${id}`;
  return `Move customer ${id} ${tier}`;
}

/** Title of the notice after a save. */
export function sayApplied(draft: Draft, { id, ...base }: CustomerNow): string {
  const changes = changesIn(draft, { id, ...base });
  const parts = [
    changes.isTierChanged && (draft.tier === "" ? "has no tier" : `is ${sayTier(draft.tier)}`),
    changes.own === "set" && "has its custom throttle",
    changes.own === "clear" && "no longer has a custom throttle",
  ].filter((part) => part !== false);
  return `Customer ${id} ${parts.join(" and ")}`;
}

/** `28 Mar, 14:32 UTC, then back to Free`. */
export function sayEnd(draft: Draft, base: CustomerNow, now: number): string | undefined {
  const moment = momentOf(draft.ends, now, keptEnd(base));
  if (moment === undefined) return undefined;
  if (moment === null) return "It never expires";
  return `${momentText(moment, now)} UTC, then ${sayAfter(draft.tier, base.defaultTier)}`;
}

function sayAfter(tier: string, defaultTier: string | null): string {
  if (tier !== "") return `back to ${sayTier(tier)}`;
  return defaultTier === null
    ? "limits for anonymous clients count it by its id"
    : `the default tier, ${sayTier(defaultTier)}`;
}

export function sayUnsaved({ count }: Changes): string {
  return `${count} unsaved ${count === 1 ? "change" : "changes"}`;
}
