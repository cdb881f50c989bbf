import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { comparison, isBefore, isUpTo, type Sort } from "./compare.ts";
import { type Angle, countFacets, type Facet, type FacetCounts, facetTest } from "./facets.ts";
import { type Found, find } from "./find.ts";
import { Order } from "./order.ts";
import type { Shelf } from "./shelf.ts";

/** Which entries somebody wants. */
export interface Wanted extends Angle {
  readonly q?: string | undefined;
  readonly facet?: Facet | undefined;
}

export interface WantedPage extends Wanted {
  readonly sort?: Sort | undefined;
  readonly dir?: "asc" | "desc" | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface Page<T> {
  readonly entries: T[];
  readonly matching: number;
  readonly facets: FacetCounts;
  /** The most specific first. */
  readonly covering?: string[];
}

/** Reads a shelf: sorted, searched, a page at a time. */
export class View {
  readonly shelf: Shelf;
  readonly #orders = new Map<Sort, Order>();
  #lastFound: { readonly q: string; readonly version: number; readonly found: Found } | undefined;

  constructor(shelf: Shelf) {
    this.shelf = shelf;
  }

  /** Sorts by everything, so that nobody who asks has to wait for it. */
  async prepare(): Promise<void> {
    for (const sort of ["at", "address", "expires", "reason", "by"] as const)
      await this.#order(sort).refresh();
  }

  /** @param tell what a row says: asked at once, because rows are numbers that others may get */
  async page<T>(wanted: WantedPage, now: () => number, tell: (row: number) => T): Promise<Page<T>> {
    const { q = "", facet = "all", sort = "at", dir = "desc", offset = 0, limit = 50 } = wanted;
    const order = await this.#ordered(sort);
    // From here on nobody else has a turn.
    const moment = now();
    const found = this.#find(q, moment);
    const facets = countFacets(this.shelf, found, wanted, moment);
    const isWanted = this.#test(found, wanted, moment);
    const covering = found.covering?.filter((row) => this.shelf.isHeld(row, moment));
    const first = (covering ?? []).filter(facetTest(this.shelf, facet, wanted, moment));
    const rows = first.slice(offset, offset + limit);
    const skipped = Math.max(offset - first.length, 0);
    rows.push(...pick(order.rows, dir, isWanted, skipped, limit - rows.length));
    return {
      ...{ entries: rows.map(tell), matching: facets[facet], facets },
      ...(covering && { covering: covering.map((row) => this.shelf.address(row)) }),
    };
  }

  /** What is wanted, in the order of addresses, at most so many after a certain one. */
  async after<T>(
    wanted: Wanted,
    { after, most }: { after: string | undefined; most: number },
    now: () => number,
    tell: (row: number) => T,
  ): Promise<T[]> {
    const { q = "", facet = "all" } = wanted;
    const order = await this.#ordered("address");
    const moment = now();
    const found = this.#find(q, moment);
    const covering = new Set(found.covering);
    const isMarked = this.#test(found, wanted, moment);
    const isOfFacet = facetTest(this.shelf, facet, wanted, moment);
    const isWanted = (row: number) =>
      isMarked(row) || (covering.has(row) && this.shelf.isHeld(row, moment) && isOfFacet(row));
    const start = after === undefined ? 0 : order.position(isUpTo(this.shelf, after));
    return pick(order.rows.subarray(start), "asc", isWanted, 0, most).map(tell);
  }

  /** How many are wanted. */
  count(wanted: Wanted, now: number): number {
    const { q = "", facet = "all" } = wanted;
    return countFacets(this.shelf, this.#find(q, now), wanted, now)[facet];
  }

  /** Counts entries inside of a range. Right for as long as nobody else has a turn. */
  async insideCounter(): Promise<(range: Ip | Cidr) => number> {
    const order = await this.#ordered("address");
    return (range) => {
      const block = blockOf(range);
      const from = order.position(isBefore(this.shelf, block, "inside"));
      return order.position(isBefore(this.shelf, block, "end")) - from;
    };
  }

  async #ordered(sort: Sort): Promise<Order> {
    const order = this.#order(sort);
    do await order.refresh();
    while (!order.isRight);
    return order;
  }

  #order(sort: Sort): Order {
    const order = this.#orders.get(sort) ?? new Order(this.shelf, comparison(this.shelf, sort));
    this.#orders.set(sort, order);
    return order;
  }

  /** The same search is asked again and again: for the next page, in another order, to see what is new. */
  #find(q: string, now: number): Found {
    const { version } = this.shelf;
    const last = this.#lastFound;
    if (last && last.q === q && last.version === version) return last.found;
    const found = find(this.shelf, q, now);
    this.#lastFound = { q, version, found };
    return found;
  }

  #test({ marks }: Found, wanted: Wanted, now: number): (row: number) => boolean {
    const isOfFacet = facetTest(this.shelf, wanted.facet ?? "all", wanted, now);
    const { endsAt } = this.shelf.rows.columns;
    return (row) => (!marks || marks[row] === 1) && (endsAt[row] ?? 0) > now && isOfFacet(row);
  }
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
    const row = rows[at] ?? 0;
    if (isWanted(row) && left-- <= 0) picked.push(row);
  }
  return picked;
}
