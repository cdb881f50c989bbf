import { commit } from "./commit.ts";
import type { Signed } from "./record.ts";

/** Puts on record that somebody tried what they may not do. Nothing else is written. */
export async function recordRefusal(
  ctx: Signed,
  { action, reason }: { readonly action: string; readonly reason: string },
): Promise<void> {
  await commit(ctx, {
    action: `refused:${action}`,
    reason,
    slots: [],
    decide: () => ({ writes: [], isOnRecord: true }),
  });
}
