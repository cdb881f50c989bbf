import { DomainError, type ErrorCode, PartlyDone } from "../../errors.ts";
import { bare, isLost } from "../../redis/error-kinds.ts";
import { BulkRecord, type BulkRequest } from "./bulk-record.ts";
import type { BulkState, Signed } from "./record.ts";

/** Progress of a request, earlier calls included. */
export interface BulkProgress {
  /** Entries written. */
  readonly done: number;
  readonly wanted: number;
  /** Number of the record; null before the first entry is written. */
  readonly record: number | null;
}

export interface StepDone {
  /** The number that nodes acknowledge; null when nothing was written. */
  readonly change: number | null;
  /** The record that the step is in; null when nothing was written. */
  readonly record: number | null;
  /** Entries written. */
  readonly done: number;
}

interface BulkWork<C extends Signed, Step> extends BulkRequest {
  /** The steps to do, given the progress of an unfinished record of the same request. */
  readonly steps: (found: BulkState | undefined) => Iterable<Step> | AsyncIterable<Step>;
  /** True for a request of one step at most, which gets an ordinary record. */
  readonly isOneStep: boolean;
  /** False when other calls of the same request follow. */
  readonly isLast?: boolean;
  /** False for a new request that equals an unfinished one. */
  readonly mayContinue?: boolean;
  /** Stops before a step, but the first, that would begin later than this. */
  readonly patienceMs?: number;
  /** Stops only after something was written: the next call has no other way to know where to go on. */
  readonly mustWrite?: boolean;
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
  run(ctx: C, step: Step): Promise<StepDone>;
}

export interface BulkRun extends BulkProgress {
  readonly change: number | null;
  /** Entries that earlier calls had written already. */
  readonly before: number;
  /** False when the time was up: the same request continues it. */
  readonly isWhole: boolean;
}

/** Does a request of many entries step by step, in one record, and continues the record that the same request left unfinished. */
export async function runBulk<C extends Signed, Step>(ctx: C, bulk: BulkWork<C, Step>): Promise<BulkRun> {
  const { isOneStep, isLast = true, mayContinue = true, mustWrite = false } = bulk;
  const { patienceMs = Number.POSITIVE_INFINITY } = bulk;
  const record = new BulkRecord(ctx, bulk);
  const isFound = mayContinue && (await record.find());
  const inside = isOneStep && !isFound ? ctx : { ...ctx, into: record };
  const before = record.found?.done ?? 0;
  const deadline = performance.now() + patienceMs;
  let run: BulkRun = {
    ...{ done: before, before, wanted: record.wanted, isWhole: true },
    ...{ record: record.bulk?.n ?? null, change: record.found?.change ?? null },
  };
  let isBegun = false;
  for await (const step of bulk.steps(record.found)) {
    // One step at least, or repeating the call would never finish.
    if (isBegun && performance.now() > deadline) return { ...run, isWhole: false };
    const { change, record: n, done } = await bulk.run(inside, step).catch(stoppedAfter(run, ctx));
    run = { ...run, change: change ?? run.change, record: n ?? run.record, done: run.done + done };
    isBegun ||= done > 0 || !mustWrite;
    bulk.onProgress?.(run);
  }
  if (isLast) await record.finish();
  return run;
}

/** A request that stopped after it had written something, which is in force. */
export class BulkStopped extends PartlyDone {
  readonly run: BulkRun;

  constructor(run: BulkRun, code: ErrorCode, message: string, cause: unknown) {
    super(code, message, {}, { cause });
    this.run = run;
  }
}

/** How much was written before the step that failed, why it stopped, and how to continue. */
function stoppedAfter(run: BulkRun, { undoes }: Signed) {
  return (error: unknown): never => {
    const { done, wanted, record } = run;
    if (done === 0 || record === null) throw error;
    const code = error instanceof DomainError ? error.code : "redis-unavailable";
    const message =
      `Stopped after ${isLost(error) ? "at least " : ""}${done} of ${wanted} entries, ` +
      `which are ${undoes ? "undone by" : "in force as"} record ${record}. ` +
      `${causeOf(error)} Do the same again to continue, or undo record ${record}.`;
    throw new BulkStopped({ ...run, isWhole: false }, code, message, error);
  };
}

function causeOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  if (isLost(error)) return "Redis stopped answering.";
  return `Redis refused: ${bare(error instanceof Error ? error.message : String(error))}.`;
}
