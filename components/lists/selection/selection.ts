import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { HeldRow } from "@/components/console/held-rows.ts";
import { writeRow } from "@/lib/manage/lists/csv.ts";
import type { Facet, ListEntry } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, windowRead } from "../list-url.ts";
import { windowsFor } from "../rows/row-windows.ts";

/** For more entries than this, the number is typed to confirm. */
export const mostUntyped = 10_000;

/** Single rows, or all entries that match a filter, visible or not. */
export type Selection =
  | { readonly kind: "rows"; readonly entries: ReadonlyMap<string, ListEntry>; readonly anchor?: number }
  | {
      readonly kind: "matching";
      readonly q: string;
      readonly facet: Facet;
      /** Empty for all. */
      readonly tag: string;
      readonly count: number;
    };

export const nothing: Selection = { kind: "rows", entries: new Map() };

export function countOf(selection: Selection): number {
  return selection.kind === "rows" ? selection.entries.size : selection.count;
}

export function isSelected(selection: Selection, address: string): boolean {
  return selection.kind === "matching" || selection.entries.has(address);
}

/** Toggles one row, where a range then begins. If all matching entries were selected, only this row stays: the others are not visible. */
export function toggled(selection: Selection, entry: ListEntry, place: number): Selection {
  const entries = new Map(selection.kind === "rows" ? selection.entries : []);
  if (!entries.delete(entry.address)) entries.set(entry.address, entry);
  return { kind: "rows", entries, anchor: place };
}

/** Adds the rows `between` the row selected last and this one. */
export function stretched(selection: Selection, between: readonly ListEntry[], place: number): Selection {
  const entries = new Map(selection.kind === "rows" ? selection.entries : []);
  for (const entry of between) entries.set(entry.address, entry);
  return { kind: "rows", entries, anchor: place };
}

/** Places from the beginning of a range to this one. Without a beginning, only this one. */
export function stretchTo(selection: Selection, place: number): { from: number; to: number } {
  const anchor = selection.kind === "rows" ? (selection.anchor ?? place) : place;
  return { from: Math.min(anchor, place), to: Math.max(anchor, place) + 1 };
}

/** Toggles all rows that have been read, for the checkbox in the table's head. */
export function allToggled(selection: Selection, seen: readonly ListEntry[]): Selection {
  if (headState(selection, seen) === true) return nothing;
  return { kind: "rows", entries: new Map(seen.map((entry) => [entry.address, entry])) };
}

export function headState(selection: Selection, seen: readonly ListEntry[]): boolean | "indeterminate" {
  if (countOf(selection) === 0) return false;
  const isAll = seen.length > 0 && seen.every(({ address }) => isSelected(selection, address));
  return isAll ? true : "indeterminate";
}

/** Selection as input of the actions. */
export function selectionInput(selection: Selection) {
  return selection.kind === "rows"
    ? { addresses: [...selection.entries.keys()] }
    : { selection: filterOf(selection) };
}

/** The filter of a selection, as the server reads it. */
export function filterOf({ q, facet, tag }: Extract<Selection, { kind: "matching" }>) {
  return { q, facet, ...(tag !== "" && { tag }) };
}

/** Selection of one row. */
export function entryOnly(entry: ListEntry): Selection {
  return { kind: "rows", entries: new Map([[entry.address, entry]]) };
}

/** Most rows of a range. Longer selections use "Select all matching". */
const longestStretch = 2_000;

/** Selected entries. The selection stays while rows change, until it is used or cleared. */
export function useSelecting(list: ListName, url: ListUrl, rows: ReadonlyMap<number, HeldRow<ListEntry>>) {
  const client = useQueryClient();
  const [selection, set] = useState<Selection>(nothing);
  // "All matching" is of this search: another search matches other entries.
  const search = `${url.facet} ${url.tag} ${url.q}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search clears it.
  useEffect(() => set((before) => (before.kind === "matching" ? nothing : before)), [search]);
  const read = useCallback(
    async (from: number, to: number) => {
      const offsets = windowsFor({ from, to });
      const pages = await Promise.all(
        offsets.map((offset) => client.fetchQuery(windowRead(list, url, offset))),
      );
      const first = offsets[0] ?? 0;
      return pages.flatMap((page) => page.entries).slice(from - first, to - first);
    },
    [client, list, url],
  );
  /** With Shift, selects all rows from the row selected last. */
  const pick = async (entry: ListEntry, place: number, hasShift: boolean) => {
    const { from, to } = stretchTo(selection, place);
    if (!hasShift || to - from === 1 || to - from > longestStretch) {
      set((before) => toggled(before, entry, place));
      return;
    }
    const seen = Array.from({ length: to - from }, (_, i) => rows.get(from + i)?.row);
    const known = seen.filter((found) => found !== undefined);
    const between = known.length === to - from ? known : await read(from, to).catch(() => known);
    set((before) => stretched(before, between, place));
  };
  return { selection, set, pick };
}

/** Selected rows in the format of the server's export: an import reads it, and spreadsheets run no formula in it. */
export function csvOf(entries: readonly ListEntry[]): string {
  const head = writeRow(["address", "expires_at", "reason", "by", "at", "via", "tags"]);
  return head + entries.map(rowOf).join("");
}

function rowOf({ address, expiresAt, reason, by = "", at = "", via = "", tags = [] }: ListEntry): string {
  const end = expiresAt === null ? "never" : new Date(Math.min(expiresAt, 8.64e15)).toISOString();
  return writeRow([address, end, reason, by, at, via, tags.join(" ")]);
}

/** Saves a text of the page as a file. */
export function saveFile(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
