import { writeOverride } from "../../enforce/customers/stored-limits.ts";
import { type Level, requireLevels } from "../../enforce/policy/levels.ts";
import { DomainError } from "../../errors.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { checkReason, requireType } from "../audit/checks.ts";
import type { Signed } from "../audit/record.ts";
import type { CustomerBasis } from "./basis.ts";
import { changeCustomer, slotAt } from "./change-customer.ts";
import { writeNote } from "./note.ts";

export interface OverrideInput {
  readonly id: CustomerId;
  readonly levels: readonly Level[];
  /** Null or undefined never expires. */
  readonly expiresInMs?: number | null | undefined;
  /** Instead: the moment it ends, in ms of Redis' clock. */
  readonly expiresAt?: number | undefined;
  readonly reason: string;
  readonly basedOn?: CustomerBasis | undefined;
}

export interface OverrideSet {
  readonly change: number | null;
  readonly expiresAt: number | null;
  readonly basis: CustomerBasis;
}

const shortestMs = 1_000;
const longestMs = 3_653 * 86_400_000;

/** Gives a customer levels of its own, instead of its tier's, all at once: what it had before is replaced. */
export async function setOverride(ctx: Signed, input: OverrideInput): Promise<OverrideSet> {
  const { id, reason, basedOn } = input;
  checkReason(reason);
  const value = writeOverride(requireLevels(input.levels));
  checkLife(input.expiresInMs ?? null);
  const { change, decision, basis } = await changeCustomer(ctx, {
    id,
    action: "customer.override",
    reason,
    basedOn,
    decide({ now, override }) {
      requireType(keys.override(id), override, "hash", "a customer's levels");
      const expiresAt = endOf(input, now);
      const about = writeNote(reason, ctx.actor, now);
      return {
        expiresAt,
        writes: [
          { slot: slotAt.override, to: { value, expiresAt } },
          { slot: slotAt.note, to: { value: about, expiresAt } },
        ],
      };
    },
  });
  return { change, expiresAt: decision.expiresAt, basis };
}

function endOf({ expiresAt, expiresInMs = null }: OverrideInput, now: number): number | null {
  if (expiresAt === undefined) return expiresInMs === null ? null : now + expiresInMs;
  checkLife(expiresAt - now);
  return expiresAt;
}

function checkLife(leftMs: number | null): void {
  if (leftMs === null || (Number.isInteger(leftMs) && leftMs >= shortestMs && leftMs <= longestMs)) return;
  const problem = "write how long it lasts: 1 s to 10 years, or never expires";
  throw new DomainError("bad-input", `The override was not saved: ${problem}.`, { expiresInMs: problem });
}
