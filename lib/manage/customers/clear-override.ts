import { DomainError } from "../../errors.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import type { Signed } from "../audit/record.ts";
import type { CustomerBasis } from "./basis.ts";
import { changeCustomer, slotAt } from "./change-customer.ts";

export interface ClearInput {
  readonly id: CustomerId;
  readonly reason: string;
  readonly basedOn?: CustomerBasis | undefined;
}

/** Removes a customer's own levels: its tier applies again. */
export async function clearOverride(
  ctx: Signed,
  { id, reason, basedOn }: ClearInput,
): Promise<{ readonly change: number | null; readonly basis: CustomerBasis }> {
  checkReason(reason);
  const { change, basis } = await changeCustomer(ctx, {
    id,
    action: "customer.override.clear",
    reason,
    basedOn,
    decide({ override, note }) {
      if (override.kind === "none") throw new DomainError("not-found", `${id} has no override to remove.`);
      const aside = note.kind === "none" ? [] : [{ slot: slotAt.note, to: null }];
      return { writes: [{ slot: slotAt.override, to: null }, ...aside] };
    },
  });
  return { change, basis };
}
