import { type ListName, listNames } from "../../redis/keys.ts";
import type { NeverBlockRange } from "../never-block-ranges.ts";
import type { Shelf } from "./shelf.ts";

/** What the lists were before Redis came back empty. */
export interface Loss {
  /** Ms: when it was noticed. */
  readonly at: number;
  readonly shelves: Readonly<Record<ListName, Shelf>>;
  readonly neverBlock: readonly NeverBlockRange[];
}

export interface LossCounts {
  readonly safelist: number;
  readonly blocklist: number;
  readonly neverBlock: number;
}

type Shelves = Loss["shelves"];

/** What a load found of the entries that were held before it. */
export interface Census {
  /** In Redis now. */
  readonly left: number;
  /** Of these, as they were: what was written anew since, such as a ban, says nothing about the rest. */
  readonly kept: number;
  readonly gone: number;
}

/** So few of what was held may be there again when a loss is noticed: somebody may have begun to add them by hand. */
const mostKept = 0.01;

/**
 * Notices that Redis lost the lists. They vanish in one load, and its count of changes has gone back: what people remove is
 * announced key by key, and counted.
 */
export class LossWatch {
  /** What was lost, until somebody restores or dismisses it. */
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

  /** After a load: true if nearly everything is gone, so that these shelves are to be kept aside as they are. */
  suspects(shelves: Shelves, census: Census, at: number): boolean {
    const neverBlock = this.#vanished;
    const isLoss = this.#isGone(census);
    this.#vanished = [];
    if (isLoss) this.#suspected.push({ at, shelves, neverBlock });
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
    // Where no change was ever counted, foreign writers wrote everything, and may have written it anew.
    const stayed = this.#lastChange === 0 ? left : kept;
    if (gone > 0) return stayed <= gone * mostKept;
    return stayed === 0 && this.#vanished.length > 0 && this.#areAllGone;
  }
}

/** Two losses in a row as one. Where both know of an entry, the later one knows better. */
function merged(before: Loss | undefined, now: Loss): Loss {
  if (!before) return now;
  for (const list of listNames) pour(before.shelves[list], now.shelves[list], performance.now());
  const ranges = new Map([...before.neverBlock, ...now.neverBlock].map((range) => [range.range, range]));
  return { at: now.at, shelves: now.shelves, neverBlock: [...ranges.values()] };
}

/** Into the later one: a restore may still be emptying the earlier. */
function pour(from: Shelf, to: Shelf, now: number): void {
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
