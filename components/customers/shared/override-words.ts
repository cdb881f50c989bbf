import { counted, countText } from "@/components/ui/value-text.ts";
import type { OverridePreview, OverrideRow } from "@/lib/queries/overrides.ts";
import { sayLevel, sayTier } from "../customer-words.ts";

export const isPattern = (name: string): boolean => name.includes("*");

/** "20,000 / h", "limits of tier Pro" */
export function sayLimits({ levels, tier }: Pick<OverrideRow, "levels" | "tier">): string {
  return levels ? levels.map(sayLevel).join(", ") : `limits of tier ${sayTier(tier ?? "")}`;
}

/** "ids like this", "120 customers" */
export function sayMembers({ members }: Pick<OverrideRow, "members">): string {
  return members === null ? "matching ids" : counted(members, "customer");
}

/** Ids of a text that a person typed or pasted: one a line, or with commas, semicolons or spaces between. */
export function idsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ""))];
}

/** What limits would do, a sentence each. */
export function sayPreview(
  { customers, overruled, seen, overCount }: OverridePreview,
  name: string,
): string[] {
  if (customers === 0)
    return [isPattern(name) ? "No known customer matches." : "The group has no customers yet."];
  const has = isPattern(name)
    ? `${counted(customers, "known customer")} ${customers === 1 ? "matches" : "match"}.`
    : `${counted(customers, "customer")} in the group.`;
  const wins =
    overruled === 0
      ? "None of them has an override that wins over it."
      : `${countText(overruled)} of them ${overruled === 1 ? "has" : "have"} an override that wins over it.`;
  const active = `${countText(seen)} sent requests in the last hour, of which ${countText(overCount)} would have been denied.`;
  return [has, wins, active];
}
