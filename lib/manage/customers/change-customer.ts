import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { Holding, Slot, Snapshot } from "../../redis/snapshot.ts";
import { type ChangeDecision, commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { afterWriting, basisOf, type CustomerBasis } from "./basis.ts";
import { changesOf } from "./customer-changes.ts";
import { slotsOf } from "./read.ts";

/** The places of `slotsOf`. */
export const slotAt = { tier: 0, override: 1, note: 2, tierEnd: 3 } as const;
/** The place of the slot that an intent adds. */
export const besideAt = 4;

/** What Redis holds of a customer, at one moment. */
export interface CustomerHoldings extends Readonly<Record<keyof typeof slotAt, Holding>> {
  readonly now: number;
}

export interface CustomerIntent<D extends ChangeDecision> {
  readonly id: CustomerId;
  readonly action: string;
  readonly reason: string;
  /** What the editor saw. Undefined: the change is made whatever Redis holds. */
  readonly basedOn?: CustomerBasis | undefined;
  /** Written together with the customer's own. */
  readonly beside?: Slot | undefined;
  decide(seen: CustomerHoldings): D;
}

export interface CustomerChangeResult<D> {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly decision: D;
  /** For the next change of the same editor. */
  readonly basis: CustomerBasis;
}

/** Changes a customer with its audit record, unless the customer has changed since the editor read it. */
export async function changeCustomer<D extends ChangeDecision>(
  ctx: Signed,
  { id, action, reason, basedOn, beside, decide }: CustomerIntent<D>,
): Promise<CustomerChangeResult<D>> {
  const own = slotsOf(id);
  const { change, decision } = await commit(ctx, {
    action,
    reason,
    slots: beside ? [...own, beside] : own,
    decide(seen) {
      if (basedOn && basisOf(seen.slots.slice(0, own.length), 0).digest !== basedOn.digest)
        return { writes: [] };
      const [tier, override] = [at(seen.slots, slotAt.tier), at(seen.slots, slotAt.override)];
      const [note, tierEnd] = [at(seen.slots, slotAt.note), at(seen.slots, slotAt.tierEnd)];
      const decided = decide({ now: seen.now, tier, override, note, tierEnd });
      return { writes: decided.writes, done: { decision: decided, basis: basisAfter(seen, own, decided) } };
    },
  });
  if (!decision.done) throw await overtaken(ctx, id, basedOn);
  return { change, ...decision.done };
}

function basisAfter(seen: Snapshot, slots: readonly Slot[], { writes }: ChangeDecision): CustomerBasis {
  const held = afterWriting(
    seen.slots.slice(0, slots.length),
    writes,
    (slot) => at(slots, slot).isHash === true,
  );
  return basisOf(held, seen.lastId + (writes.length > 0 ? 1 : 0));
}

async function overtaken(
  { redis }: Signed,
  id: CustomerId,
  basedOn: CustomerBasis | undefined,
): Promise<DomainError> {
  const [last] = await changesOf(redis, id, { after: basedOn?.record ?? 0 });
  const what = last
    ? `${last.actor} changed customer ${id} at ${sayMoment(last.at)}, after you opened it.`
    : `Customer ${id} was changed outside of Sluice, or its override expired, after you opened it.`;
  return new DomainError("changed-since", `${what} Nothing was saved.`);
}

/** `2026-03-28 14:32:07 UTC` */
function sayMoment(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
