import { madeOnce } from "../../at.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { loopTurn } from "../../redis/loop-turn.ts";
import { type Column, comparison, isBefore, isUpTo, type Sort } from "./compare.ts";
import { countFacets, type FacetCounts, type FacetFilter, filterTest } from "./facets.ts";
import { find, type RowMatches } from "./find.ts";
import type { ListTable } from "./list-table.ts";
import { Order } from "./order.ts";
import { noRow } from "./rows.ts";
import type { TagCount } from "./tag-sets.ts";

/** A search for entries. */
export interface EntryQuery extends FacetFilter {
  readonly q?: string | undefined;
}

export interface EntryPageQuery extends EntryQuery {
  readonly sort?: Sort | undefined;
  readonly dir?: "asc" | "desc" | undefined;
  /** For the order of hits: the busiest entries by address, the busiest first. Others follow by address. */
  readonly busiest?: readonly string[] | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface EntryPage<T> {
  readonly entries: T[];
  readonly matching: number;
  readonly facets: FacetCounts;
  /** The most frequent first. */
  readonly tags: readonly TagCount[];
  /** The most specific first. */
  readonly covering?: string[];
}

/** Most searches whose result is kept: each takes a byte for each entry. */
const mostFound = 16;

/** Reads a table: sorted, searched, a page at a time. */
export class ListView {
  readonly table: ListTable;
  readonly #orders = new Map<Column, Order>();
  readonly #found = new Map<string, { readonly version: number; readonly found: RowMatches }>();

  constructor(table: ListTable) {
    this.table = table;
  }

  /** Sorts by every column, so that no reader has to wait for it. */
  async prepare(): Promise<void> {
    for (const sort of ["at", "address", "expires", "reason", "by"] as const)
      await this.#order(sort).refresh();
  }

  /** @param read reads a row: called at once, because row numbers are reused */
  async page<T>(wanted: EntryPageQuery, now: () => number, read: (row: number) => T): Promise<EntryPage<T>> {
    const { q = "", facet = "all", sort = "at", dir = "desc", offset = 0, limit = 50 } = wanted;
    await this.#search(q, now);
    const order = await this.#ordered(sort === "hits" ? "address" : sort);
    // From here on no other work has a turn.
    const moment = now();
    const found = this.#find(q, moment);
    const { facets, tags } = countFacets(this.table, found, wanted, moment);
    const isWanted = this.#test(found, wanted, moment);
    const covering = found.covering?.filter((row) => this.table.isHeld(row, moment));
    const first = (covering ?? []).filter(filterTest(this.table, wanted, moment));
    const rows = first.slice(offset, offset + limit);
    const skipped = Math.max(offset - first.length, 0);
    const left = limit - rows.length;
    if (sort === "hits") {
      const busy = this.#rowsOf(wanted.busiest ?? []).filter(isWanted);
      const quiet = facets[facet] - first.length - busy.length;
      rows.push(...this.#pickByHits({ order, busy, quiet, dir, isWanted, skipped, left }));
    } else rows.push(...pick(order.rows, dir, isWanted, skipped, left));
    return {
      ...{ entries: rows.map(read), matching: facets[facet], facets, tags },
      ...(covering && { covering: covering.map((row) => this.table.address(row)) }),
    };
  }

  /** The entries that match, in the order of addresses, after a given one. */
  async after<T>(
    wanted: EntryQuery,
    { after, most }: { after: string | undefined; most: number },
    now: () => number,
    read: (row: number) => T,
  ): Promise<T[]> {
    const { q = "" } = wanted;
    await this.#search(q, now);
    const order = await this.#ordered("address");
    const moment = now();
    const found = this.#find(q, moment);
    const covering = new Set(found.covering);
    const isMarked = this.#test(found, wanted, moment);
    const isOfFilter = filterTest(this.table, wanted, moment);
    const isWanted = (row: number) =>
      isMarked(row) || (covering.has(row) && this.table.isHeld(row, moment) && isOfFilter(row));
    const start = after === undefined ? 0 : order.position(isUpTo(this.table, after));
    return pick(order.rows.subarray(start), "asc", isWanted, 0, most).map(read);
  }

  /** How many entries match. */
  count(wanted: EntryQuery, now: number): number {
    const { q = "", facet = "all" } = wanted;
    return countFacets(this.table, this.#find(q, now), wanted, now).facets[facet];
  }

  /** Counts entries inside of a range. Right until other work has a turn. */
  async insideCounter(): Promise<(range: Ip | Cidr) => number> {
    const order = await this.#ordered("address");
    return (range) => {
      const block = blockOf(range);
      const from = order.position(isBefore(this.table, block, "inside"));
      return order.position(isBefore(this.table, block, "end")) - from;
    };
  }

  #rowsOf(addresses: readonly string[]): number[] {
    return addresses.flatMap((address) => this.table.find(address) ?? []);
  }

  /** Busy rows are before all others, or after them in the other direction. */
  #pickByHits({ order, busy, quiet, dir, isWanted, skipped, left }: PickByHits): number[] {
    const isBusy = new Uint8Array(this.table.rows.end);
    for (const row of busy) isBusy[row] = 1;
    const isQuiet = (row: number) => isBusy[row] === 0 && isWanted(row);
    if (dir === "desc") {
      const picked = busy.slice(skipped, skipped + left);
      const skippedQuiet = Math.max(0, skipped - busy.length);
      return [...picked, ...pick(order.rows, "asc", isQuiet, skippedQuiet, left - picked.length)];
    }
    const picked = pick(order.rows, "asc", isQuiet, skipped, left);
    const skippedBusy = Math.max(0, skipped - quiet);
    return [...picked, ...busy.toReversed().slice(skippedBusy, skippedBusy + left - picked.length)];
  }

