import type { RefObject } from "react";
import type { ListEntry } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { ListUrl } from "../list-url.ts";
import { isSelected, type Selection } from "../selection/selection.ts";
import { isLapsing, type Lapsing } from "./lapse.ts";
import type { ListRows } from "./row-windows.ts";
import type { Span } from "./scroll-map.ts";

/** Heights in px. All rows have the same height: the position of a row follows from its place. */
export const heights = {
  /** The page's bar and the table's head stay while the rows scroll. Phones have neither. */
  bar: 52,
  head: 32,
  row: 36,
  /** Includes the space below it. */
  card: 112,
  /** Card with one more row of buttons, for entries that expire soon. */
  askingCard: 170,
} as const;

/** Actions of a row. */
export interface RowActs {
  pick(entry: ListEntry, place: number, hasShift: boolean): void;
  extend(entry: ListEntry, forMs: number | null): void;
  remove(entry: ListEntry): void;
  tag(entry: ListEntry): void;
  history(entry: ListEntry): void;
  lapse(entry: ListEntry): void;
}

/** One row. It is drawn again only when one of these changes; the reference to the actions never changes. */
export interface RowProps {
  readonly list: ListName;
  readonly place: number;
  readonly entry: ListEntry;
  readonly isGone: boolean;
  readonly isPicked: boolean;
  readonly isRemoving: boolean;
  readonly isLapsing: boolean;
  /** The entry expires soon, and listedBefore may be known. */
  readonly isExpiring: boolean;
  readonly listedBefore: number | undefined;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly acts: RefObject<RowActs>;
}

/** What the table and the cards have in common. */
export interface RowsView {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly rows: ListRows;
  readonly span: Span;
  readonly space: { readonly before: number; readonly after: number };
  readonly bodyRef: RefObject<HTMLElement | null>;
  readonly selection: Selection;
  readonly removing: ReadonlySet<string>;
  readonly lapsing: Lapsing;
  /** How often entries that expire soon were listed before. */
  readonly listedBefore: ReadonlyMap<string, number>;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly acts: RefObject<RowActs>;
  readonly onSort: (sort: ListUrl["sort"]) => void;
  readonly onPickAll: (seen: readonly ListEntry[]) => void;
}

/** Row in a place. Undefined while loading. */
function rowAt(view: RowsView, place: number): RowProps | undefined {
  const row = view.rows.rows.get(place);
  if (!row) return undefined;
  const { list, url, mayChange, mayForever, acts } = view;
  const { row: entry, isGone } = row;
  return {
    ...{ list, place, entry, isGone, mayChange, mayForever, acts },
    isPicked: isSelected(view.selection, entry.address),
    isRemoving: view.removing.has(entry.address),
    isLapsing: isLapsing(view.lapsing, entry),
    isExpiring: url.facet === "expiring",
    listedBefore: view.listedBefore.get(entry.address),
  };
}

/** Places to draw while the number of rows is unknown. */
const firstGuess: Span = { from: 0, to: 10 };

/** Places to draw, in order. */
export function placesIn(span: Span, count: number): readonly number[] {
  const { from, to } = count === 0 ? firstGuess : span;
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** A place that is drawn, with its row once that is loaded. */
interface DrawnPlace {
  readonly place: number;
  /** Moves with the entry, so that focus stays on it, and a click that is under way reaches no other. */
  readonly key: string | number;
  readonly row: RowProps | undefined;
}

/** While parts of a list are read one after the other, an entry may be at two places: the second one has a key of the place. */
export function drawnPlaces(view: RowsView): readonly DrawnPlace[] {
  const seen = new Set<string>();
  return placesIn(view.span, view.rows.count).map((place) => {
    const row = rowAt(view, place);
    const address = row?.entry.address;
    if (address === undefined || seen.has(address)) return { place, key: place, row };
    seen.add(address);
    return { place, key: address, row };
  });
}
