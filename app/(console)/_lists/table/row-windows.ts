import type { EntriesPage, ListedEntry } from "../../../../lib/queries/entries.ts";
import type { Span } from "./scroll-map.ts";

/** How many rows one read fetches. */
export const windowSize = 100;

/** The offsets of the reads that hold these rows. */
export function windowsFor({ from, to }: Span): readonly number[] {
  const first = windowOf(from);
  const count = (windowOf(Math.max(from, to - 1)) - first) / windowSize + 1;
  return Array.from({ length: count }, (_, i) => first + i * windowSize);
}

/** Entries by their place in the whole list, as far as they have been read. */
export type Rows = ReadonlyMap<number, ListedEntry>;

export function rowsOf(pages: readonly { offset: number; page: EntriesPage | undefined }[]): Rows {
  const rows = new Map<number, ListedEntry>();
  for (const { offset, page } of pages) {
    for (const [i, entry] of (page?.entries ?? []).entries()) rows.set(offset + i, entry);
  }
  return rows;
}

/** What is said of all rows: of the read that is the latest. */
export function latest(pages: readonly (EntriesPage | undefined)[]): EntriesPage | undefined {
  return pages.reduce((best, page) => (page && page.asOf > (best?.asOf ?? -1) ? page : best), undefined);
}

export interface HeldRow {
  readonly entry: ListedEntry;
  /** It was on the list when the rows were held, and is not any more. */
  readonly isGone: boolean;
}

export interface Held {
  readonly rows: ReadonlyMap<number, HeldRow>;
  /** The list has changed, so that other rows would stand here now. */
  readonly isBehind: boolean;
}

/**
 * Rows that somebody points at keep their places: what they say is refreshed, and what is gone stays, marked.
 * @param read offsets of the windows in `fresh`; of other rows nothing is known
 */
export function hold(kept: Rows, fresh: Rows, read: readonly number[]): Held {
  const now = new Map([...fresh.values()].map((entry) => [entry.address, entry]));
  const rows = new Map<number, HeldRow>();
  for (const [place, entry] of fresh) rows.set(place, { entry, isGone: false });
  let isBehind = false;
  // What is missing at the end may only have moved on into rows that are not read.
  let isFollowed = false;
  for (const [place, entry] of [...kept].sort(([a], [b]) => b - a)) {
    const isRead = read.includes(windowOf(place));
    const found = now.get(entry.address);
    isFollowed ||= found !== undefined;
    isBehind ||= isRead && fresh.get(place)?.address !== entry.address;
    rows.set(place, { entry: found ?? entry, isGone: isRead && !found && isFollowed });
  }
  return { rows, isBehind };
}

function windowOf(place: number): number {
  return Math.floor(place / windowSize) * windowSize;
}
