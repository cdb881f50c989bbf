import { DomainError } from "../errors.ts";
import { rangeList } from "../ip/range-list.ts";
import type { RedisSource } from "../redis/connect.ts";
import { keys, type ListName, listNames } from "../redis/keys.ts";
import { Mirror } from "../redis/mirror.ts";
import { aroundOf } from "./catalogue/around.ts";
import { type ListedEntry, listed } from "./catalogue/listing.ts";
import { type Loss, type LossCounts, LossWatch } from "./catalogue/loss.ts";
import { Missing } from "./catalogue/missing.ts";
import { catalogueScripts } from "./catalogue/reading.ts";
import { Shelves } from "./catalogue/shelves.ts";
import { type Page, View, type Wanted, type WantedPage } from "./catalogue/view.ts";
import { readNeverBlock } from "./never-block.ts";
import type { NeverBlockRange } from "./never-block-ranges.ts";
import type { Around } from "./preview.ts";
import { type ProtectedRange, protector } from "./protected.ts";

export interface CataloguePage extends Page<ListedEntry> {
  readonly total: number;
  /** False while the first load runs: nothing is told before it is done. */
  readonly isComplete: boolean;
  /** Ms: the moment for which this holds. */
  readonly asOf: number;
  /** How long ago it was last certain that nothing was missed. */
  readonly ageMs: number;
}

export interface CatalogueOptions {
  readonly redis: RedisSource;
  /** What may never be blocked, by the environment; what Redis adds is followed. */
  readonly protectedRanges: readonly ProtectedRange[];
  /** The copy is complete and current, for the first time or again. */
  readonly onCurrent?: () => void;
  /** Redis came back empty. */
  readonly onLoss?: () => void;
}

const none = { all: 0, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 };
const now = () => performance.now();

/** The console's own copy of both lists, with everything that entries say: what pages list, search, count and restore from. */
export class Catalogue {
  readonly #watch = new LossWatch();
  readonly #shelves = new Shelves(this.#watch, now);
  readonly #mirror: Mirror;
  readonly #options: CatalogueOptions;
  readonly #startedAt = now();
  readonly #missing = new Missing();
  readonly #views = new WeakMap<object, View>();
  /** What to add to the monotonic clock for the time of day. */
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

