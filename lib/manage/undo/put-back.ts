import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import type { Holding, Slot } from "../../redis/snapshot.ts";
import { commit, type SlotWrite } from "../audit/commit.ts";
import type { AuditRecord, RecordedChange, Signed, StoredValue } from "../audit/record.ts";
import { isSameMoment } from "../lists/life.ts";
import { inTheWay, nothingLeft } from "./changed-since.ts";

/** The latest moment that a record can hold. */
const latest = 8.64e15;

type PutBackDecision =
  /** The place no longer holds what the record left. */
  | { readonly is: "in the way" }
  /** The place is as it was before the record. */
  | { readonly is: "as before" }
  | { readonly is: "to do"; readonly to: SlotWrite["to"] };

/** Decides one place of a record that is undone. A value that has expired counts as absent. */
export function putBackDecision(
  { before, after }: RecordedChange,
  found: Holding,
  now: number,
): PutBackDecision {
  const [was, left] = [alive(before, now), alive(after, now)];
  if (isSame(found, was)) return { is: "as before" };
  if (!isSame(found, left)) return { is: "in the way" };
  return { is: "to do", to: was && { value: was.value ?? "", expiresAt: endOf(was) } };
}

function alive(standing: StoredValue | null, now: number): StoredValue | null {
  const end = standing && endOf(standing);
  return end !== null && end <= now ? null : standing;
}

function endOf({ expiresAt }: StoredValue): number | null {
  return expiresAt === null ? null : Date.parse(expiresAt);
}

function isSame(found: Holding, standing: StoredValue | null): boolean {
  if (standing === null || found.kind === "none") return standing === null && found.kind === "none";
  return (
    isSameValue(found, standing) &&
    isSameMoment(found.expiresAt && Math.min(found.expiresAt, latest), endOf(standing))
  );
}

function isSameValue({ kind, value, digest }: Holding, standing: StoredValue): boolean {
  if (standing.value === null) return kind === standing.type;
  if (kind === "hash") return isDeepStrictEqual(fieldsOf(value), fieldsOf(standing.value));
  return kind === "string" && digest === createHash("sha1").update(standing.value).digest("hex");
}

/** The fields of a hash's text. Other text, or text that was cut, is returned as it is. */
export function fieldsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface UndoSlots {
  /** The places of the record's changes, in their order. */
  readonly slots: readonly Slot[];
  /** Written together with them. */
  readonly aside?: { readonly slot: Slot; readonly value: string | null };
}

/** Puts back everything that the record changed, or nothing. */
export async function putBack(
  ctx: Signed,
  record: AuditRecord,
  { slots, aside }: UndoSlots,
  reason: string,
): Promise<{ change: number | null }> {
  const {
    change,
    decision,
    record: written,
  } = await commit(ctx, {
    ...{ action: record.action, reason, slots: aside ? [...slots, aside.slot] : slots },
    decide(seen) {
      const decisions = record.changes.map((change, i) =>
        putBackDecision(change, at(seen.slots, i), seen.now),
      );
      if (decisions.some(({ is }) => is === "in the way")) return { decisions, writes: [] };
      const writes = decisions.flatMap((one, slot) => (one.is === "to do" ? [{ slot, to: one.to }] : []));
      return { decisions, writes: [...writes, ...besides(writes, slots.length, aside)] };
    },
  });
  if (written !== null) return { change };
  const targets = record.changes.map(({ target }) => target);
  const stuck = targets.filter((_, i) => at(decision.decisions, i).is === "in the way");
  if (stuck.length > 0) throw await inTheWay(ctx.redis, record, stuck);
  throw await nothingLeft(ctx.redis, record, targets);
}

/** The value beside is written and expires with the value it belongs to. */
function besides([first]: readonly SlotWrite[], slot: number, aside: UndoSlots["aside"]): SlotWrite[] {
  if (!first || !aside) return [];
  const { value } = aside;
  return [{ slot, to: first.to && value !== null ? { value, expiresAt: first.to.expiresAt } : null }];
}
