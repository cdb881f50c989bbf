import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { readPolicy } from "../policy/versions.ts";
import type { CustomerId } from "../redis/keys.ts";
import { refuseOtherKind } from "./kind.ts";
import { slotsOf } from "./read.ts";

export interface TierChanged {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly outcome: "set" | "removed" | "kept";
}

/** Puts a customer into a tier of the policy; null takes it out of any. */
export async function setTier(
  ctx: Signed,
  { id, tier, reason }: { readonly id: CustomerId; readonly tier: string | null; readonly reason: string },
): Promise<TierChanged> {
  checkReason(reason);
  if (tier !== null) await checkTier(ctx, tier);
  const [slot] = slotsOf(id);
  const { change } = await commit(ctx, {
    action: "customer.tier",
    reason,
    slots: [slot],
    decide({ slots: [held] }) {
      refuseOtherKind(slot.key, held, "string", "a tier");
      const isSame = tier === null ? held?.kind === "none" : held?.value === tier && held.expiresAt === null;
      if (isSame) return { writes: [] };
      return { writes: [{ slot: 0, to: tier === null ? null : { value: tier, expiresAt: null } }] };
    },
  });
  if (change === null) return { change, outcome: "kept" };
  return { change, outcome: tier === null ? "removed" : "set" };
}

async function checkTier({ redis }: Signed, tier: string): Promise<void> {
  const names = Object.keys((await readPolicy(redis)).policy.tiers);
  if (names.includes(tier)) return;
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `the policy has no tier "${tier.replace(/[^ -~]/g, "\ufffd").slice(0, 50)}": ${has}`;
  throw new DomainError("bad-input", `The tier was not changed: ${problem}.`, { tier: problem });
}
