import { at } from "../../at.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { keptMs, noShared, parseShared, requireName, slotOfShared } from "./shared-override.ts";

/** Removes the override of a group or pattern. The customers of a group are kept for some days, so that this can be undone. */
export async function removeSharedOverride(
  ctx: Signed,
  { name: text, reason }: { readonly name: string; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const name = requireName(text);
  const { change, decision } = await commit(ctx, {
    ...{ action: "override.remove", reason, slots: [slotOfShared(name)] },
    decide({ slots }) {
      const found = at(slots, 0);
      if (found.kind === "none") throw noShared(name);
      return { removed: parseShared(name, found.value), writes: [{ slot: 0, to: null }] };
    },
  });
  const { members } = decision.removed ?? {};
  if (change === null) return { change };
  if (members) await ctx.redis.pexpire(keys.groupMembers(name, members.digest), keptMs);
  await ctx.redis.hdel(keys.sharedOverrideUses(), name);
  return { change };
}
