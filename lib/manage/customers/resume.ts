import { DomainError } from "../../errors.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { suspensionSlot } from "./read.ts";

/** Ends a customer's suspension, also one that another program wrote. */
export async function resumeCustomer(
  ctx: Signed,
  { id, reason }: { readonly id: CustomerId; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const { change } = await commit(ctx, {
    action: "customer.resume",
    reason,
    slots: [suspensionSlot(id)],
    decide({ slots: [held] }) {
      if (!held || held.kind === "none") throw new DomainError("not-found", `${id} is not suspended.`);
      return { writes: [{ slot: 0, to: null }] };
    },
  });
  return { change };
}
