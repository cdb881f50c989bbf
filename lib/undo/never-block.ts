import type { AuditRecord, Signed } from "../audit/record.ts";
import { keys } from "../redis/keys.ts";
import { undoPlaces } from "./places.ts";

/** Protects a range again, or no longer. */
export async function undoRanges(ctx: Signed, record: AuditRecord, reason: string) {
  const slots = record.changes.map(({ target }) => ({ key: keys.neverBlock(), field: target, target }));
  return undoPlaces(ctx, record, { slots }, reason);
}
