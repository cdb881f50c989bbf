import { shareUsed } from "@/lib/enforce/algorithms/algorithms.ts";
import type { LevelsPreview, LevelUsage } from "@/lib/queries/customer.ts";

/** Verdict of the next request. */
export interface Verdict {
  /** "shadow": it passes, and would be throttled if the rule were enforced. "none": nothing counts this customer alone. */
  readonly name: "pass" | "throttled" | "shadow" | "none";
  /** The level that says so; of one that passes, the one that is used up most. */
  readonly by: LevelUsage | undefined;
}

export function verdictOf(usage: readonly LevelUsage[], mode: LevelsPreview["mode"]): Verdict {
  const over = usage.filter(({ isOver }) => isOver);
  const denying = mode === "enforce" ? over.find(({ isShadowed }) => !isShadowed) : undefined;
  if (denying) return { name: "throttled", by: denying };
  if (over[0] && mode !== "off") return { name: "shadow", by: over[0] };
  const tightest = usage.toSorted((a, b) => shareUsed(b.used, b.limit) - shareUsed(a.used, a.limit))[0];
  return { name: tightest ? "pass" : "none", by: tightest };
}

/** Verdict of the next request in two words. */
export function sayVerdict({ name }: Verdict): string {
  if (name === "throttled") return "Throttled";
  if (name === "shadow") return "Passes, would be throttled";
  return name === "pass" ? "Passes" : "Not counted";
}

/** What was counted in a period: where several rules count it, the highest. */
export function usedIn(usage: readonly LevelUsage[] | null, periodSeconds: number): LevelUsage | undefined {
  const found = usage?.filter((one) => one.isOwn && one.periodSeconds === periodSeconds) ?? [];
  return found.toSorted((a, b) => b.used - a.used)[0];
}