  constructor(options: CatalogueOptions) {
    this.#options = options;
    const events = {
      onCurrent: () => this.#becomeCurrent(),
      onLost: () => {},
      onApplied: (change: number) => this.#hearChange(change),
      onOther: (key: string) => (key === keys.neverBlock() ? this.#readNeverBlock() : undefined),
    };
    this.#mirror = new Mirror(options.redis, this.#shelves, events, catalogueScripts);
  }

  get isComplete(): boolean {
    return this.#shelves.isComplete;
  }

  /** How long ago it was last certain that nothing was missed. */
  get ageMs(): number {
    return Math.min(this.#mirror.ageMs, now() - this.#startedAt);
  }

  get sizes(): Readonly<Record<ListName, number>> {
    const { safelist, blocklist } = this.#shelves.pair;
    return { safelist: safelist.size, blocklist: blocklist.size };
  }

  /** Another number after every change. */
  get version(): number {
    const { safelist, blocklist } = this.#shelves.pair;
    return safelist.version + blocklist.version;
  }

  /** What Redis lost, until it is restored or dismissed. */
  get loss(): Loss | undefined {
    return this.#watch.loss;
  }

  /** How much of it is not back yet. What is back altogether is no loss any more. */
  async missing(): Promise<{ readonly at: number; readonly counts: LossCounts } | undefined> {
    const { loss } = this;
    if (!loss) return undefined;
    const counts = await this.#missing.count(loss, this.#shelves.pair, this.version, now);
    const isBack = ({ range }: NeverBlockRange) => this.#ranges.some((held) => held.range === range);
    const neverBlock = loss.neverBlock.filter((range) => !isBack(range)).length;
    if (counts.safelist + counts.blocklist + neverBlock > 0)
      return { at: loss.at, counts: { ...counts, neverBlock } };
    this.forgetLoss(loss);
    return undefined;
  }

  /** Another loss may have been noticed meanwhile, and stays. */
  forgetLoss(expected: Loss): void {
    if (this.loss === expected) this.#watch.loss = undefined;
  }

  async page(list: ListName, wanted: WantedPage): Promise<CataloguePage> {
    const about = { isComplete: this.isComplete, asOf: Date.now(), ageMs: Math.round(this.ageMs) };
    const view = this.#view(list);
    const total = view.shelf.size;
    if (!this.isComplete) return { ...about, total, matching: 0, facets: none, entries: [] };
    const page = await view.page(wanted, now, (row) => this.#listed(list, view, row));
    return { ...about, total, ...page };
  }

  /** What is wanted, in the order of addresses, at most so many after a certain one. */
  async after(
    list: ListName,
    wanted: Wanted,
    place: { after: string | undefined; most: number },
  ): Promise<readonly ListedEntry[]> {
    this.#requireComplete();
    const view = this.#view(list);
    return view.after(wanted, place, now, (row) => this.#listed(list, view, row));
  }

  /** The same, and only where it is. */
  async addressesAfter(
    list: ListName,
    wanted: Wanted,
    place: { after: string | undefined; most: number },
  ): Promise<readonly string[]> {
    this.#requireComplete();
    const { shelf } = this.#view(list);
    return this.#view(list).after(wanted, place, now, (row) => shelf.address(row));
  }

  count(list: ListName, wanted: Wanted): number {
    this.#requireComplete();
    return this.#view(list).count(wanted, now());
  }

  /** One entry as it stands, by its text. */
  entry(list: ListName, text: string): ListedEntry | undefined {
    const view = this.#view(list);
    const row = view.shelf.find(text);
    return row !== undefined && view.shelf.isHeld(row, now()) ? this.#listed(list, view, row) : undefined;
  }

  /** What a preview wants to know of the places around, as of now. */
  async around(): Promise<Around> {
    if (!this.isComplete) return { endOf: () => undefined, cover: () => undefined, inside: () => 0 };
    const { safelist, blocklist } = this.#shelves.pair;
    const counters = {
      safelist: await this.#view("safelist").insideCounter(),
      blocklist: await this.#view("blocklist").insideCounter(),
    };
    return aroundOf({ safelist, blocklist }, counters, now, (ms) => ms + this.#wallOffset());
  }

  close(): void {
    this.#shelves.close();
    this.#mirror.close();
  }

  #requireComplete(): void {
    if (this.isComplete) return;
    throw new DomainError(
      "redis-unavailable",
      "The console is still loading the lists. Try again in a moment.",
    );
  }

  #listed(list: ListName, { shelf }: View, row: number): ListedEntry {
    const other = this.#shelves.pair[list === "safelist" ? "blocklist" : "safelist"];
    return listed(shelf, row, { other, protector: this.#protector, now: now(), offset: this.#wallOffset() });
  }

  /** The clock of the day may be set; while it only drifts, what was told stays the same. */
  #wallOffset(): number {
    const offset = Date.now() - now();
    if (Math.abs(offset - this.#offset) > 1_000) this.#offset = offset;
    return this.#offset;
  }

  #view(list: ListName): View {
    const shelf = this.#shelves.pair[list];
    const view = this.#views.get(shelf) ?? new View(shelf);
    this.#views.set(shelf, view);
    return view;
  }

  #becomeCurrent(): void {
    this.#isReady();
    this.#options.onCurrent?.();
    for (const list of listNames) void this.#view(list).prepare();
  }

  #hearChange(change: number): void {
    const before = this.loss;
    this.#watch.heardChange(change);
    this.#shelves.settle();
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
    void this.#shelves.guard((block) => guarded.overlapping(block) !== undefined);
  }
}
