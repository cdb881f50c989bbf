import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { checkReason, requireType } from "../audit/checks.ts";
import type { Signed } from "../audit/record.ts";
import type { CustomerBasis } from "./basis.ts";
import { changeCustomer, slotAt } from "./change-customer.ts";

export interface TierInput {
  readonly id: CustomerId;
  /** Null takes the customer out of any. */
  readonly tier: string | null;
  readonly reason: string;
  readonly basedOn?: CustomerBasis | undefined;
}

export interface TierChanged {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly outcome: "set" | "removed" | "kept";
  readonly basis: CustomerBasis;
}

/** Puts a customer into a tier of the policy. */
export async function setTier(ctx: Signed, { id, tier, reason, basedOn }: TierInput): Promise<TierChanged> {
  checkReason(reason);
  if (tier !== null) await checkTier(ctx, tier);
  const { change, decision, basis } = await changeCustomer(ctx, {
    id,
    action: "customer.tier",
    reason,
    basedOn,
    decide({ tier: held }) {
      requireType(keys.tier(id), held, "string", "a tier");
      const isSame = tier === null ? held.kind === "none" : held.value === tier && held.expiresAt === null;
      if (isSame) return { writes: [] };
      return { writes: [{ slot: slotAt.tier, to: tier === null ? null : { value: tier, expiresAt: null } }] };
    },
  });
  if (decision.writes.length === 0) return { change, outcome: "kept", basis };
  return { change, outcome: tier === null ? "removed" : "set", basis };
}

async function checkTier({ redis }: Signed, tier: string): Promise<void> {
  const names = Object.keys((await readPolicy(redis)).policy.tiers);
  if (names.includes(tier)) return;
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `the policy has no tier "${tier.replace(/[^ -~]/g, "\ufffd").slice(0, 50)}": ${has}`;
  throw new DomainError("bad-input", `The tier was not changed: ${problem}.`, { tier: problem });
}
