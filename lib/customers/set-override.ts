import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { type Level, requireLevels } from "../policy/levels.ts";
import type { CustomerId } from "../redis/keys.ts";
import { refuseOtherKind } from "./kind.ts";
import { writeNote } from "./note.ts";
import { writeOverride } from "./override.ts";
import { slotsOf } from "./read.ts";

export interface OverrideInput {
  readonly id: CustomerId;
  readonly levels: readonly Level[];
  /** Null, or left out, never ends. */
  readonly expiresInMs?: number | null;
  readonly reason: string;
}

const shortestMs = 1_000;
const longestMs = 3_653 * 86_400_000;

/** Gives a customer levels of its own, instead of its tier's, all at once: what it had before is replaced. */
export async function setOverride(
  ctx: Signed,
  { id, levels, expiresInMs = null, reason }: OverrideInput,
): Promise<{ readonly change: number | null; readonly expiresAt: number | null }> {
  checkReason(reason);
  const value = writeOverride(requireLevels(levels));
  checkLife(expiresInMs);
  const [, override, note] = slotsOf(id);
  const { change, decision } = await commit(ctx, {
    action: "customer.override",
    reason,
    slots: [override, note],
    decide({ now, slots: [held] }) {
      refuseOtherKind(override.key, held, "hash", "a customer's levels");
      const expiresAt = expiresInMs === null ? null : now + expiresInMs;
      const about = writeNote(reason, ctx.actor, now);
      return {
        expiresAt,
        writes: [
          { slot: 0, to: { value, expiresAt } },
          { slot: 1, to: { value: about, expiresAt } },
        ],
      };
    },
  });
  return { change, expiresAt: decision.expiresAt };
}

function checkLife(expiresInMs: number | null): void {
  if (
    expiresInMs === null ||
    (Number.isInteger(expiresInMs) && expiresInMs >= shortestMs && expiresInMs <= longestMs)
  )
    return;
  const problem = "write how long it lasts: a second at least, ten years at most, or for ever";
  throw new DomainError("bad-input", `The override was not saved: ${problem}.`, { expiresInMs: problem });
}
