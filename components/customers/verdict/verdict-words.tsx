import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import { sayUsed } from "../level-words.ts";
import type { Verdict } from "./verdict.ts";

/** Verdict of the next request in two words. */
export function sayVerdict({ name }: Verdict): string {
  if (name === "throttled") return "Throttled";
  if (name === "shadow") return "Passes, would be throttled";
  return name === "pass" ? "Passes" : "Not counted";
}

/** `Throttled, 612 of 100 this hour`. */
export function NowBadge({ verdict }: { verdict: Verdict }) {
  const { name, by } = verdict;
  if (name === "none") return null;
  const used = by ? `, ${sayUsed(by)}` : "";
  return (
    <VerdictBadge verdict={name} isLarge>
      <span className="truncate">
        {sayVerdict(verdict)}
        {used}
      </span>
    </VerdictBadge>
  );
}
