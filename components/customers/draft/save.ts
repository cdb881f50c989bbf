import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { changesIn } from "./changes.ts";
import { type Draft, readOwn } from "./draft.ts";
import { type ReadEnds, readEnds } from "./ends.ts";

/** Requests of a save, in their order. */
export type SaveStep =
  | { readonly verb: "tier"; readonly tier: string | null }
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
  readonly reason?: string;
}

const longestReason = 500;

/** The end in Redis, if the draft changes an override that has one. */
export const keptEnd = ({ override }: CustomerNow): number | null => override?.expiresAt ?? null;

export function endsIn(draft: Draft, base: CustomerNow, now: number): ReadEnds {
  return readEnds(draft.ends, now, keptEnd(base));
}

/** Problems that prevent a save. */
export function problemsIn(draft: Draft, base: CustomerNow, now: number): Problems {
  const own = readOwn(draft);
  const ends = endsIn(draft, base, now);
  const { own: fate } = changesIn(draft, base);
  return {
    ...(own && !own.levels && { levels: own.problem ?? "A level is not valid" }),
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
  if (isTierChanged) steps.push({ verb: "tier", tier: draft.tier === "" ? null : draft.tier });
  const levels = readOwn(draft)?.levels;
  const ends = endsIn(draft, base, now);
  if (own === "clear") steps.push({ verb: "clear" });
  else if (own === "set" && levels && ends.ok) steps.push({ verb: "override", levels, ends });
  return steps;
}
