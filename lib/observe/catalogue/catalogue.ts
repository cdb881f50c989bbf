import { madeOnce } from "../../at.ts";
import {
  type NeverBlockRange,
  type ProtectedRange,
  protector,
  readNeverBlock,
} from "../../enforce/lists/protected.ts";
import { DomainError } from "../../errors.ts";
import type { Block } from "../../ip/block.ts";
import { rangeList } from "../../ip/range-list.ts";
import type { EntriesAround } from "../../manage/lists/preview.ts";
import type { RedisSource } from "../../redis/connect.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { connectPair, Mirror, type Pair } from "../../redis/mirror.ts";
import { Schedule } from "../../redis/schedule.ts";
import { catalogueScripts } from "./catalogue-scripts.ts";
import { type DeniedBlock, eachDenied } from "./denied-blocks.ts";
import { entriesAround } from "./entries-around.ts";
import { ListTables } from "./list-tables.ts";
import { type CatalogueEntry, listed } from "./listing.ts";
import { type Loss, type LossCounts, LossWatch, MissingEntries } from "./loss.ts";
import { type EntryPage, type EntryPageQuery, type EntryQuery, ListView } from "./view.ts";

export interface CataloguePage extends EntryPage<CatalogueEntry> {
  readonly total: number;
  /** False during the first load: there are no entries before it is done. */
  readonly isComplete: boolean;
  /** Ms: the moment for which this holds. */
  readonly asOf: number;
  /** Ms since the copy was last known to be complete. */
  readonly ageMs: number;
}

export interface CatalogueOptions {
  readonly redis: RedisSource;
  /** Protected ranges of the environment; those of Redis are followed. */
  readonly protectedRanges: readonly ProtectedRange[];
  /** The copy is complete and current, for the first time or again. */
  readonly onCurrent?: () => void;
  /** Redis came back empty. */
  readonly onLoss?: () => void;
}

/** One part of the tables a turn. */
const dropEndedEveryMs = 50;

const none = { all: 0, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 };
const now = () => performance.now();

/** Connects in the background. */
export function startCatalogue(options: CatalogueOptions): Catalogue {
  const catalogue = new Catalogue(options, connectPair(options.redis));
  catalogue.start();
  return catalogue;
}

/** The console's own copy of both lists, with the notes of entries. Pages list, search, count and restore from it. */
export class Catalogue {
  readonly #watch = new LossWatch();
  readonly #tables = new ListTables(this.#watch, now);
  readonly #mirror: Mirror;
  readonly #schedule = new Schedule();
  readonly #options: CatalogueOptions;
  readonly #startedAt = now();
  readonly #missing = new MissingEntries();
  readonly #views = new WeakMap<object, ListView>();
  /** The offset from the monotonic clock to the time of day. */
  #offset = Date.now() - now();
  /** What Redis protects, as last read. */
  #ranges: readonly NeverBlockRange[] = [];
  #protector = protector([]);
  #guarded = "";
  #isReady: () => void = () => {};
  /** Resolves once everything is loaded. */
  readonly ready = new Promise<void>((resolve) => {
    this.#isReady = resolve;
  });

