import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import { DomainError } from "../errors.ts";
import type { Cidr, Ip } from "../ip/parse.ts";
import { refuse } from "./add.ts";
import type { Loss } from "./catalogue/loss.ts";
import { flag } from "./catalogue/rows.ts";
import type { Shelf } from "./catalogue/shelf.ts";
import { changeEntries } from "./change.ts";
import type { Context } from "./context.ts";
import { type BulkResult, inChunks, type Outcome } from "./in-chunks.ts";
import { protectRange } from "./never-block.ts";
import { reasonProblem } from "./note.ts";

interface Input {
  readonly loss: Loss;
  readonly reason: string;
}

export interface Restored extends BulkResult {
  /** What is still to be restored: ask again until there is nothing left. */
  readonly left: number;
}

const mostInOneCall = 20_000;

/**
 * Writes lists that Redis lost back as they were, each entry for what is left of its life; what has ended meanwhile stays
 * away, and what somebody has added since stays as it is. Ranges that nobody may block come first and the safelist before
 * the blocklist, so that nobody is blocked in between who was not blocked before.
 */
export async function restoreLost(ctx: Context, { loss, reason }: Input): Promise<Restored> {
  checkReason(reason);
  const ranges = await restoreRanges(ctx, loss);
  const { safelist, blocklist } = loss.shelves;
  const shelf = safelist.size > 0 ? safelist : blocklist;
  const result = await inChunks({ addresses: nextOf(shelf) }, async (chunk) => {
    const done = await restoreEntries(ctx, shelf, chunk, reason);
    // What was decided here is not lost any more, whatever became of it.
    for (const address of chunk) shelf.delete(address);
    return done;
  });
  const changes = [...ranges, ...result.changes];
  const left = safelist.size + blocklist.size;
  return { ...result, changes, change: changes.at(-1) ?? null, next: null, left };
}

async function restoreRanges(ctx: Context, { neverBlock }: Loss): Promise<number[]> {
  const changes: number[] = [];
  for (const { range, note } of neverBlock) {
    const reason = reasonProblem(note.reason) ? "" : note.reason;
    const { change } = await protectRange(ctx, { range, reason }).catch(unlessRefused);
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** A foreign writer may have protected more than anybody may. */
function unlessRefused(error: unknown): { change: null } {
  if (error instanceof DomainError && error.code === "bad-input") return { change: null };
  throw error;
}

function restoreEntries(ctx: Context, shelf: Shelf, addresses: readonly (Ip | Cidr)[], reason: string) {
  const { list } = shelf;
  return changeEntries<Outcome>(ctx, {
    ...{ verb: "restore", list, addresses, reason },
    looksAt: list === "blocklist" ? ["safelist"] : [],
    decide(address, found, scene) {
      const row = shelf.find(address);
      const left = row === undefined ? 0 : shelf.rows.endsAt(row) - performance.now();
      if (row === undefined || left <= 0)
        return { outcome: { address, outcome: "ended", message: `${address} has ended meanwhile.` } };
      if (found.kind !== "none") return { outcome: { address, outcome: "kept" } };
      const refused = refuse(list, address, found, scene, true);
      if (refused) return { outcome: refused };
      const expiresAt = left === Number.POSITIVE_INFINITY ? null : Math.ceil(scene.now + left);
      return { outcome: { address, outcome: "restored" }, to: { value: shelf.value(row), expiresAt } };
    },
  });
}

/** The next that are to be restored. What nobody obeyed stays lost, and what has ended. */
function nextOf(shelf: Shelf): string[] {
  const now = performance.now();
  const useless = flag.isStray | flag.isNoEntry | flag.isTooWide;
  const addresses: string[] = [];
  let looked = 0;
  for (let row = 0; row < shelf.rows.end && looked < mostInOneCall; row++) {
    if (!shelf.rows.isAlive(row)) continue;
    looked++;
    if (shelf.isHeld(row, now) && (shelf.rows.flags(row) & useless) === 0) addresses.push(shelf.address(row));
    else shelf.remove(row);
  }
  return addresses;
}

/** Puts on record that what was lost shall stay lost. */
export async function recordDismissal(ctx: Context, { loss, reason }: Input): Promise<void> {
  checkReason(reason);
  const { safelist, blocklist } = loss.shelves;
  await commit(ctx, {
    action: "lists.dismiss-loss",
    reason: reason || `${blocklist.size} blocklist and ${safelist.size} safelist entries were not restored`,
    slots: [],
    decide: () => ({ writes: [], isOnRecord: true }),
  });
}
