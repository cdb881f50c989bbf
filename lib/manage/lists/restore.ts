import { reasonProblem } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListTable } from "../../observe/catalogue/list-table.ts";
import type { Loss } from "../../observe/catalogue/loss.ts";
import { flag } from "../../observe/catalogue/rows.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import { refuse } from "./admission.ts";
import { changeEntries, type ListContext } from "./change-entries.ts";
import { type BulkResult, type ChunkOutcome, inChunks } from "./in-chunks.ts";
import { protectRange } from "./never-block.ts";

interface LossInput {
  readonly loss: Loss;
  readonly reason: string;
}

export interface RestoreResult extends BulkResult {
  /** How many entries are still to be restored: call again until it is 0. */
  readonly left: number;
}

const mostInOneCall = 20_000;

/**
 * Restores lists that Redis lost, each entry for what is left of its life. Entries that have expired are not restored, and
 * entries that were added since stay as they are. Protected ranges come first and the safelist before the blocklist, so that
 * no client is blocked in between that was not blocked before.
 */
export async function restoreLost(ctx: ListContext, { loss, reason }: LossInput): Promise<RestoreResult> {
  checkReason(reason);
  const ofRanges = await restoreRanges(ctx, loss);
  const { safelist, blocklist } = loss.tables;
  const table = safelist.size > 0 ? safelist : blocklist;
  const wanted = table.size;
  const addresses = nextOf(table);
  const isLast = addresses.length === table.size;
  const part = { of: `${loss.at}`, wanted, isLast };
  const what = { action: `${table.list}.restore`, reason, request: null, addresses, part };
  const result = await inChunks(ctx, what, async (inside, chunk) => {
    const done = await restoreEntries(inside, table, chunk, reason);
    // These entries are decided, whatever the outcome.
    for (const address of chunk) table.delete(address);
    return done;
  });
  const left = safelist.size + blocklist.size;
  return { ...result, change: result.change ?? ofRanges, next: null, left };
}

/** @returns the last change number */
async function restoreRanges(ctx: ListContext, { neverBlock }: Loss): Promise<number | null> {
  let last: number | null = null;
  for (const { range, note } of neverBlock) {
    const reason = reasonProblem(note.reason) ? "" : note.reason;
    const { change } = await protectRange(ctx, { range, reason }).catch(unlessRefused);
    last = change ?? last;
  }
  return last;
}

/** A foreign writer may have protected a wider range than Sluice accepts. */
function unlessRefused(error: unknown): { change: null } {
  if (error instanceof DomainError && error.code === "bad-input") return { change: null };
  throw error;
}

function restoreEntries(
  ctx: ListContext,
  table: ListTable,
  addresses: readonly (Ip | Cidr)[],
  reason: string,
) {
  const { list } = table;
  return changeEntries<ChunkOutcome>(ctx, {
    ...{ verb: "restore", list, addresses, reason },
    looksAt: list === "blocklist" ? ["safelist"] : [],
    decide(address, found, circumstances) {
      const row = table.find(address);
      const left = row === undefined ? 0 : table.rows.endsAt(row) - performance.now();
      if (row === undefined || left <= 0)
        return { outcome: { address, outcome: "ended", message: `${address} has expired.` } };
      if (found.kind !== "none") return { outcome: { address, outcome: "kept" } };
      const refused = refuse(address, found, circumstances, true);
      if (refused) return { outcome: refused };
      const expiresAt = left === Number.POSITIVE_INFINITY ? null : Math.ceil(circumstances.now + left);
      return { outcome: { address, outcome: "restored" }, to: { value: table.value(row), expiresAt } };
    },
  });
}

/** The next entries to restore. Entries that nodes did not enforce, or that have expired, stay lost. */
function nextOf(table: ListTable): string[] {
  const now = performance.now();
  const useless = flag.isStray | flag.isNoEntry | flag.isTooWide;
  const addresses: string[] = [];
  let looked = 0;
  for (let row = 0; row < table.rows.end && looked < mostInOneCall; row++) {
    if (!table.rows.isAlive(row)) continue;
    looked++;
    if (table.isHeld(row, now) && (table.rows.flags(row) & useless) === 0) addresses.push(table.address(row));
    else table.remove(row);
  }
  return addresses;
}

/** Records the decision not to restore the lost entries. */
export async function recordDismissal(ctx: ListContext, { loss, reason }: LossInput): Promise<void> {
  checkReason(reason);
  const { safelist, blocklist } = loss.tables;
  await commit(ctx, {
    action: "lists.dismiss-loss",
    reason: reason || `${blocklist.size} blocklist and ${safelist.size} safelist entries were not restored`,
    slots: [],
    decide: () => ({ writes: [], isOnRecord: true }),
  });
}
