import { lifeProblem, writeNote } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { checkReason, requireType } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { suspensionSlot } from "./read.ts";

export interface SuspendInput {
  readonly id: CustomerId;
  /** Null never expires. */
  readonly expiresInMs: number | null;
  readonly reason: string;
}

export interface Suspended {
  /** The number that nodes acknowledge. */
  readonly change: number | null;
  /** In ms of Redis' clock; null for never. */
  readonly expiresAt: number | null;
}

/** Answers every request of a customer with 403. An earlier suspension gets the new reason and end. */
export async function suspendCustomer(
  ctx: Signed,
  { id, expiresInMs, reason }: SuspendInput,
): Promise<Suspended> {
  checkReason(reason);
  if (expiresInMs !== null && lifeProblem(expiresInMs) !== undefined) {
    const problem = "write how long it lasts: 1 s to 10 years, or never expires";
    throw new DomainError("bad-input", `The customer was not suspended: ${problem}.`, {
      expiresInMs: problem,
    });
  }
  const { change, decision } = await commit(ctx, {
    action: "customer.suspend",
    reason,
    slots: [suspensionSlot(id)],
    decide({ now, slots: [held] }) {
      if (held) requireType(keys.suspension(id), held, "string", "a suspension");
      const expiresAt = expiresInMs === null ? null : now + expiresInMs;
      const { name: by, via } = ctx.actor;
      const value = writeNote({ reason, by, at: new Date(now).toISOString(), via });
      return { expiresAt, writes: [{ slot: 0, to: { value, expiresAt } }] };
    },
  });
  return { change, expiresAt: decision.expiresAt };
}
