import { commit, type Write } from "../audit/commit.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import type { Slot } from "../audit/snapshot.ts";
import { inTheWay, nothingLeft } from "./since.ts";
import { type Fate, fateOf } from "./standing.ts";

interface Places {
  /** Where the record's changes were made, in their order. */
  readonly slots: readonly Slot[];
  /** Written together with them. */
  readonly aside?: { readonly slot: Slot; readonly value: string | null };
}

/** Puts what the record changed back to how it stood before: all of it, or nothing. */
export async function undoPlaces(
  ctx: Signed,
  record: AuditRecord,
  { slots, aside }: Places,
  reason: string,
): Promise<{ change: number | null }> {
  const { change, decision } = await commit(ctx, {
    ...{ action: record.action, reason, slots: aside ? [...slots, aside.slot] : slots },
    decide(seen) {
      const fates = record.changes.flatMap((change, i): Fate[] => {
        const found = seen.slots[i];
        return found ? [fateOf(change, found, seen.now)] : [];
      });
      if (fates.some(({ is }) => is === "in the way")) return { fates, writes: [] };
      const writes = fates.flatMap((fate, slot) => (fate.is === "to do" ? [{ slot, to: fate.to }] : []));
      return { fates, writes: [...writes, ...besides(writes, slots.length, aside)] };
    },
  });
  if (change !== null) return { change };
  const targets = record.changes.map(({ target }) => target);
  const stuck = targets.filter((_, i) => decision.fates[i]?.is === "in the way");
  if (stuck.length > 0) throw await inTheWay(ctx.redis, record, stuck);
  throw await nothingLeft(ctx.redis, record, targets);
}

/** What stands aside lives and ends with what it is about. */
function besides([first]: readonly Write[], slot: number, aside: Places["aside"]): Write[] {
  if (!first || !aside) return [];
  const { value } = aside;
  return [{ slot, to: first.to && value !== null ? { value, expiresAt: first.to.expiresAt } : null }];
}
