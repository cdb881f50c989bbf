import type { BulkResult, Skipped } from "../../../lib/lists/bulk.ts";
import type { Result } from "../../_server/action.ts";
import type { Failure } from "../../_server/failure.ts";

/** What came of a change that takes several calls. */
export interface Total {
  readonly done: number;
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
  /** The last change: nodes that have applied it have applied all. */
  readonly change: number | null;
  readonly changes: readonly number[];
  /** Why it stopped before the end. What was done until then stays. */
  readonly failure?: Failure;
}

const noAnswer: Failure = {
  code: "failed",
  message: "The console does not answer. Whether this was done is not known: look, then try again.",
  fields: {},
};

const nothing: Total = { done: 0, skipped: [], skippedCount: 0, change: null, changes: [] };

/** An action that may get no answer at all. */
export async function answered<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  return call().catch(() => ({ ok: false, error: noAnswer }));
}

/** What passes by itself: to ask again may help. */
export function isPassing(failure: Failure): boolean {
  return failure === noAnswer || failure.code === "redis-unavailable";
}

/** Asks until all of it is done, each time from where the call before has stopped. */
export async function inSteps(
  call: (after: string | undefined) => Promise<Result<BulkResult>>,
  tell: (done: number) => void = () => {},
): Promise<Total> {
  let total = nothing;
  for (let after: string | undefined; ; ) {
    const from = after;
    const result = await answered(() => call(from));
    if (!result.ok) return { ...total, failure: result.error };
    total = sum(total, result.value);
    tell(total.done);
    if (result.value.next === null) return total;
    after = result.value.next;
  }
}

/** One after the other; the first that stops before its end stops all. */
export async function inTurn<T>(parts: readonly T[], run: (part: T) => Promise<Total>): Promise<Total> {
  let total = nothing;
  for (const part of parts) {
    const { failure, ...done } = await run(part);
    total = sum(total, done);
    if (failure) return { ...total, failure };
  }
  return total;
}

function sum(total: Total, more: Omit<BulkResult, "next">): Total {
  return {
    done: total.done + more.done,
    skipped: [...total.skipped, ...more.skipped].slice(0, 100),
    skippedCount: total.skippedCount + more.skippedCount,
    change: more.change ?? total.change,
    changes: [...total.changes, ...more.changes],
  };
}
