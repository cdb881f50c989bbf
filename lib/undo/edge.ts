import type { AuditRecord, Signed } from "../audit/record.ts";
import { readSwitch, switchEdge, switchSlot } from "../edge/switch.ts";
import { nothingLeft } from "./since.ts";

/** Switches limiting at the edge back. */
export async function undoSwitch(
  ctx: Signed,
  record: AuditRecord,
  reason: string,
): Promise<{ change: null }> {
  const { isOn } = readSwitch(record.changes[0]?.before?.value);
  const { hasChanged } = await switchEdge(ctx, { isOn, reason });
  if (!hasChanged) throw await nothingLeft(ctx.redis, record, [switchSlot.target]);
  return { change: null };
}
