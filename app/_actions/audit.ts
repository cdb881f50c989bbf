"use server";

import { z } from "zod";
import { tallyRefusal } from "../../lib/audit/refusal.ts";
import { DomainError } from "../../lib/errors.ts";
import { recordOfChange } from "../../lib/undo/sealed.ts";
import { undo } from "../../lib/undo/undo.ts";
import { type ActionContext, action } from "../_server/action.ts";

const number = z.number().int().min(1);

/** Either a record of the log, or changes by the numbers that verbs returned: those of one import, for instance. */
const input = z
  .object({
    n: number.optional(),
    changes: z.array(number).min(1).max(100).optional(),
    reason: z.string().trim().max(2_000).optional(),
  })
  .refine(({ n, changes }) => (n === undefined) !== (changes === undefined), {
    message: "give either a record or changes",
  });

/** Who may undo what depends on the record, so `undo` itself asks for the role. */
export const undoChange = action({
  name: "undo",
  needs: "read",
  input,
  async run(ctx, { n, changes = [], reason = "" }) {
    if (n !== undefined) return undoOne(ctx, n, reason);
    let change: number | null = null;
    // The last first, as they lie on each other.
    for (const [done, number] of changes.toSorted((a, b) => b - a).entries()) {
      const undone = recordOfChange(ctx, number).then((record) => undoOne(ctx, record, reason));
      change = (await undone.catch(tellProgress(done, changes.length))).change;
    }
    return { change };
  },
});

async function undoOne(ctx: ActionContext, n: number, reason: string): Promise<{ change: number | null }> {
  try {
    return await undo({ ...ctx, role: ctx.who.role }, { n, reason });
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-allowed")
      await tallyRefusal(ctx, {
        action: "undo",
        reason: `record ${n}: role ${ctx.who.role} may not do this`,
      });
    throw error;
  }
}

function tellProgress(done: number, all: number) {
  return (error: unknown): never => {
    if (done === 0 || !(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `${done} of ${all} changes were undone, then: ${error.message}`);
  };
}
