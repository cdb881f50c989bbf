import type { RefObject } from "react";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import type { ListUrl } from "../list-url.ts";
import { isLapsing, type Lapsing } from "./lapse.ts";
import type { HeldRow } from "./row-windows.ts";
import type { Span } from "./scroll-map.ts";
import { isSelected, type Selection } from "./selection.ts";

/** In px. Every row is as high as the others, so that a place says where it stands. */
export const heights = {
  /** The page's own bar and the table's head stay while the rows scroll; on phones there is neither. */
  bar: 52,
  head: 32,
  row: 36,
  /** With the space below it. */
  card: 112,
  /** A card that asks for a decision has a row of buttons more. */
  askingCard: 170,
} as const;

/** What can be done with a row. */
export interface RowActs {
  pick(entry: ListedEntry, place: number, hasShift: boolean): void;
  extend(entry: ListedEntry, forMs: number | null): void;
  remove(entry: ListedEntry): void;
  history(entry: ListedEntry): void;
  lapse(entry: ListedEntry): void;
}

/** One row. It is drawn again only when something of this changes: a reference to the acts is always the same one. */
export interface RowProps {
  readonly list: ListName;
  readonly place: number;
  readonly entry: ListedEntry;
  readonly isGone: boolean;
  readonly isPicked: boolean;
  readonly isRemoving: boolean;
  readonly isLapsing: boolean;
  /** It ends soon, and how often it was listed before may be known. */
  readonly isExpiring: boolean;
  readonly listedBefore: number | undefined;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly acts: RefObject<RowActs>;
}

/** What a table and cards draw alike. */
export interface RowsView {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly count: number;
  readonly rows: ReadonlyMap<number, HeldRow>;
  readonly span: Span;
  readonly space: { readonly before: number; readonly after: number };
  readonly bodyRef: RefObject<HTMLElement | null>;
  /** Other rows have been asked for, and are on their way. */
  readonly isChanging: boolean;
  /** Nothing newer can be read. */
  readonly isOld: boolean;
  readonly selection: Selection;
  readonly removing: ReadonlySet<string>;
  readonly lapsing: Lapsing;
  /** How often those that end soon were listed before. */
  readonly listedBefore: ReadonlyMap<string, number>;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly acts: RefObject<RowActs>;
  readonly onSort: (sort: ListUrl["sort"]) => void;
  readonly onHold: (isHeld: boolean) => void;
  readonly onPickAll: (seen: readonly ListedEntry[]) => void;
}

/** The row in a place; nothing while it is not read. */
export function rowAt(view: RowsView, place: number): RowProps | undefined {
  const row = view.rows.get(place);
  if (!row) return undefined;
  const { list, url, mayChange, mayForever, acts } = view;
  const { entry, isGone } = row;
  return {
    ...{ list, place, entry, isGone, mayChange, mayForever, acts },
    isPicked: isSelected(view.selection, entry.address),
    isRemoving: view.removing.has(entry.address),
    isLapsing: isLapsing(view.lapsing, entry),
    isExpiring: url.facet === "expiring",
    listedBefore: view.listedBefore.get(entry.address),
  };
}

/** Rows are on their way, and nobody knows yet how many. */
const firstGuess: Span = { from: 0, to: 10 };

/** The places to draw, in their order. */
export function placesIn({ span, count }: Pick<RowsView, "span" | "count">): readonly number[] {
  const { from, to } = count === 0 ? firstGuess : span;
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Rows stand still while somebody points at them or has the focus among them. */
export function holding(onHold: (isHeld: boolean) => void) {
  return {
    onMouseEnter: () => onHold(true),
    onMouseLeave: () => onHold(false),
    onFocus: () => onHold(true),
    onBlur: () => onHold(false),
  };
}
