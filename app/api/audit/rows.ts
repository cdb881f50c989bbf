import { type AuditRecord, aboutOf } from "../../../lib/audit/record.ts";
import { type Found, isDamaged } from "../../../lib/audit/stored.ts";
import { may, type Role, rolesThatMay } from "../../../lib/auth/roles.ts";
import type { AuditPage } from "../../../lib/queries/audit.ts";
import { undoable } from "../../../lib/undo/undoable.ts";
import { sayRecord } from "../../../lib/undo/words.ts";

type Row = AuditPage["rows"][number];

/** A record as the page shows it to somebody of that role. */
export function rowOf(found: Found, role: Role): Row {
  if (isDamaged(found)) return { id: found.id, n: found.n, look: "damaged", damage: found.damage };
  const { n, at, actor, address = null, via, reason, change, changes, undoes } = found;
  return {
    ...{ id: `${n}-0`, n, at, actor, address, via, reason, change },
    look: lookOf(found),
    tone: toneOf(found),
    about:
      aboutOf(found)
        .replace(/^refused:/, "")
        .split(".", 1)[0] ?? "",
    says: [...sayRecord(found)],
    targets: changes.length,
    undoes: undoes?.n ?? null,
    noUndo: whyNot(found, role),
  };
}

function whyNot(record: AuditRecord, role: Role): string | null {
  const ability = undoable(record);
  if (!ability.can) return ability.why;
  return may(role, ability.needs) ? null : `Undoing it is for ${rolesThatMay(ability.needs)}.`;
}

function toneOf({ action, changes }: AuditRecord) {
  if (!changes.some(({ after }) => after !== null)) return "plain";
  if (action.startsWith("blocklist.")) return "blocked";
  return action.startsWith("safelist.") ? "safelisted" : "plain";
}

function lookOf({ action, undoes }: AuditRecord) {
  if (action.startsWith("refused:")) return "refused";
  if (undoes) return "undo";
  return action === "sign-in" ? "sign-in" : "change";
}
