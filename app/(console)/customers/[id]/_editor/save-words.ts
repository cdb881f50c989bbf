import { momentText } from "../../../../../components/ui/relative-time.ts";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { sayTier } from "../../level-words.ts";
import { type Changes, changesIn } from "./changes.ts";
import type { Draft } from "./draft.ts";
import { momentOf, sayFor } from "./ends.ts";
import { keptEnd } from "./save.ts";

/** What the button does: it names the object and for how long. */
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

/** What was done, for the notice. */
export function sayApplied(draft: Draft, { id, ...base }: CustomerNow): string {
  const changes = changesIn(draft, { id, ...base });
  const parts = [
    changes.isTierChanged && (draft.tier === "" ? "is in no tier" : `is ${sayTier(draft.tier)}`),
    changes.own === "set" && "has its custom throttle",
    changes.own === "clear" && "has no custom throttle any more",
  ].filter((part) => part !== false);
  return `Customer ${id} ${parts.join(" and ")}`;
}

/** `28 Mar, 14:32 UTC, then back to Free`. */
export function sayEnd(draft: Draft, base: CustomerNow, now: number): string | undefined {
  const moment = momentOf(draft.ends, now, keptEnd(base));
  if (moment === undefined) return undefined;
  if (moment === null) return "It stays until somebody takes it away";
  const after = draft.tier === "" ? "then it counts as anonymous" : `then back to ${sayTier(draft.tier)}`;
  return `${momentText(moment, now)} UTC, ${after}`;
}

export function sayUnsaved({ count }: Changes): string {
  return `${count} unsaved ${count === 1 ? "change" : "changes"}`;
}
