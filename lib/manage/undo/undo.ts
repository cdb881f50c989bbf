import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { isBulk } from "../audit/parts.ts";
import { type AuditRecord, aboutOf, type Signed } from "../audit/record.ts";
import type { BulkProgress } from "../audit/run-bulk.ts";
import { applyRetention, retentionSlot } from "../denials/retention.ts";
import { readSwitch, switchEdge, switchSlot } from "../edge/switch.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { slotOfLimit } from "../policy/set-limit.ts";
import { may, type Permission, type Role, rolesThatMay } from "../users/roles.ts";
import type { UserContext } from "../users/user-lockout.ts";
import { nothingLeft } from "./changed-since.ts";
import { putBack } from "./put-back.ts";
import { chosenOf, readSealed } from "./record-to-undo.ts";
import { undoBulk } from "./undo-bulk.ts";
import { undoOverride, undoSuspension, undoTier } from "./undo-customers.ts";
import { undoEntries } from "./undo-entries.ts";
import { undoFeed } from "./undo-feed.ts";
import { undoAttack, undoMode, undoPolicy } from "./undo-policy.ts";
import { undoRole } from "./undo-roles.ts";
import { undoSharedOverride } from "./undo-shared-override.ts";
import { type UndoAbility, type UndoKind, undoable } from "./undoable.ts";

export interface UndoContext extends ListContext, UserContext {
  /** The actor's role, which decides what may be undone. */
  readonly role: Role;
}

export interface UndoInput {
  /** The record's number. */
  readonly n: number;
  readonly reason?: string;
  /** The entries to undo, of a record of list entries. All of them unless given. */
  readonly addresses?: readonly string[] | undefined;
  /** For a record with very many entries: the call stops after this time, and the same call continues it. */
  readonly patienceMs?: number;
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

export interface UndoResult {
  /** The last change number: nodes that have applied it have applied all. */
  readonly change: number | null;
  /** The record of the undo; null where the verb does not return it. */
  readonly record: number | null;
  /** Entries undone by now, and how many were asked for. */
  readonly done: number;
  readonly wanted: number;
  /** How many entries stay as they are, because they were changed since or may not return. */
  readonly left: number;
  /** The first of them, with the reason. */
  readonly firstLeft: readonly string[];
  /** False when there is more to undo than fits into one call: the same call continues it. */
  readonly isWhole: boolean;
}

type UndoVerb = (
  ctx: ListContext & UserContext,
  record: AuditRecord,
  reason: string,
) => Promise<{ change: number | null }>;

const undoVerbs: Readonly<Record<UndoKind, UndoVerb>> = {
  blocklist: (ctx, record, reason) => undoEntries(ctx, record, { list: "blocklist", reason }),
  safelist: (ctx, record, reason) => undoEntries(ctx, record, { list: "safelist", reason }),
  "never-block": undoRanges,
  tier: undoTier,
  override: undoOverride,
  suspension: undoSuspension,
  "shared-override": undoSharedOverride,
  policy: undoPolicy,
  mode: undoMode,
  attack: undoAttack,
  limit: undoLimit,
  edge: undoSwitch,
  feed: undoFeed,
  retention: undoRetention,
  role: undoRole,
};

/**
 * Puts back the values from before a record, with what is left of their lives: all of them, or none when any was changed since.
 * Of a record with more entries than one step can change, those that were changed since stay. An undo is recorded, and can be
 * undone.
 */
export async function undo({ role, ...ctx }: UndoContext, input: UndoInput): Promise<UndoResult> {
  const { n, reason = "", addresses } = input;
  checkReason(reason);
  const whole = await readSealed(ctx, n);
  // Before its parts are read: a record of very many entries takes seconds.
  if (isBulk(whole)) requireAbility(whole, role, "lists");
  const record = addresses ? await chosenOf(ctx, whole, addresses) : whole;
  const { kind } = requireAbility(record, role);
  const isPart = addresses !== undefined && addresses.length < entriesOf(whole);
  const undoes = { n, action: aboutOf(record), ...(isPart && { entries: addresses.length }) };
  if (isBulk(record)) return undoBulk({ ...ctx, undoes }, record, input);
  const made = await undoVerbs[kind]({ ...ctx, undoes }, record, reason);
  const count = record.changes.length;
  return { ...made, record: null, done: count, wanted: count, left: 0, firstLeft: [], isWhole: true };
}

/** How many entries a record changed. */
function entriesOf({ changes, bulk }: AuditRecord): number {
  return bulk?.state?.done ?? changes.length;
}

/** @param least of a record that chosen entries come from: other entries of it may need more than these do */
function requireAbility(record: AuditRecord, role: Role, least?: Permission): UndoAbility {
  const ability = undoable(record);
  if (!ability.can) throw new DomainError("bad-input", `Record ${record.n} cannot be undone. ${ability.why}`);
  const needs = least ?? ability.needs;
  if (!may(role, needs)) throw notAllowed(role, rolesThatMay(needs));
  return ability;
}

function notAllowed(role: Role, allowed: string): DomainError {
  return new DomainError("not-allowed", `Your role, ${role}, may not undo this. Only ${allowed} can.`);
}

/** Switches limiting at the edge back. */
async function undoSwitch(ctx: Signed, record: AuditRecord, reason: string): Promise<{ change: null }> {
  const { isOn } = readSwitch(at(record.changes, 0).before?.value);
  const { hasChanged } = await switchEdge(ctx, { isOn, reason });
  if (!hasChanged) throw await nothingLeft(ctx.redis, record, [switchSlot.target]);
  return { change: null };
}

/** Protects a range again, or no longer. */
async function undoRanges(ctx: Signed, record: AuditRecord, reason: string) {
  const slots = record.changes.map(({ target }) => ({ key: keys.neverBlock(), field: target, target }));
  return putBack(ctx, record, { slots }, reason);
}

/** Keeps the denial log as long as before, also hours that it has. */
async function undoRetention(ctx: Signed, record: AuditRecord, reason: string) {
  const made = await putBack(ctx, record, { slots: [retentionSlot] }, reason);
  await applyRetention(ctx.redis);
  return made;
}

/** Publishes for a limit of code what was published before. */
async function undoLimit(ctx: Signed, record: AuditRecord, reason: string) {
  return putBack(ctx, record, { slots: record.changes.map(({ target }) => slotOfLimit(target)) }, reason);
}
