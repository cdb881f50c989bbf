import type { CustomerChanged } from "../../../../../lib/queries/customer.ts";
import { sayLevel, sayTier } from "../../level-words.ts";
import { readHash } from "../_editor/hash-text.ts";

/** What a record of the audit log did: `tier Pro → Free`. Its texts may be anybody's. */
export function sayChange({ about, isUndo, before, after }: CustomerChanged): string {
  const undo = isUndo ? "undone: " : "";
  if (about === "customer.tier") return `${undo}tier ${tierOf(before)} → ${tierOf(after)}`;
  if (about === "customer.reset") return `${undo}counters reset`;
  if (about.startsWith("customer.override"))
    return `${undo}custom throttle ${levelsOf(before)} → ${levelsOf(after)}`;
  return `${undo}${about}`;
}

function tierOf(standing: CustomerChanged["before"]): string {
  return standing ? sayTier(standing.value ?? "something else") : "none";
}

function levelsOf(standing: CustomerChanged["before"]): string {
  if (!standing) return "none";
  const { levels } = readHash(standing.value ?? "");
  return levels ? levels.map(sayLevel).join(", ") : "something else";
}