  async #ordered(sort: Column): Promise<Order> {
    const order = this.#order(sort);
    do await order.refresh();
    while (!order.isRight);
    return order;
  }

  #order(sort: Column): Order {
    return madeOnce(this.#orders, sort, () => new Order(this.table, comparison(this.table, sort)));
  }

  /** Among a million entries, a search takes as long as counting and picking what it found: each has a turn of its own. */
  async #search(q: string, now: () => number): Promise<void> {
    this.#find(q, now());
    await loopTurn();
  }

  /** The same search repeats: for the next page or piece, in another order, or to refresh the page. */
  #find(q: string, now: number): RowMatches {
    const { version } = this.table;
    const known = this.#found.get(q);
    const found = known?.version === version ? known.found : find(this.table, q, now);
    // The last used is the last in line to go.
    this.#found.delete(q);
    this.#found.set(q, { version, found });
    for (const oldest of this.#found.keys()) if (this.#found.size > mostFound) this.#found.delete(oldest);
    return found;
  }

  #test({ marks }: RowMatches, wanted: EntryQuery, now: number): (row: number) => boolean {
    const isOfFilter = filterTest(this.table, wanted, now);
    const { endsAt } = this.table.rows.columns;
    return (row) => (!marks || marks[row] === 1) && (endsAt[row] ?? noRow(row)) > now && isOfFilter(row);
  }
}

interface PickByHits {
  /** By address. */
  readonly order: Order;
  /** The busiest first. */
  readonly busy: readonly number[];
  /** The number of other rows that match. */
  readonly quiet: number;
  readonly dir: "asc" | "desc";
  readonly isWanted: (row: number) => boolean;
  readonly skipped: number;
  readonly left: number;
}

function pick(
  rows: Uint32Array,
  dir: "asc" | "desc",
  isWanted: (row: number) => boolean,
  skipped: number,
  limit: number,
): number[] {
  const picked: number[] = [];
  let left = skipped;
  const step = dir === "asc" ? 1 : -1;
  for (let at = dir === "asc" ? 0 : rows.length - 1; at >= 0 && at < rows.length; at += step) {
    if (picked.length >= limit) break;
    const row = rows[at] ?? noRow(at);
    if (isWanted(row) && left-- <= 0) picked.push(row);
  }
  return picked;
}
