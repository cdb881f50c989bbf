import type { Facet, ListedEntry } from "../../../../lib/queries/entries.ts";

/** Single rows, or everything that a filter finds, seen or not. */
export type Selection =
  | { readonly kind: "rows"; readonly entries: ReadonlyMap<string, ListedEntry>; readonly anchor?: number }
  | { readonly kind: "matching"; readonly q: string; readonly facet: Facet; readonly count: number };

export const nothing: Selection = { kind: "rows", entries: new Map() };

export function countOf(selection: Selection): number {
  return selection.kind === "rows" ? selection.entries.size : selection.count;
}

export function isSelected(selection: Selection, address: string): boolean {
  return selection.kind === "matching" || selection.entries.has(address);
}

/** One row on or off; it is where a range begins. Out of everything, it leaves nothing else: the rest is unseen. */
export function toggled(selection: Selection, entry: ListedEntry, place: number): Selection {
  const entries = new Map(selection.kind === "rows" ? selection.entries : []);
  if (!entries.delete(entry.address)) entries.set(entry.address, entry);
  return { kind: "rows", entries, anchor: place };
}

/** From the row that was chosen last to this one, as far as `between` says; without a beginning, this row alone. */
export function stretched(selection: Selection, between: readonly ListedEntry[], place: number): Selection {
  const entries = new Map(selection.kind === "rows" ? selection.entries : []);
  for (const entry of between) entries.set(entry.address, entry);
  return { kind: "rows", entries, anchor: place };
}

/** The places from the beginning of a range to this one. */
export function stretchTo(selection: Selection, place: number): { from: number; to: number } {
  const anchor = selection.kind === "rows" ? (selection.anchor ?? place) : place;
  return { from: Math.min(anchor, place), to: Math.max(anchor, place) + 1 };
}

/** The box in the table's head, for the rows that have been read: all of them on, or off again. */
export function allToggled(selection: Selection, seen: readonly ListedEntry[]): Selection {
  if (headState(selection, seen) === true) return nothing;
  return { kind: "rows", entries: new Map(seen.map((entry) => [entry.address, entry])) };
}

export function headState(selection: Selection, seen: readonly ListedEntry[]): boolean | "indeterminate" {
  if (countOf(selection) === 0) return false;
  const isAll = seen.length > 0 && seen.every(({ address }) => isSelected(selection, address));
  return isAll ? true : "indeterminate";
}

/** As the actions take it. */
export function selectionInput(selection: Selection) {
  return selection.kind === "rows"
    ? { addresses: [...selection.entries.keys()] }
    : { selection: { q: selection.q, facet: selection.facet } };
}

/** One row, as an action takes it. */
export function entryOnly(entry: ListedEntry): Selection {
  return { kind: "rows", entries: new Map([[entry.address, entry]]) };
}
