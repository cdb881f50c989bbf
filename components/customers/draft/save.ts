import { momentText } from "@/components/ui/value-text.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayTier } from "../customer-words.ts";
import { changesIn, type Draft, readOwn, tierEndOf } from "./draft.ts";
import { momentOf, type ReadEnds, readEnds, sayFor } from "./ends.ts";

/** Requests of a save, in their order. */
export type SaveStep =
  | { readonly verb: "tier"; readonly tier: string | null; readonly untilMs: number | undefined }
  | {
      readonly verb: "override";
      readonly levels: readonly Level[];
      readonly ends: { inMs: number } | { at: number | null };
    }
  | { readonly verb: "clear" };

export interface Problems {
  /** Of the levels, in a sentence; each row shows its own problem. */
  readonly levels?: string;
  readonly ends?: string;
  /** Of the end of the tier. */
  readonly until?: string;
  readonly reason?: string;
}

const longestReason = 500;

/** The end in Redis, if the draft changes an override that has one. */
export const keptEnd = ({ override }: CustomerNow): number | null => override?.expiresAt ?? null;

function endsIn(draft: Draft, base: CustomerNow, now: number): ReadEnds {
  return readEnds(draft.ends, now, keptEnd(base));
}

/** Problems that prevent a save. */
export function problemsIn(draft: Draft, base: CustomerNow, now: number): Problems {
  const own = readOwn(draft);
  const ends = endsIn(draft, base, now);
  const { own: fate } = changesIn(draft, base);
  const tierEnd = tierEndOf(draft, base, now);
  return {
    ...(own && !own.levels && { levels: own.problem ?? "A level is not valid" }),
    ...(!tierEnd.ok && { until: tierEnd.problem }),
    ...(fate === "set" && !ends.ok && { ends: ends.problem }),
    ...reasonProblem(draft.reason),
  };
}

function reasonProblem(reason: string): Pick<Problems, "reason"> {
  const { length } = reason.trim();
  if (length === 0) return { reason: "Enter a reason. It is shown in the audit log" };
  return length > longestReason ? { reason: `At most ${longestReason} characters, this has ${length}` } : {};
}

/** The tier first: it counts as soon as the own levels end. */
export function stepsOf(draft: Draft, base: CustomerNow, now: number): readonly SaveStep[] {
  const { isTierChanged, own } = changesIn(draft, base);
  const steps: SaveStep[] = [];
  const tierEnd = tierEndOf(draft, base, now);
  if (isTierChanged && tierEnd.ok)
    steps.push({ verb: "tier", tier: draft.tier === "" ? null : draft.tier, untilMs: tierEnd.atMs });
  const levels = readOwn(draft)?.levels;
  const ends = endsIn(draft, base, now);
  if (own === "clear") steps.push({ verb: "clear" });
  else if (own === "set" && levels && ends.ok) steps.push({ verb: "override", levels, ends });
  return steps;
}

/** Label of the button: the object and the duration. */
export function sayApply(draft: Draft, base: CustomerNow, now: number): string {
  const { isTierChanged, own } = changesIn(draft, base);
  const { id } = base;
  if (own === "set") {
    const moment = momentOf(draft.ends, now, keptEnd(base));
    return `Apply to customer ${id} ${sayFor(draft.ends, typeof moment === "number" ? momentText(moment, now) : "…")}`;
  }
  const end = tierEndOf(draft, base, now);
  const until = end.ok && end.atMs !== undefined ? ` until ${momentText(end.atMs, now)}` : "";
  if (isTierChanged && own === null && draft.tier === base.tier?.name)
    return `Keep customer ${id} in ${sayTier(draft.tier)}${until || " permanently"}`;
  const tier = draft.tier === "" ? "out of any tier" : `to ${sayTier(draft.tier)}${until}`;
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
