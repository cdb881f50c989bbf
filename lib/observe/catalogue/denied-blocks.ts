import { type Block, format } from "../../ip/block.ts";
import { PackedRanges, RangeCollection } from "../../ip/packed-ranges.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { withoutParts } from "../../ip/range-column.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { ListTable } from "./list-table.ts";

/** An address or range that nodes deny by an entry of the blocklist. */
export interface DeniedBlock {
  readonly value: Ip | Cidr;
  /** Ms; Infinity for never. */
  readonly endsAt: number;
  readonly reason: string;
  readonly via: string | undefined;
}

interface DeniedAt {
  readonly now: number;
  readonly offset: number;
  /** Ranges of the blocklist that are no entries yet. */
  readonly isLeftOut?: (range: Block) => boolean;
}

/** Rows between two looks at the clock. */
const atOnce = 256;

/**
 * Visits what nodes deny by the blocklist. A range with safelisted addresses is visited in the parts around them, so that a
 * program that knows no safelist denies the same clients.
 *
 * @param now ms of the monotonic clock @param offset from it to the clock of the ends
 */
export async function eachDenied(
  { safelist, blocklist }: { readonly safelist: ListTable; readonly blocklist: ListTable },
  { now, offset, isLeftOut }: DeniedAt,
  visit: (denied: DeniedBlock) => void,
): Promise<void> {
  const breathe = breathing();
  // Rows that go while others have their turn stay readable: what is visited is as of one moment.
  const release = blocklist.rows.hold();
  try {
    const rows = enforcedRows(blocklist, now);
    const safe = await blocksOf(safelist, now, breathe);
    const deniedBy = (row: number, block: Block): DeniedBlock => {
      const { reason, via } = blocklist.note(row);
      return { value: format(block), endsAt: blocklist.rows.endsAt(row) + offset, reason, via };
    };
    /** Parts of several ranges may be the same block, and may have an entry of their own. The last end counts. */
    const parts = new Map<string, DeniedBlock>();
    const later = (denied: DeniedBlock) => {
      const other = parts.get(denied.value);
      return other && other.endsAt > denied.endsAt ? other : denied;
    };
    const isCut = new Uint8Array(blocklist.rows.end);
    if (safe.size > 0)
      for (const [i, row] of rows.entries()) {
        if (i % atOnce === 0) await breathe();
        const block = blocklist.rows.blockAt(row);
        if (safe.overlapping(block) === undefined || isLeftOut?.(block)) continue;
        isCut[row] = 1;
        for (const part of withoutParts(block, safe.meeting(block))) {
          const denied = deniedBy(row, part);
          parts.set(denied.value, later(denied));
        }
      }
    for (const [i, row] of rows.entries()) {
      if (i % atOnce === 0) await breathe();
      const block = blocklist.rows.blockAt(row);
      if (isCut[row] === 1 || isLeftOut?.(block)) continue;
      const denied = deniedBy(row, block);
      visit(later(denied));
      parts.delete(denied.value);
    }
    for (const denied of parts.values()) visit(denied);
  } finally {
    release();
  }
}

function enforcedRows(table: ListTable, now: number): Uint32Array {
  const rows = new Uint32Array(table.rows.end);
  let size = 0;
  for (let row = 0; row < rows.length; row++)
    if (table.isHeld(row, now) && table.isEnforced(row)) rows[size++] = row;
  return rows.subarray(0, size);
}

async function blocksOf(table: ListTable, now: number, breathe: () => Promise<void>): Promise<PackedRanges> {
  const rows = enforcedRows(table, now);
  if (rows.length === 0) return PackedRanges.none;
  const collected = new RangeCollection();
  for (const row of rows) collected.add(table.rows.blockAt(row));
  const steps = collected.sort();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}
