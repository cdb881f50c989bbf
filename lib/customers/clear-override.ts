import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import type { CustomerId } from "../redis/keys.ts";
import type { Basis } from "./basis.ts";
import { changeCustomer, slotAt } from "./change.ts";

export interface ClearInput {
  readonly id: CustomerId;
  readonly reason: string;
  readonly basedOn?: Basis | undefined;
}

/** Takes a customer's own levels away: its tier counts again. */
export async function clearOverride(
  ctx: Signed,
  { id, reason, basedOn }: ClearInput,
): Promise<{ readonly change: number | null; readonly basis: Basis }> {
  checkReason(reason);
  const { change, basis } = await changeCustomer(ctx, {
    id,
    action: "customer.override.clear",
    reason,
    basedOn,
    decide({ slots: [, held, note] }) {
      if (!held || held.kind === "none")
        throw new DomainError("not-found", `${id} has no levels of its own to take away.`);
      const aside = note?.kind === "none" ? [] : [{ slot: slotAt.note, to: null }];
      return { writes: [{ slot: slotAt.override, to: null }, ...aside] };
    },
  });
  return { change, basis };
}
