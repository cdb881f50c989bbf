import type { RowMatches } from "./find.ts";
import type { ListTable } from "./list-table.ts";
import { flag, noRow, oddFlags } from "./rows.ts";
import type { TagCount } from "./tag-sets.ts";

/** Common parts of a list. `foreign`: not written by Sluice, or not enforced. */
export type Facet = "all" | "expiring" | "mine" | "ranges" | "permanent" | "foreign";
export type FacetCounts = Readonly<Record<Facet, number>>;

/** What the facets of a list depend on. */
export interface FacetTerms {
  /** The author whose entries are "mine". */
  readonly by?: string | undefined;
  /** What ends within this time is "expiring": a day unless chosen. */
  readonly withinMs?: number | undefined;
}

/** The part of a list that a filter leaves. */
export interface FacetFilter extends FacetTerms {
  readonly facet?: Facet | undefined;
  readonly tag?: string | undefined;
}

const dayMs = 86_400_000;

/** Does a row pass the filter? */
export function filterTest(table: ListTable, { facet = "all", tag, ...terms }: FacetFilter, now: number) {
  const isOfFacet = facetTest(table, facet, terms, now);
  if (tag === undefined) return isOfFacet;
  const isTagged = table.tagSets.having(tag);
  const { tags } = table.rows.columns;
  return (row: number) => isTagged[tags[row] ?? noRow(row)] === 1 && isOfFacet(row);
}

/** Does a row belong there? */
function facetTest(table: ListTable, facet: Facet, { by, withinMs = dayMs }: FacetTerms, now: number) {
  const { flags, endsAt, by: writer } = table.rows.columns;
  const mine = by === undefined ? 0 : table.texts.find(by);
  const tests: Record<Facet, (row: number) => boolean> = {
    all: () => true,
    expiring: (row) => (endsAt[row] ?? noRow(row)) <= now + withinMs,
    mine: (row) => mine !== 0 && writer[row] === mine,
    ranges: (row) => ((flags[row] ?? noRow(row)) & flag.isRange) !== 0,
    permanent: (row) => endsAt[row] === Number.POSITIVE_INFINITY,
    foreign: (row) => ((flags[row] ?? noRow(row)) & oddFlags) !== 0,
  };
  return tests[facet];
}

/** How many of the matching rows each facet has among those with the tag, and each tag among those of the facet. */
export function countFacets(
  table: ListTable,
  { marks, covering }: RowMatches,
  { facet = "all", tag, ...terms }: FacetFilter,
  now: number,
): { facets: FacetCounts; tags: TagCount[] } {
  const { by, withinMs = dayMs } = terms;
  const counts = { all: 0, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 };
  const mine = by === undefined ? 0 : table.texts.find(by);
  const { flags, endsAt, by: writer, tags } = table.rows.columns;
  const isOfFacet = facetTest(table, facet, terms, now);
  const uses = new Uint32Array(table.tagSets.end);
  const isTagged = tag === undefined ? undefined : table.tagSets.having(tag);
  const count = (row: number) => {
    const [flagsHere, end] = [flags[row] ?? noRow(row), endsAt[row] ?? noRow(row)];
    if ((flagsHere & flag.isAlive) === 0 || end <= now) return;
    const set = tags[row] ?? noRow(row);
    if (set !== 0 && isOfFacet(row)) uses[set] = (uses[set] ?? 0) + 1;
    if (isTagged && isTagged[set] !== 1) return;
    counts.all++;
    if (end <= now + withinMs) counts.expiring++;
    else if (end === Number.POSITIVE_INFINITY) counts.permanent++;
    if (mine !== 0 && writer[row] === mine) counts.mine++;
    if ((flagsHere & flag.isRange) !== 0) counts.ranges++;
    if ((flagsHere & oddFlags) !== 0) counts.foreign++;
  };
  for (let row = 0; row < table.rows.end; row++) if (!marks || marks[row] === 1) count(row);
  for (const row of covering ?? []) count(row);
  return { facets: counts, tags: table.tagSets.count(uses) };
}
