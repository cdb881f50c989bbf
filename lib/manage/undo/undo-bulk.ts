import { isCanonical } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { closeBulk } from "../audit/bulk-record.ts";
import { commit } from "../audit/commit.ts";
import { listOf } from "../audit/list-history-index.ts";
import { type BulkRecordRow, type RecordPart, walkParts } from "../audit/parts.ts";
import { aboutOf } from "../audit/record.ts";
import { runBulk } from "../audit/run-bulk.ts";
import { intentOf, type ListContext } from "../lists/change-entries.ts";
import { settleBans } from "../lists/seal-ban.ts";
import { inTheWay, nothingLeft } from "./changed-since.ts";
import type { UndoInput, UndoResult } from "./undo.ts";
import { type UndoOutcome, undoOf } from "./undo-entries.ts";

const shownLeft = 5;

/** Puts the entries of a record with parts back, the last part first. Entries that were changed since stay as they are. */
export async function undoBulk(
  ctx: ListContext,
  record: BulkRecordRow,
  { reason = "", addresses, patienceMs, onProgress }: UndoInput,
): Promise<UndoResult> {
  await endRecord(ctx, record);
  const list = listOf(record);
  if (!list) throw new RangeError(`Record ${record.n} is not about entries of a list.`);
  const left = new LeftEntries();
  const chosen = addresses && new Set(addresses);
  const run = await runBulk(ctx, {
    ...{ action: aboutOf(record), reason, request: addresses ?? null, onProgress },
    wanted: addresses?.length ?? record.bulk.state?.done ?? 0,
    isOneStep: false,
    mustWrite: true,
    ...(patienceMs !== undefined && { patienceMs }),
    steps: (found) =>
      walkParts(ctx.redis, record, {
        ...{ seal: ctx.seal, isBackwards: true },
        beyond: found && found.reached > 0 ? found.reached : undefined,
      }),
    run: (inside, part) => undoPart(inside, record, { part: only(part, chosen), list, reason, left }),
  });
  if (run.isWhole && run.record === null) throw await nothingUndone(ctx, record, left.addresses);
  return { ...run, left: left.count, firstLeft: left.messages };
}

/** Entries must not be added while they are taken away. */
async function endRecord({ undoes: _, ...ctx }: ListContext, { n, at, bulk }: BulkRecordRow): Promise<void> {
  if (bulk.state && !bulk.state.isClosed) await closeBulk(ctx, { n, at, mac: bulk.mac }, bulk.digest);
}

interface PartUndo {
  readonly part: RecordPart;
  readonly list: ListName;
  readonly reason: string;
  readonly left: LeftEntries;
}

async function undoPart(ctx: ListContext, record: BulkRecordRow, { part, list, reason, left }: PartUndo) {
  const nothing = { change: null, record: null, done: 0 };
  const changes = part.changes.filter(({ target }) => isCanonical(target));
  left.addStrays(part.changes.filter(({ target }) => !isCanonical(target)).map(({ target }) => target));
  if (changes.length === 0) return nothing;
  const wanted = undoOf(ctx, { ...record, changes }, { list, reason, isLenient: true });
  if (list === "blocklist") await settleBans(ctx, wanted.addresses);
  const intent = intentOf(ctx, wanted);
  const made = await commit(ctx, {
    ...intent,
    decide(seen) {
      const decided = intent.decide(seen);
      const stuck = left.uncounted + decided.outcomes.filter(isStuck).length;
      // The count of entries that stay is recorded with the part, once there is a record.
      const isOnRecord = stuck > 0 && ctx.into?.bulk !== undefined;
      return { ...decided, left: stuck, reached: part.n, isOnRecord };
    },
  });
  const { outcomes } = made.decision;
  left.add(outcomes.filter(isStuck), made.record !== null);
  const done = outcomes.filter(({ is }) => is === "undone").length;
  return { change: made.change, record: made.record?.n ?? null, done };
}

function isStuck({ is }: UndoOutcome): boolean {
  return is === "in the way" || is === "refused";
}

function only(part: RecordPart, chosen: ReadonlySet<string> | undefined): RecordPart {
  return chosen ? { ...part, changes: part.changes.filter(({ target }) => chosen.has(target)) } : part;
}

async function nothingUndone(ctx: ListContext, record: BulkRecordRow, stuck: readonly string[]) {
  if (stuck.length > 0) return inTheWay(ctx.redis, record, stuck);
  for await (const { changes } of walkParts(ctx.redis, record, { seal: ctx.seal })) {
    const [first] = changes;
    if (first) return nothingLeft(ctx.redis, record, [first.target]);
  }
  return nothingLeft(ctx.redis, record, []);
}

/** The entries that an undo leaves as they are. */
class LeftEntries {
  readonly addresses: string[] = [];
  readonly messages: string[] = [];
  count = 0;
  /** Those of them that no part names yet. */
  uncounted = 0;

  add(outcomes: readonly UndoOutcome[], areOnRecord: boolean): void {
    for (const { address, message } of outcomes) this.#leave(address, message);
    this.uncounted = areOnRecord ? 0 : this.uncounted + outcomes.length;
  }

  addStrays(targets: readonly string[]): void {
    for (const target of targets) this.#leave(target, undefined);
    this.uncounted += targets.length;
  }

  #leave(address: string, message = `${address} was changed since.`): void {
    this.count++;
    if (this.messages.length === shownLeft) return;
    this.addresses.push(address);
    this.messages.push(message);
  }
}
