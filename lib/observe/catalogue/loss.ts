import type { NeverBlockRange } from "../../enforce/lists/protected.ts";
import { type ListName, listNames } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { ListTable } from "./list-table.ts";

/** The lists before Redis came back empty. */
export interface Loss {
  /** Ms: when it was noticed. */
  readonly at: number;
  readonly tables: Readonly<Record<ListName, ListTable>>;
  readonly neverBlock: readonly NeverBlockRange[];
}

export interface LossCounts {
  readonly safelist: number;
  readonly blocklist: number;
  readonly neverBlock: number;
}

type LostTables = Loss["tables"];

/** How many of the entries that were held before a load exist after it. */
export interface Census {
  /** In Redis now. */
  readonly left: number;
  /** Of these, unchanged: an entry that was written since, such as a ban, says nothing about the rest. */
  readonly kept: number;
  readonly gone: number;
}

/** Share of the held entries that may exist again when a loss is noticed: staff may have begun to add them by hand. */
const mostKept = 0.01;

/**
 * Notices that Redis lost the lists. They vanish in one load, and its count of changes has gone back: removals by
 * people are announced key by key, and counted.
 */
export class LossWatch {
  /** The loss, until it is restored or dismissed. */
  loss: Loss | undefined;
  #suspected: Loss[] = [];
  #lastChange = 0;
  #neverBlock: readonly NeverBlockRange[] = [];
  #vanished: readonly NeverBlockRange[] = [];
  /** Is none of the ranges there that were, as it was? */
  #areAllGone = false;

  /** The ranges are read before the lists, so they vanish first. */
  heardRanges(ranges: readonly NeverBlockRange[]): void {
    const before = [...this.#vanished, ...this.#neverBlock];
    this.#vanished = before.filter((range) => !ranges.some((other) => isSame(range, other)));
    this.#areAllGone = this.#vanished.length === before.length;
    this.#neverBlock = ranges;
  }

  /** After a load: true if nearly everything is gone, so that these tables are to be kept aside as they are. */
  suspects(tables: LostTables, census: Census, at: number): boolean {
    const neverBlock = this.#vanished;
    const isLoss = this.#isGone(census);
    this.#vanished = [];
    if (isLoss) this.#suspected.push({ at, tables, neverBlock });
    return isLoss;
  }

  /** Whenever the number of the last change is heard. */
  heardChange(change: number): void {
    const hasGoneBack = change < this.#lastChange || (change === 0 && this.#lastChange === 0);
    if (hasGoneBack) for (const suspected of this.#suspected) this.loss = merged(this.loss, suspected);
    this.#suspected = [];
    this.#vanished = [];
    this.#lastChange = change;
  }

  #isGone({ left, kept, gone }: Census): boolean {
    // Where no change was ever counted, foreign writers wrote everything, and may have written it again.
    const stayed = this.#lastChange === 0 ? left : kept;
    if (gone > 0) return stayed <= gone * mostKept;
    return stayed === 0 && this.#vanished.length > 0 && this.#areAllGone;
  }
}

/** Two losses in a row as one. Where both know of an entry, the later one knows better. */
function merged(before: Loss | undefined, now: Loss): Loss {
  if (!before) return now;
  for (const list of listNames) pour(before.tables[list], now.tables[list], performance.now());
  const ranges = new Map([...before.neverBlock, ...now.neverBlock].map((range) => [range.range, range]));
  return { at: now.at, tables: now.tables, neverBlock: [...ranges.values()] };
}

/** Into the later one: a restore may still be emptying the earlier. */
function pour(from: ListTable, to: ListTable, now: number): void {
  for (let row = 0; row < from.rows.end; row++) {
    if (!from.isHeld(row, now)) continue;
    const address = from.address(row);
    const known = to.find(address);
    if (known !== undefined && to.isHeld(known, now)) continue;
    to.put(address, from.contents(row), from.rows.endsAt(row));
  }
}

function isSame(one: NeverBlockRange, other: NeverBlockRange): boolean {
  return one.range === other.range && one.note.at === other.note.at;
}

const mostOftenMs = 5_000;

/** How much of a loss is not back yet: another console may have restored it, or staff by hand. */
export class MissingEntries {
  #last:
    | { readonly loss: Loss; readonly at: number; readonly version: number; readonly counts: MissingCounts }
    | undefined;
  #work: { readonly loss: Loss; readonly counts: Promise<MissingCounts> } | undefined;

  /** @param version of the lists: while it is the same, so is the result */
  async count(
    loss: Loss,
    held: Readonly<Record<ListName, ListTable>>,
    version: number,
    now: () => number,
  ): Promise<MissingCounts> {
    const last = this.#last?.loss === loss ? this.#last : undefined;
    if (last && (last.version === version || now() - last.at < mostOftenMs)) return last.counts;
    if (this.#work?.loss !== loss) this.#work = { loss, counts: countAll(loss, held, now) };
    const work = this.#work;
    const counts = await work.counts.finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#last = { loss, at: now(), version, counts };
    return counts;
  }
}

type MissingCounts = Readonly<Record<ListName, number>>;

async function countAll(
  loss: Loss,
  held: Readonly<Record<ListName, ListTable>>,
  now: () => number,
): Promise<MissingCounts> {
  const counts = { safelist: 0, blocklist: 0 };
  const breathe = breathing();
  for (const list of listNames) {
    const lost = loss.tables[list];
    for (let row = 0; row < lost.rows.end; row++) {
      if (row % 1_000 === 999) await breathe();
      if (lost.isHeld(row, now()) && held[list].find(lost.address(row)) === undefined) counts[list]++;
    }
  }
  return counts;
}
