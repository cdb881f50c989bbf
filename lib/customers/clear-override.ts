import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import type { CustomerId } from "../redis/keys.ts";
import { slotsOf } from "./read.ts";

/** Takes a customer's own levels away: its tier counts again. */
export async function clearOverride(
  ctx: Signed,
  { id, reason }: { readonly id: CustomerId; readonly reason: string },
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const [, override, note] = slotsOf(id);
  const { change } = await commit(ctx, {
    action: "customer.override.clear",
    reason,
    slots: [override, note],
    decide({ slots: [held, about] }) {
      if (!held || held.kind === "none")
        throw new DomainError("not-found", `${id} has no levels of its own to take away.`);
      const aside = about?.kind === "none" ? [] : [{ slot: 1, to: null }];
      return { writes: [{ slot: 0, to: null }, ...aside] };
    },
  });
  return { change };
}
