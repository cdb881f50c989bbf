import { checkReason } from "../audit/reason.ts";
import { type AuditRecord, aboutOf } from "../audit/record.ts";
import { may, type Role, rolesThatMay } from "../auth/roles.ts";
import { DomainError } from "../errors.ts";
import type { Context } from "../lists/context.ts";
import { undoOverride, undoTier } from "./customers.ts";
import { undoSwitch } from "./edge.ts";
import { undoEntries } from "./entries.ts";
import { undoRanges } from "./never-block.ts";
import { undoMode, undoPolicy } from "./policy.ts";
import { undoRole } from "./roles.ts";
import { readSealed } from "./sealed.ts";
import { type UndoKind, undoable } from "./undoable.ts";

export interface UndoContext extends Context {
  /** What the actor may do, and so may undo. */
  readonly role: Role;
}

export interface UndoInput {
  /** The record's number. */
  readonly n: number;
  readonly reason?: string;
}

type Undoing = (ctx: Context, record: AuditRecord, reason: string) => Promise<{ change: number | null }>;

const undoings: Readonly<Record<UndoKind, Undoing>> = {
  blocklist: (ctx, record, reason) => undoEntries(ctx, record, { list: "blocklist", reason }),
  safelist: (ctx, record, reason) => undoEntries(ctx, record, { list: "safelist", reason }),
  "never-block": undoRanges,
  tier: undoTier,
  override: undoOverride,
  policy: undoPolicy,
  mode: undoMode,
  edge: undoSwitch,
  role: undoRole,
};

/**
 * Puts back what stood before a record, with as much life as is left of it: all of it, or nothing when somebody has
 * changed any of it since. It is on record itself, and can be undone itself.
 */
export async function undo(
  { role, ...ctx }: UndoContext,
  { n, reason = "" }: UndoInput,
): Promise<{ change: number | null }> {
  checkReason(reason);
  const record = await readSealed(ctx, n);
  const ability = undoable(record);
  if (!ability.can) throw new DomainError("bad-input", `Record ${n} cannot be undone. ${ability.why}`);
  if (!may(role, ability.needs)) throw notAllowed(role, rolesThatMay(ability.needs));
  return undoings[ability.kind]({ ...ctx, undoes: { n, action: aboutOf(record) } }, record, reason);
}

function notAllowed(role: Role, allowed: string): DomainError {
  return new DomainError("not-allowed", `Your role, ${role}, may not undo this; ${allowed} may.`);
}
