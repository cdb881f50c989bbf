import type { Found } from "./find.ts";
import { flag, oddFlags } from "./rows.ts";
import type { Shelf } from "./shelf.ts";

/** Parts of a list that are often asked for. `foreign`: not written by Sluice, or not obeyed. */
export type Facet = "all" | "expiring" | "mine" | "ranges" | "permanent" | "foreign";
export type FacetCounts = Readonly<Record<Facet, number>>;

/** From whose place a list is looked at. */
export interface Angle {
  /** Whose entries are "mine". */
  readonly by?: string | undefined;
  /** What ends within this time is "expiring": a day unless chosen. */
  readonly withinMs?: number | undefined;
}

const dayMs = 86_400_000;

/** Does a row belong there? */
export function facetTest(shelf: Shelf, facet: Facet, { by, withinMs = dayMs }: Angle, now: number) {
  const { flags, endsAt, by: writer } = shelf.rows.columns;
  const mine = by === undefined ? 0 : shelf.texts.find(by);
  const tests: Record<Facet, (row: number) => boolean> = {
    all: () => true,
    expiring: (row) => (endsAt[row] ?? 0) <= now + withinMs,
    mine: (row) => mine !== 0 && writer[row] === mine,
    ranges: (row) => ((flags[row] ?? 0) & flag.isRange) !== 0,
    permanent: (row) => endsAt[row] === Number.POSITIVE_INFINITY,
    foreign: (row) => ((flags[row] ?? 0) & oddFlags) !== 0,
  };
  return tests[facet];
}

/** How many of what was found each facet has. */
export function countFacets(
  shelf: Shelf,
  { marks, covering }: Found,
  { by, withinMs = dayMs }: Angle,
  now: number,
): FacetCounts {
  const counts = { all: 0, expiring: 0, mine: 0, ranges: 0, permanent: 0, foreign: 0 };
  const mine = by === undefined ? 0 : shelf.texts.find(by);
  const { flags, endsAt, by: writer } = shelf.rows.columns;
  const count = (row: number) => {
    const [flagsHere = 0, end = 0] = [flags[row], endsAt[row]];
    if ((flagsHere & flag.isAlive) === 0 || end <= now) return;
    counts.all++;
    if (end <= now + withinMs) counts.expiring++;
    else if (end === Number.POSITIVE_INFINITY) counts.permanent++;
    if (mine !== 0 && writer[row] === mine) counts.mine++;
    if ((flagsHere & flag.isRange) !== 0) counts.ranges++;
    if ((flagsHere & oddFlags) !== 0) counts.foreign++;
  };
  for (let row = 0; row < shelf.rows.end; row++) if (!marks || marks[row] === 1) count(row);
  for (const row of covering ?? []) count(row);
  return counts;
}
