import { tagForm } from "@/lib/enforce/lists/entry.ts";
import { entries, type Facet, facets, type Sort, sorts } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";

/** View of the table in the URL: a link opens the same rows. */
export interface ListUrl {
  readonly q: string;
  readonly facet: Facet;
  /** Empty for all. */
  readonly tag: string;
  readonly sort: Sort;
  readonly dir: "asc" | "desc";
  /** Row at the top. */
  readonly offset: number;
}

export const plainUrl: ListUrl = { q: "", facet: "all", tag: "", sort: "at", dir: "desc", offset: 0 };
const longestSearch = 200;

interface Search {
  get(name: string): string | null;
}

/** View of a URL, which may be typed. Ignores invalid values. */
export function readListUrl(search: Search): ListUrl {
  const facet = facets.find((known) => known === search.get("facet")) ?? plainUrl.facet;
  const sort = sorts.find((known) => known === search.get("sort")) ?? plainSort(facet).sort;
  const given = search.get("dir");
  const dir = given === "asc" || given === "desc" ? given : firstDirection(sort);
  const tag = search.get("tag") ?? "";
  const offset = Number(search.get("offset") ?? 0);
  return {
    q: (search.get("q") ?? "").slice(0, longestSearch),
    ...{ facet, tag: tagForm.test(tag) ? tag : plainUrl.tag, sort, dir },
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** Only the differences from the default view, for short links. */
export function writeListUrl({ q, facet, tag, sort, dir, offset }: ListUrl): string {
  const search = new URLSearchParams();
  if (q !== "") search.set("q", q);
  if (facet !== plainUrl.facet) search.set("facet", facet);
  if (tag !== plainUrl.tag) search.set("tag", tag);
  if (sort !== plainSort(facet).sort) search.set("sort", sort);
  if (dir !== firstDirection(sort)) search.set("dir", dir);
  if (offset > 0) search.set("offset", String(offset));
  return search.size > 0 ? `?${search}` : "";
}

export function withSearch(url: ListUrl, q: string): ListUrl {
  return { ...url, q: q.slice(0, longestSearch), offset: 0 };
}

/** Entries that expire soon are sorted by expiry, others by the time they were added. A chosen order stays. */
export function withFacet(url: ListUrl, facet: Facet): ListUrl {
  const before = plainSort(url.facet);
  const isChosen = url.sort !== before.sort || url.dir !== before.dir;
  return { ...url, ...(isChosen ? {} : plainSort(facet)), facet, offset: 0 };
}

export function withTag(url: ListUrl, tag: string): ListUrl {
  return { ...url, tag, offset: 0 };
}

/** The same column again reverses the order. */
export function withSort(url: ListUrl, sort: Sort): ListUrl {
  const isSame = url.sort === sort;
  const turned = url.dir === "asc" ? "desc" : "asc";
  return { ...url, sort, dir: isSame ? turned : firstDirection(sort), offset: 0 };
}

/** A new view starts at the top. */
export function isSameView(one: ListUrl, other: ListUrl): boolean {
  return (["q", "facet", "tag", "sort", "dir"] as const).every((part) => one[part] === other[part]);
}

function plainSort(facet: Facet): Pick<ListUrl, "sort" | "dir"> {
  return facet === "expiring" ? { sort: "expires", dir: "asc" } : { sort: plainUrl.sort, dir: plainUrl.dir };
}

function firstDirection(sort: Sort): "asc" | "desc" {
  return sort === "at" || sort === "hits" ? "desc" : "asc";
}

/** Rows of one read. */
export const windowSize = 100;

/** Read of the rows from `offset`. */
export function windowRead(list: ListName, { q, facet, tag, sort, dir }: ListUrl, offset: number) {
  return entries({
    list,
    q: q || undefined,
    facet,
    tag: tag || undefined,
    sort,
    dir,
    offset,
    limit: windowSize,
  });
}
