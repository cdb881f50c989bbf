"use server";

import { z } from "zod";
import { DomainError, PartlyDone } from "../../errors.ts";
import { tallyRefusal } from "../../manage/audit/denied-attempts.ts";
import { recordOfChange } from "../../manage/undo/record-to-undo.ts";
import { type UndoInput, type UndoResult, undo } from "../../manage/undo/undo.ts";
import { type ActionContext, action } from "../action.ts";
import { inFairTurn } from "../fair-turns.ts";

const number = z.number().int().min(1);

/** Either a record of the log, or changes by the numbers that verbs returned: those of one import, for instance. */
const input = z
  .object({
    n: number.optional(),
    changes: z.array(number).min(1).max(100).optional(),
    reason: z.string().trim().max(2_000).optional(),
    /** Of a record of list entries, those to undo. */
    addresses: z.array(z.string().max(1_000)).min(1).max(1_000).optional(),
  })
  .refine(({ n, changes }) => (n === undefined) !== (changes === undefined), {
    message: "give either a record or changes",
  })
  .refine(({ n, addresses }) => n !== undefined || addresses === undefined, {
    message: "addresses are those of a record",
  });

/** After so much work a call answers: the same call continues it. */
const patienceMs = 4_000;

/**
 * A record may need more than the permission to undo, which `undo` itself checks. A record of very many entries takes several
 * calls: until `isWhole`, ask again.
 */
export const undoChange = action({
  name: "undo",
  needs: "undo",
  input,
  run: (ctx, { n, changes = [], reason = "", addresses }): Promise<Undone> =>
    inFairTurn("undo", ctx.who.email, () =>
      n === undefined
        ? undoChanges(ctx, changes, reason)
        : undoOne(ctx, { n, reason, addresses, patienceMs }),
    ),
});

/** The last first, as they lie on each other. */
async function undoChanges(ctx: ActionContext, changes: readonly number[], reason: string): Promise<Undone> {
  let change: number | null = null;
  for (const [done, number] of changes.toSorted((a, b) => b - a).entries()) {
    const undone = recordOfChange(ctx, number).then((record) => undoOne(ctx, { n: record, reason }));
    change = (await undone.catch(tellProgress(done, changes.length))).change;
  }
  const count = changes.length;
  return { change, done: count, wanted: count, left: 0, firstLeft: [], isWhole: true };
}

type Undone = Omit<UndoResult, "record">;

async function undoOne(ctx: ActionContext, wanted: UndoInput): Promise<Undone> {
  const { n } = wanted;
  try {
    return await undo({ ...ctx, role: ctx.who.role }, wanted);
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
    throw new PartlyDone(error.code, `${done} of ${all} changes were undone, then: ${error.message}`);
  };
}
