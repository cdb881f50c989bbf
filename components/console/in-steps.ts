import type { Result } from "@/lib/console/action.ts";
import type { Failure } from "@/lib/console/failure.ts";
import type { BulkResult, SkippedEntry } from "@/lib/manage/lists/bulk.ts";
import { noAnswer } from "./failed-write.ts";

/** Result of a change that takes several calls. */
export interface Total {
  readonly done: number;
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
  /** The last change. Nodes that have applied it have applied all. */
  readonly change: number | null;
  /** Record of the whole change. */
  readonly record: number | null;
  /** Why it stopped before the end. What was done before stays. */
  readonly failure?: Failure;
}

const nothing: Total = { done: 0, skipped: [], skippedCount: 0, change: null, record: null };

/** Calls an action. A lost connection becomes a failure. */
export async function answered<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  return call().catch(() => ({ ok: false, error: noAnswer }));
}

/** Repeats the call until all is done, each time from where the previous call stopped. */
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
    const { stopped } = result.value;
    if (stopped) return { ...total, failure: { ...stopped, fields: {}, effect: "unknown" } };
    if (result.value.next === null) return total;
    after = result.value.next;
  }
}

/** Runs parts one after the other. The first that stops before its end stops all. */
export async function inTurn<T>(
  parts: readonly T[],
  run: (part: T, isLast: boolean) => Promise<Total>,
): Promise<Total> {
  let total = nothing;
  for (const [i, part] of parts.entries()) {
    const { failure, ...done } = await run(part, i === parts.length - 1);
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
    record: more.record ?? total.record,
  };
}
