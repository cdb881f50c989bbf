import { undoChange } from "@/lib/console/actions/audit.ts";
import type { Failure } from "@/lib/console/failure.ts";
import { answered } from "./in-steps.ts";

/** A record of the audit log, or changes by their numbers. */
export type UndoWanted =
  | {
      readonly n: number;
      readonly reason?: string;
      /** Entries of the record to undo. Default: all. */
      readonly addresses?: readonly string[] | undefined;
    }
  | { readonly changes: readonly number[]; readonly reason: string };

export interface UndoProgress {
  readonly done: number;
  readonly wanted: number;
}

export type UndoTotal =
  | {
      readonly ok: true;
      readonly change: number | null;
      readonly done: number;
      readonly left: number;
      readonly firstLeft: readonly string[];
    }
  | {
      readonly ok: false;
      readonly error: Failure;
      /** Undone by the calls before. */
      readonly done: number;
    };

const mostLeftShown = 5;

/** Undoes in as many calls as needed. */
export async function undoInSteps(
  wanted: UndoWanted,
  tell: (progress: UndoProgress) => void = () => {},
): Promise<UndoTotal> {
  let undone = 0;
  let left = 0;
  let firstLeft: readonly string[] = [];
  for (;;) {
    const result = await answered(() => undoChange(inputOf(wanted)));
    if (!result.ok) return { ...result, done: undone };
    const { change, done, wanted: all, isWhole } = result.value;
    undone = done;
    left += result.value.left;
    firstLeft = [...firstLeft, ...result.value.firstLeft].slice(0, mostLeftShown);
    tell({ done, wanted: all });
    if (isWhole) return { ok: true, change, done, left, firstLeft };
  }
}

function inputOf(wanted: UndoWanted): Parameters<typeof undoChange>[0] {
  if ("changes" in wanted) return { changes: [...wanted.changes], reason: wanted.reason };
  const { n, reason, addresses } = wanted;
  return { n, ...(reason !== undefined && { reason }), ...(addresses && { addresses: [...addresses] }) };
}
