import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { readTier, readTierEnd } from "../../enforce/customers/tier.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { readHistory } from "../audit/history.ts";
import type { AuditRecord, RecordedChange, Signed, StoredValue } from "../audit/record.ts";
import { isDamaged } from "../audit/stored.ts";
import { sayMoment } from "../audit/time-words.ts";
import { writeNote } from "../customers/note.ts";
import { slotsOf, suspensionSlot } from "../customers/read.ts";
import { fieldsOf, putBack } from "./put-back.ts";

/** Puts a customer back into the tier it was in. */
export async function undoTier(ctx: Signed, record: AuditRecord, reason: string) {
  const { change, id } = onlyCustomer(record);
  const tier = change.before?.value;
  if (typeof tier === "string") await checkTier(ctx, id, tier);
  const [slot, , , endSlot] = slotsOf(id);
  const slots = record.changes.length > 1 ? [slot, endSlot] : [slot];
  await requireNotEnded(ctx, id, record.changes[1]?.before);
  return putBack(ctx, record, { slots }, reason);
}

/** Gives a customer back the levels of its own that it had, or takes away those it was given. */
export async function undoOverride(ctx: Signed, record: AuditRecord, reason: string) {
  const { change, id } = onlyCustomer(record);
  const { before } = change;
  if (before && typeof fieldsOf(before.value ?? "") !== "object")
    throw new DomainError("bad-input", `The earlier levels of customer ${id} were too long to be kept.`);
  const [, slot, noteSlot] = slotsOf(id);
  const value = before && (await noteOf(ctx, record, before));
  return putBack(ctx, record, { slots: [slot], aside: { slot: noteSlot, value } }, reason);
}

/** Suspends a customer again as it was, or ends its suspension. */
export async function undoSuspension(ctx: Signed, record: AuditRecord, reason: string) {
  return putBack(ctx, record, { slots: [suspensionSlot(onlyCustomer(record).id)] }, reason);
}

/** Verbs change one customer at a time. */
function onlyCustomer({ n, changes }: AuditRecord) {
  const change = at(changes, 0);
  const id = parseCustomerId(change.target);
  if (id.ok) return { change, id: id.value };
  throw new DomainError("bad-input", `Record ${n} names no customer.`);
}

/** A tier that had an end comes back with it. */
async function requireNotEnded({ redis }: Signed, id: string, before: StoredValue | null | undefined) {
  const end = readTierEnd(before?.value ?? "");
  if (!end || end.atMs > (await redisNow(redis))) return;
  const at = sayMoment(new Date(end.atMs).toISOString());
  throw new DomainError("bad-input", `Customer ${id} cannot go back: tier ${end.tier} ended at ${at}.`);
}

async function checkTier({ redis }: Signed, id: string, text: string): Promise<void> {
  const { tiers } = (await readPolicy(redis)).policy;
  const name = readTier(text);
  if (name !== undefined && Object.hasOwn(tiers, name)) return;
  const message = `Customer ${id} cannot go back: the policy has no tier "${name ?? "of that name"}" any more.`;
  throw new DomainError("bad-input", message);
}

/** The note of the levels that come back: it was deleted with them, but the log has it. Null if no console wrote them. */
async function noteOf({ redis }: Signed, record: AuditRecord, before: StoredValue): Promise<string | null> {
  const filter = { action: "customer.override", target: at(record.changes, 0).target };
  const { records } = await readHistory(redis, { before: record.n, limit: 100, filter });
  for (const found of records) {
    if (isDamaged(found) || found.action !== "customer.override" || !leaves(found.changes[0], before))
      continue;
    return writeNote(found.reason, { name: found.actor, via: found.via }, Date.parse(found.at));
  }
  return null;
}

function leaves(change: RecordedChange | undefined, standing: StoredValue): boolean {
  return isDeepStrictEqual(fieldsOf(change?.after?.value ?? ""), fieldsOf(standing.value ?? ""));
}
