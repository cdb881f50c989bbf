import { isOfFeed } from "../../enforce/lists/entry.ts";
import { bannedBlock, isBanLife, isOfClient } from "../../enforce/lists/pending-ban.ts";
import { type Block, format } from "../../ip/block.ts";
import type { Contents, Copy } from "../../redis/copy.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { ListTable } from "./list-table.ts";
import type { Census, LossWatch } from "./loss.ts";

type TablePair = Readonly<Record<ListName, ListTable>>;

interface ShownBan {
  readonly contents: Contents;
  readonly endsAt: number;
  /** Whether the row of its address is the ban's own. */
  isShown: boolean;
  /** The load that saw it last. */
  readonly load: number;
  /** When it was first seen. */
  readonly since: number;
}

/** Redis returns the time that is left, so the same end loaded again differs by the time on the way. */
const sameMomentMs = 250;
/** So that everything is swept four times a minute. */
const slices = 300;

/**
 * Both lists, kept by a mirror. A load updates the rows that exist, and rows that it does not see are removed when it is done, so
 * a reload of a million entries that did not change changes nothing here.
 */
export class ListTables implements Copy {
  pair: TablePair = emptyPair();
  /** False until the first load is done. */
  isComplete = false;
  readonly #watch: LossWatch;
  readonly #clock: () => number;
  /** Rows that were written since the content of Redis was last certain. */
  readonly #fresh = { safelist: new Set<number>(), blocklist: new Set<number>() };
  /** Bans under the nodes' own key. One is shown as an entry as long as the blocklist has none for its address. */
  readonly #bans = new Map<string, ShownBan>();
  #isGuarded: (block: Block) => boolean = () => false;
  #sweepFrom = 0;
  #load = 0;

  /** @param clock the process' monotonic clock, in ms */
  constructor(watch: LossWatch, clock: () => number) {
    this.#watch = watch;
    this.#clock = clock;
  }

  holds(key: string): boolean {
    return listOf(key) !== undefined || isBan(key);
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
    if (this.isComplete && this.#watch.suspects(this.pair, this.#census(), Date.now())) this.#startOver();
    else void this.#dropUnseen().then(() => this.#showBans());
    this.#dropUnseenBans();
    this.isComplete = true;
    this.settle();
  }

  /** The tables equal Redis now: no row is fresh any more. */
  settle(): void {
    for (const list of listNames) this.#fresh[list].clear();
  }

  /** Addresses of bans that have been under the nodes' own key for this long. */
  bansOlderThan(ms: number): string[] {
    const now = this.#clock();
    return [...this.#bans].flatMap(([text, { endsAt, since }]) =>
      now - since >= ms && endsAt > now ? [text] : [],
    );
  }

  /** Whether it is a network's ban that no console has recorded. Any node's account can write one, so nodes do not trust it either. */
  isUnrecorded(block: Block): boolean {
    return !isOfClient(block) && this.#bans.get(format(block))?.isShown === true;
  }

  /** Sets which blocks are protected. */
  async guard(isGuarded: (block: Block) => boolean): Promise<void> {
    this.#isGuarded = isGuarded;
    const breathe = breathing();
    for (const _ of this.pair.blocklist.guard(isGuarded)) await breathe();
  }

  #write(key: string, ttlMs: number, contents: Contents | undefined, toleranceMs: number): void {
    if (isBan(key)) this.#writeBan(key, ttlMs, contents, toleranceMs);
    const list = listOf(key);
    if (!list) return;
    const text = key.slice(keys.entryPrefix(list).length);
    const endsAt = ttlMs === -1 ? Number.POSITIVE_INFINITY : this.#clock() + ttlMs;
    const table = this.pair[list];
    const ban = list === "blocklist" ? this.#bans.get(text) : undefined;
    // Keys of feeds are no decisions of people: the page of feeds has them.
    const isShown = ttlMs !== -2 && !(typeof contents === "string" && isOfFeed(contents));
    if (ban) ban.isShown = !isShown;
    if (isShown && contents !== undefined) this.#put(table, text, contents, { endsAt, toleranceMs });
    else if (ban) this.#put(table, text, ban.contents, { endsAt: ban.endsAt, toleranceMs: 0 });
    else table.delete(text);
  }

