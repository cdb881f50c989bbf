import type { RowMatches } from "./find.ts";
import type { ListTable } from "./list-table.ts";
import { flag, noRow, oddFlags } from "./rows.ts";

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

const dayMs = 86_400_000;

/** Does a row belong there? */
export function facetTest(table: ListTable, facet: Facet, { by, withinMs = dayMs }: FacetTerms, now: number) {
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

/** How many of the matching rows each facet has. */
export function countFacets(
  table: ListTable,
  { marks, covering }: RowMatches,
  { by, withinMs = dayMs }: FacetTerms,
  now: number,
): FacetCounts {
  const counts = { all: 0, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 };
  const mine = by === undefined ? 0 : table.texts.find(by);
  const { flags, endsAt, by: writer } = table.rows.columns;
  const count = (row: number) => {
    const [flagsHere, end] = [flags[row] ?? noRow(row), endsAt[row] ?? noRow(row)];
    if ((flagsHere & flag.isAlive) === 0 || end <= now) return;
    counts.all++;
    if (end <= now + withinMs) counts.expiring++;
    else if (end === Number.POSITIVE_INFINITY) counts.permanent++;
    if (mine !== 0 && writer[row] === mine) counts.mine++;
    if ((flagsHere & flag.isRange) !== 0) counts.ranges++;
    if ((flagsHere & oddFlags) !== 0) counts.foreign++;
  };
  for (let row = 0; row < table.rows.end; row++) if (!marks || marks[row] === 1) count(row);
  for (const row of covering ?? []) count(row);
  return counts;
}
