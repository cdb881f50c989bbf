import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { keptMs, parseShared, slotOfShared } from "../overrides/shared-override.ts";
import { putBack } from "./put-back.ts";

/** Puts the override of a group or pattern back as it was, with the customers of the group. */
export async function undoSharedOverride(ctx: Signed, record: AuditRecord, reason: string) {
  const { redis } = ctx;
  const { target: name, before, after } = at(record.changes, 0);
  const [was, is] = [before, after].map((side) => parseShared(name, side?.value ?? "")?.members?.digest);
  if (was !== undefined && was !== is) {
    const key = keys.groupMembers(name, was);
    await redis.persist(key);
    if ((await redis.exists(key)) === 0)
      throw new DomainError("bad-input", `The customers that group ${name} had before are no longer kept.`);
  }
  try {
    return await putBack(ctx, record, { slots: [slotOfShared(name)] }, reason);
  } finally {
    const inForce = parseShared(name, (await redis.hget(keys.sharedOverrides(), name)) ?? "")?.members;
    for (const digest of new Set([was, is]))
      if (digest !== undefined && digest !== inForce?.digest)
        await redis.pexpire(keys.groupMembers(name, digest), keptMs);
  }
}