  #writeBan(key: string, ttlMs: number, contents: Contents | undefined, toleranceMs: number): void {
    const table = this.pair.blocklist;
    const block = bannedBlock(key);
    if (!block) return;
    const text = format(block);
    const known = this.#bans.get(text);
    if (typeof contents !== "string" || !isBanLife(ttlMs)) {
      this.#bans.delete(text);
      if (known?.isShown) table.delete(text);
      return;
    }
    const endsAt = this.#clock() + ttlMs;
    const row = known?.isShown ? undefined : table.find(text);
    const isShown = row === undefined || !table.isHeld(row, this.#clock());
    this.#bans.set(text, {
      contents,
      endsAt,
      isShown,
      load: this.#load,
      since: known?.since ?? this.#clock(),
    });
    if (isShown) this.#put(table, text, contents, { endsAt, toleranceMs });
  }

  #dropUnseenBans(): void {
    for (const [text, ban] of this.#bans) if (ban.load !== this.#load) this.#bans.delete(text);
  }

  /** Shows bans whose entry turned out to be gone. */
  #showBans(): void {
    const table = this.pair.blocklist;
    for (const [text, ban] of this.#bans) {
      if (ban.isShown || ban.endsAt <= this.#clock() || table.find(text) !== undefined) continue;
      ban.isShown = true;
      this.#put(table, text, ban.contents, { endsAt: ban.endsAt, toleranceMs: 0 });
    }
  }

  #put(
    table: ListTable,
    text: string,
    contents: Contents,
    life: { endsAt: number; toleranceMs: number },
  ): void {
    const { version } = table;
    table.put(text, contents, life.endsAt, life.toleranceMs);
    if (!this.isComplete || table.version === version) return;
    const row = table.find(text);
    if (row !== undefined) this.#fresh[table.list].add(row);
  }

  #census(): Census {
    const now = this.#clock();
    let [left, kept, gone] = [0, 0, 0];
    for (const list of listNames) {
      const table = this.pair[list];
      for (const row of table.unseen()) if (table.isHeld(row, now)) gone++;
      for (const row of table.seen()) {
        left++;
        if (!this.#fresh[list].has(row)) kept++;
      }
    }
    return { left, kept, gone };
  }

  /** Moves what the load has seen to new tables. The old ones keep the rest, without what was written after the loss. */
  #startOver(): void {
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
    for (const table of Object.values(this.pair)) {
      let count = 0;
      for (const row of table.unseen()) {
        table.remove(row);
        if (++count % 1_000 > 0) continue;
        await breathe();
        // Another load has begun, which has seen nothing yet.
        if (load !== this.#load) return;
      }
    }
  }

  /** Redis does not announce expiry. */
  /** Drops entries that have ended from the next part of the tables. */
  dropEnded(): void {
    const now = this.#clock();
    this.#sweepFrom = (this.#sweepFrom + 1) % slices;
    if (this.#sweepFrom === 0)
      for (const [text, ban] of this.#bans) if (ban.endsAt <= now) this.#bans.delete(text);
    for (const table of Object.values(this.pair)) table.sweep(this.#sweepFrom / slices, 1 / slices, now);
  }
}

function emptyPair(): TablePair {
  return { safelist: new ListTable("safelist"), blocklist: new ListTable("blocklist") };
}

function isBan(key: string): boolean {
  return key.startsWith(keys.banPrefix());
}

function listOf(key: string): ListName | undefined {
  return listNames.find((list) => key.startsWith(keys.entryPrefix(list)));
}
