import { commit, type Decision } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import type { Slot, Snapshot } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import type { CustomerId } from "../redis/keys.ts";
import { afterWriting, type Basis, basisOf } from "./basis.ts";
import { changesOf } from "./history.ts";
import { slotsOf } from "./read.ts";

/** Where `slotsOf` has what. */
export const slotAt = { tier: 0, override: 1, note: 2 } as const;

export interface CustomerIntent<D extends Decision> {
  readonly id: CustomerId;
  readonly action: string;
  readonly reason: string;
  /** What the change was made from; left out, it is made from whatever stands there. */
  readonly basedOn?: Basis | undefined;
  decide(seen: Snapshot): D;
}

export interface CustomerChanged<D> {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly decision: D;
  /** For the next change of the same editor. */
  readonly basis: Basis;
}

/** Changes a customer with its audit record, unless somebody else changed it since the editor looked. */
export async function changeCustomer<D extends Decision>(
  ctx: Signed,
  { id, action, reason, basedOn, decide }: CustomerIntent<D>,
): Promise<CustomerChanged<D>> {
  const slots = slotsOf(id);
  const { change, decision } = await commit(ctx, {
    action,
    reason,
    slots,
    decide(seen) {
      if (basedOn && basisOf(seen.slots, 0).digest !== basedOn.digest) return { writes: [] };
      const decided = decide(seen);
      return { writes: decided.writes, done: { decision: decided, basis: basisAfter(seen, slots, decided) } };
    },
  });
  if (!decision.done) throw await overtaken(ctx, id, basedOn);
  return { change, ...decision.done };
}

function basisAfter(seen: Snapshot, slots: readonly Slot[], { writes }: Decision): Basis {
  const held = afterWriting(seen.slots, writes, (slot) => slots[slot]?.isHash === true);
  return basisOf(held, seen.lastId + (writes.length > 0 ? 1 : 0));
}

async function overtaken(
  { redis }: Signed,
  id: CustomerId,
  basedOn: Basis | undefined,
): Promise<DomainError> {
  const [last] = await changesOf(redis, id, { after: basedOn?.record ?? 0 });
  const what = last
    ? `${last.actor} changed customer ${id} at ${sayMoment(last.at)}, after you opened it.`
    : `Customer ${id} was changed outside of Sluice, or something of it ended, after you opened it.`;
  return new DomainError("changed-meanwhile", `${what} Nothing was saved.`);
}

/** `2026-03-28 14:32:07 UTC` */
function sayMoment(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
