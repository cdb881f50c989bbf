import type { Block } from "../../ip/block.ts";
import type { Contents, Copy } from "../../redis/copy.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import type { Census, LossWatch } from "./loss.ts";
import { Shelf } from "./shelf.ts";
import { breathing } from "./sort-in-pieces.ts";

type Pair = Readonly<Record<ListName, Shelf>>;

/** Redis tells what is left, so the same end loaded again differs by the time on the way. */
const sameMomentMs = 250;
const sweepEveryMs = 50;
/** So that everything is swept four times a minute. */
const slices = 300;

/**
 * Both lists, kept by a mirror. A load goes over what is there already: what it does not see is removed when it is done, so
 * a reload of a million entries that did not change changes nothing here.
 */
export class Shelves implements Copy {
  pair: Pair = emptyPair();
  /** False until the first load is done. */
  isComplete = false;
  readonly #watch: LossWatch;
  readonly #clock: () => number;
  readonly #sweeper: NodeJS.Timeout;
  /** Rows that were written anew since it was last certain what Redis holds. */
  readonly #fresh = { safelist: new Set<number>(), blocklist: new Set<number>() };
  #isGuarded: (block: Block) => boolean = () => false;
  #sweepFrom = 0;
  #load = 0;

  /** @param clock the process' monotonic clock, in ms */
  constructor(watch: LossWatch, clock: () => number) {
    this.#watch = watch;
    this.#clock = clock;
    this.#sweeper = setInterval(() => this.#sweep(), sweepEveryMs).unref();
  }

  holds(key: string): boolean {
    return listOf(key) !== undefined;
  }

  begin(): void {
    this.#load++;
    for (const list of listNames) this.pair[list].beginLoad();
  }

  load(key: string, ttlMs: number, contents?: Contents): void {
    this.#write(key, ttlMs, contents, sameMomentMs);
  }

  put(key: string, ttlMs: number, contents?: Contents): void {
    this.#write(key, ttlMs, contents, 0);
  }

  finish(): void {
    if (this.isComplete && this.#watch.suspects(this.pair, this.#census(), Date.now())) this.#beginAnew();
    else void this.#dropUnseen();
    this.isComplete = true;
    this.settle();
  }

  /** What is here now is what Redis holds, and nothing of it is fresh any more. */
  settle(): void {
    for (const list of listNames) this.#fresh[list].clear();
  }

  /** Says which blocks nobody may make. */
  async guard(isGuarded: (block: Block) => boolean): Promise<void> {
    this.#isGuarded = isGuarded;
    const breathe = breathing();
    for (const _ of this.pair.blocklist.guard(isGuarded)) await breathe();
  }

  close(): void {
    clearInterval(this.#sweeper);
  }

  #write(key: string, ttlMs: number, contents: Contents | undefined, toleranceMs: number): void {
    const list = listOf(key);
    if (!list) return;
    const text = key.slice(keys.entryPrefix(list).length);
    const endsAt = ttlMs === -1 ? Number.POSITIVE_INFINITY : this.#clock() + ttlMs;
    const shelf = this.pair[list];
    if (ttlMs === -2 || contents === undefined) shelf.delete(text);
    else this.#put(shelf, text, contents, { endsAt, toleranceMs });
  }

  #put(shelf: Shelf, text: string, contents: Contents, life: { endsAt: number; toleranceMs: number }): void {
    const { version } = shelf;
    shelf.put(text, contents, life.endsAt, life.toleranceMs);
    if (!this.isComplete || shelf.version === version) return;
    const row = shelf.find(text);
    if (row !== undefined) this.#fresh[shelf.list].add(row);
  }

  #census(): Census {
    const now = this.#clock();
    let [left, kept, gone] = [0, 0, 0];
    for (const list of listNames) {
      const shelf = this.pair[list];
      for (const row of shelf.unseen()) if (shelf.isHeld(row, now)) gone++;
      for (const row of shelf.seen()) {
        left++;
        if (!this.#fresh[list].has(row)) kept++;
      }
    }
    return { left, kept, gone };
  }

  /** What the load has seen goes over; the rest stays as it is, without what was written only after the loss. */
  #beginAnew(): void {
    const before = this.pair;
    this.pair = emptyPair();
    this.pair.blocklist.guard(this.#isGuarded);
    for (const list of listNames) {
      for (const row of before[list].seen()) {
        const [text, endsAt] = [before[list].address(row), before[list].rows.endsAt(row)];
        this.pair[list].put(text, before[list].contents(row), endsAt);
        if (this.#fresh[list].has(row)) before[list].remove(row);
      }
    }
  }

  async #dropUnseen(): Promise<void> {
    const [load, breathe] = [this.#load, breathing()];
    for (const shelf of Object.values(this.pair)) {
      let count = 0;
      for (const row of shelf.unseen()) {
        shelf.remove(row);
        if (++count % 1_000 > 0) continue;
        await breathe();
        // Another load has begun, which has seen nothing yet.
        if (load !== this.#load) return;
      }
    }
  }

  /** Redis does not announce expiry. */
  #sweep(): void {
    const now = this.#clock();
    this.#sweepFrom = (this.#sweepFrom + 1) % slices;
    for (const shelf of Object.values(this.pair)) shelf.sweep(this.#sweepFrom / slices, 1 / slices, now);
  }
}

function emptyPair(): Pair {
  return { safelist: new Shelf("safelist"), blocklist: new Shelf("blocklist") };
}

function listOf(key: string): ListName | undefined {
  return listNames.find((list) => key.startsWith(keys.entryPrefix(list)));
}
