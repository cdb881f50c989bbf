import type { CustomerChangeRow } from "@/lib/queries/customer.ts";
import { readHash } from "./draft/hash-text.ts";
import { sayLevel, sayTier } from "./level-words.ts";

/** What a record of the audit log did: `tier Pro → Free`. Its texts are untrusted. */
export function sayChange({ about, isUndo, before, after }: CustomerChangeRow): string {
  const undo = isUndo ? "undone: " : "";
  if (about === "customer.tier") return `${undo}tier ${tierOf(before)} → ${tierOf(after)}`;
  if (about === "customer.reset") return `${undo}counters reset`;
  if (about.startsWith("customer.override"))
    return `${undo}custom throttle ${levelsOf(before)} → ${levelsOf(after)}`;
  return `${undo}${about}`;
}

function tierOf(standing: CustomerChangeRow["before"]): string {
  return standing ? sayTier(standing.value ?? "something else") : "none";
}

function levelsOf(standing: CustomerChangeRow["before"]): string {
  if (!standing) return "none";
  const { levels } = readHash(standing.value ?? "");
  return levels ? levels.map(sayLevel).join(", ") : "something else";
}
