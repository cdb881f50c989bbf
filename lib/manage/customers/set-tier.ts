import { keptMs, writeTierEnd } from "../../enforce/customers/tier.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { checkReason, requireLater, requireType } from "../audit/checks.ts";
import type { SlotWrite } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import type { CustomerBasis } from "./basis.ts";
import { besideAt, type CustomerHoldings, changeCustomer, slotAt } from "./change-customer.ts";
import { ownTierOf } from "./read.ts";

export interface TierInput {
  readonly id: CustomerId;
  /** Null takes the customer out of any. */
  readonly tier: string | null;
  /** When the customer goes back to the tier that it has without any that ends, in ms of Redis' clock. */
  readonly untilMs?: number | undefined;
  readonly reason: string;
  readonly basedOn?: CustomerBasis | undefined;
}

export interface TierChanged {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly outcome: "set" | "removed" | "kept";
  readonly basis: CustomerBasis;
}

/** Puts a customer into a tier of the policy, with or without an end. */
export async function setTier(
  ctx: Signed,
  { id, tier, untilMs, reason, basedOn }: TierInput,
): Promise<TierChanged> {
  checkReason(reason);
  if (tier === null && untilMs !== undefined) throw noEnd("choose the tier that ends");
  if (tier !== null) await checkTier(ctx, tier);
  const { change, decision, basis } = await changeCustomer(ctx, {
    id,
    action: "customer.tier",
    reason,
    basedOn,
    beside: untilMs === undefined ? undefined : tierEndSlot(id, untilMs),
    decide(seen) {
      const { tier: held } = seen;
      requireType(keys.tier(id), held, "string", "a tier");
      if (tier !== null && untilMs !== undefined) return { writes: writesUntil(seen, tier, untilMs) };
      const isSame = tier === null ? held.kind === "none" : held.value === tier && held.expiresAt === null;
      return { writes: isSame ? [] : writesForGood(seen, tier) };
    },
  });
  if (decision.writes.length === 0) return { change, outcome: "kept", basis };
  return { change, outcome: tier === null ? "removed" : "set", basis };
}

/** Names the customer among those whose tiers end. */
export const tierEndSlot = (id: CustomerId, atMs: number) =>
  ({ key: keys.tierEnds(), field: `${id} ${atMs}`, target: id, isAside: true }) as const;

/** Nothing follows the tier. */
export function writesForGood({ tierEnd }: CustomerHoldings, tier: string | null): SlotWrite[] {
  return [
    { slot: slotAt.tier, to: tier === null ? null : { value: tier, expiresAt: null } },
    ...(tierEnd.kind === "none" ? [] : [{ slot: slotAt.tierEnd, to: null }]),
  ];
}

/** Without a tier to go back to, the key ends with the tier. */
function writesUntil(seen: CustomerHoldings, tier: string, untilMs: number): SlotWrite[] {
  requireLater(untilMs, seen.now);
  const own = ownTierOf({ ...seen, end: seen.tierEnd });
  const isLasting = own?.endsAt === Number.POSITIVE_INFINITY;
  const back = isLasting ? own.name : own?.back;
  if (back === tier) throw noEnd(`tier ${tier} is what the customer would go back to`);
  if (back === undefined)
    return writesForGood(seen, tier).map((write) =>
      write.to ? { ...write, to: { ...write.to, expiresAt: untilMs } } : write,
    );
  const expiresAt = untilMs + keptMs;
  return [
    { slot: slotAt.tier, to: { value: tier, expiresAt } },
    { slot: slotAt.tierEnd, to: { value: writeTierEnd({ tier, back, atMs: untilMs }), expiresAt } },
    { slot: besideAt, to: { value: "", expiresAt: null } },
  ];
}

function noEnd(problem: string): DomainError {
  return new DomainError("bad-input", `The tier was not changed: ${problem}.`, { until: problem });
}

async function checkTier({ redis }: Signed, tier: string): Promise<void> {
  const names = Object.keys((await readPolicy(redis)).policy.tiers);
  if (names.includes(tier)) return;
  const has = names.length > 0 ? `it has ${names.join(", ")}` : "it has none";
  const problem = `the policy has no tier "${tier.replace(/[^ -~]/g, "\ufffd").slice(0, 50)}": ${has}`;
  throw new DomainError("bad-input", `The tier was not changed: ${problem}.`, { tier: problem });
}
