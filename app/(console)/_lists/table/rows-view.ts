import type { RefObject } from "react";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import type { ListUrl } from "../list-url.ts";
import type { Lapsing } from "./lapse.ts";
import type { HeldRow } from "./row-windows.ts";
import type { Span } from "./scroll-map.ts";
import type { Selection } from "./selection.ts";

/** In px. Every row is as high as the others, so that a place says where it stands. */
export const heights = {
  /** The page's own bar and the table's head, which stay while the rows scroll. */
  head: 84,
  row: 36,
  /** With the space below it. */
  card: 112,
  /** A card that asks for a decision has a row of buttons more. */
  askingCard: 164,
} as const;

/** What a table and cards draw alike. */
export interface RowsView {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly count: number;
  readonly rows: ReadonlyMap<number, HeldRow>;
  readonly span: Span;
  readonly space: { readonly before: number; readonly after: number };
  readonly bodyRef: RefObject<HTMLElement | null>;
  /** What is shown is not what was asked for, or old. */
  readonly isDimmed: boolean;
  readonly selection: Selection;
  readonly removing: ReadonlySet<string>;
  readonly lapsing: Lapsing;
  /** How often those that end soon were listed before. */
  readonly listedBefore: ReadonlyMap<string, number>;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly onSort: (sort: ListUrl["sort"]) => void;
  readonly onHold: (isHeld: boolean) => void;
  readonly onPick: (entry: ListedEntry, place: number, hasShift: boolean) => void;
  readonly onPickAll: (seen: readonly ListedEntry[]) => void;
  readonly onExtend: (entry: ListedEntry, forMs: number | null) => void;
  readonly onRemove: (entry: ListedEntry) => void;
  readonly onHistory: (entry: ListedEntry) => void;
  readonly onLapse: (entry: ListedEntry) => void;
}

/** The places to draw, in their order. */
export function placesIn({ from, to }: Span): readonly number[] {
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
