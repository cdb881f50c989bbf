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

/** So few of what was held may be there again when a loss is noticed: somebody may have begun to add them by hand. */
const mostLeft = 0.01;

/**
 * Notices that Redis lost the lists. They vanish in one load, and its count of changes has gone back: what people remove is
 * announced key by key, and counted.
 */
export class LossWatch {
  /** What was lost, until somebody restores or dismisses it. */
  loss: Loss | undefined;
  #suspected: Loss | undefined;
  #lastChange = 0;
  #neverBlock: readonly NeverBlockRange[] = [];
  #vanished: readonly NeverBlockRange[] = [];

  /** The ranges are read before the lists, so they vanish first. */
  heardRanges(ranges: readonly NeverBlockRange[]): void {
    if (ranges.length === 0 && this.#neverBlock.length > 0) this.#vanished = this.#neverBlock;
    this.#neverBlock = ranges;
  }

  /** After a load: true if nearly everything is gone, so that these shelves are to be kept aside as they are. */
  suspects(shelves: Shelves, left: number, gone: number, at: number): boolean {
    const neverBlock = this.#neverBlock.length > 0 ? this.#neverBlock : this.#vanished;
    this.#vanished = [];
    if (gone === 0 || left > gone * mostLeft) return false;
    this.#suspected = fuller(this.#suspected, { at, shelves, neverBlock });
    return true;
  }

  /** Whenever the number of the last change is heard. */
  heardChange(change: number): void {
    const hasGoneBack = change < this.#lastChange || (change === 0 && this.#lastChange === 0);
    if (this.#suspected && hasGoneBack) this.loss = fuller(this.loss, this.#suspected);
    this.#suspected = undefined;
    this.#vanished = [];
    this.#lastChange = change;
  }
}

/** Of two losses in a row, the one that has more to give back. */
function fuller(before: Loss | undefined, now: Loss): Loss {
  return before && sizeOf(before) > sizeOf(now) ? before : now;
}

function sizeOf({ shelves }: Loss): number {
  return listNames.reduce((sum, list) => sum + shelves[list].size, 0);
}