  constructor(options: CatalogueOptions, connections: Pair) {
    this.#options = options;
    const events = {
      onCurrent: () => this.#becomeCurrent(),
      onLost: () => {},
      onApplied: (change: number) => this.#hearChange(change),
      onOther: (key: string) => (key === keys.neverBlock() ? this.#readNeverBlock() : undefined),
    };
    this.#mirror = new Mirror({ ...connections, copy: this.#tables, events, scripts: catalogueScripts });
  }

  /** Called once. */
  start(): void {
    this.#mirror.start();
    this.#schedule.every(dropEndedEveryMs, () => this.#tables.dropEnded());
  }

  get isComplete(): boolean {
    return this.#tables.isComplete;
  }

  /** Ms since the copy was last known to be complete. */
  get ageMs(): number {
    return Math.min(this.#mirror.ageMs, now() - this.#startedAt);
  }

  get sizes(): Readonly<Record<ListName, number>> {
    const { safelist, blocklist } = this.#tables.pair;
    return { safelist: safelist.size, blocklist: blocklist.size };
  }

  /** Another number after every change. */
  get version(): number {
    const { safelist, blocklist } = this.#tables.pair;
    return safelist.version + blocklist.version;
  }

  /** The loss of lists in Redis, until it is restored or dismissed. */
  get loss(): Loss | undefined {
    return this.#watch.loss;
  }

  /** How much of the loss is not back yet. Once everything is back, the loss is forgotten. */
  async missing(): Promise<{ readonly at: number; readonly counts: LossCounts } | undefined> {
    const { loss } = this;
    if (!loss) return undefined;
    const counts = await this.#missing.count(loss, this.#tables.pair, this.version, now);
    const isBack = ({ range }: NeverBlockRange) => this.#ranges.some((held) => held.range === range);
    const neverBlock = loss.neverBlock.filter((range) => !isBack(range)).length;
    if (counts.safelist + counts.blocklist + neverBlock > 0)
      return { at: loss.at, counts: { ...counts, neverBlock } };
    this.forgetLoss(loss);
    return undefined;
  }

  /** Another loss may have been noticed since, and stays. */
  forgetLoss(expected: Loss): void {
    if (this.loss === expected) this.#watch.loss = undefined;
  }

  async page(list: ListName, wanted: EntryPageQuery): Promise<CataloguePage> {
    const about = { isComplete: this.isComplete, asOf: Date.now(), ageMs: Math.round(this.ageMs) };
    const view = this.#view(list);
    const total = view.table.size;
    if (!this.isComplete) return { ...about, total, matching: 0, facets: none, tags: [], entries: [] };
    const page = await view.page(wanted, now, (row) => this.#listed(list, view, row));
    return { ...about, total, ...page };
  }

  /** The entries that match, in the order of addresses, after a given one. */
  async after(
    list: ListName,
    wanted: EntryQuery,
    place: { after: string | undefined; most: number },
  ): Promise<readonly CatalogueEntry[]> {
    this.#requireComplete();
    const view = this.#view(list);
    return view.after(wanted, place, now, (row) => this.#listed(list, view, row));
  }

  /** The same, addresses only. */
  async addressesAfter(
    list: ListName,
    wanted: EntryQuery,
    place: { after: string | undefined; most: number },
  ): Promise<readonly string[]> {
    this.#requireComplete();
    const { table } = this.#view(list);
    return this.#view(list).after(wanted, place, now, (row) => table.address(row));
  }

  count(list: ListName, wanted: EntryQuery): number {
    this.#requireComplete();
    return this.#view(list).count(wanted, now());
  }

  /** One entry, by its text. */
  entry(list: ListName, text: string): CatalogueEntry | undefined {
    const view = this.#view(list);
    const row = view.table.find(text);
    return row !== undefined && view.table.isHeld(row, now()) ? this.#listed(list, view, row) : undefined;
  }

  /**
   * Visits what nodes deny by the blocklist as of now, without what the safelist lets pass.
   * @param wallMs now, by the clock that the ends are given by
   */
  async eachDenied(wallMs: number, visit: (denied: DeniedBlock) => void): Promise<void> {
    this.#requireComplete();
    const moment = now();
    const isLeftOut = (block: Block) => this.#tables.isUnrecorded(block);
    await eachDenied(this.#tables.pair, { now: moment, offset: wallMs - moment, isLeftOut }, visit);
  }

  /** What a preview reads about the entries around an address, as of now. */
  async around(): Promise<EntriesAround> {
    if (!this.isComplete)
      return { endOf: () => undefined, cover: () => undefined, deciding: () => undefined, inside: () => 0 };
    const { safelist, blocklist } = this.#tables.pair;
    const counters = {
      safelist: await this.#view("safelist").insideCounter(),
      blocklist: await this.#view("blocklist").insideCounter(),
    };
    return entriesAround({ safelist, blocklist }, counters, now, (ms) => ms + this.#wallOffset());
  }

  /** Addresses of bans that have had no entry for this long. */
  bansOlderThan(ms: number): string[] {
    return this.#tables.bansOlderThan(ms);
  }

  close(): void {
    this.#schedule.close();
    void this.#mirror.close();
  }

  #requireComplete(): void {
    if (this.isComplete) return;
    throw new DomainError(
      "redis-unavailable",
      "The console is still loading the lists. Try again in a moment.",
    );
  }

  #listed(list: ListName, { table }: ListView, row: number): CatalogueEntry {
    const other = this.#tables.pair[list === "safelist" ? "blocklist" : "safelist"];
    return listed(table, row, { other, protector: this.#protector, now: now(), offset: this.#wallOffset() });
  }

  /** The clock of the day may be set. While it only drifts, returned times stay the same. */
  #wallOffset(): number {
    const offset = Date.now() - now();
    if (Math.abs(offset - this.#offset) > 1_000) this.#offset = offset;
    return this.#offset;
  }

  #view(list: ListName): ListView {
    const table = this.#tables.pair[list];
    return madeOnce(this.#views, table, () => new ListView(table));
  }

  #becomeCurrent(): void {
    this.#isReady();
    this.#options.onCurrent?.();
    for (const list of listNames) void this.#view(list).prepare();
  }

  #hearChange(change: number): void {
    const before = this.loss;
    this.#watch.heardChange(change);
    this.#tables.settle();
    if (this.loss && this.loss !== before) this.#options.onLoss?.();
  }

  async #readNeverBlock(): Promise<void> {
    const ranges = await readNeverBlock(this.#mirror.feed);
    this.#watch.heardRanges(ranges);
    this.#ranges = ranges;
    const all = [...this.#options.protectedRanges, ...ranges];
    this.#protector = protector(all);
    const guarded = rangeList(all.map(({ range }) => range));
    if (guarded.ranges.join() === this.#guarded) return;
    this.#guarded = guarded.ranges.join();
    void this.#tables.guard((block) => guarded.overlapping(block) !== undefined);
  }
}
