import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RowsPart } from "@/components/console/held-rows.ts";
import type { LiveRead } from "@/components/console/read-state.tsx";
import { type HoldingRows, useHeldRows } from "@/components/console/use-held-rows.ts";
import type { EntriesPage, ListEntry } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, windowRead, windowSize, writeListUrl } from "../list-url.ts";
import type { Span } from "./scroll-map.ts";

/** Offsets of the reads that contain these rows. */
export function windowsFor({ from, to }: Span): readonly number[] {
  const first = windowOf(from);
  const count = (windowOf(Math.max(from, to - 1)) - first) / windowSize + 1;
  return Array.from({ length: count }, (_, i) => first + i * windowSize);
}

/** Windows that have been read. */
export function partsOf(
  pages: readonly { offset: number; page: EntriesPage | undefined }[],
): readonly RowsPart<ListEntry>[] {
  return pages.flatMap(({ offset, page }) => (page ? [{ offset, rows: page.entries }] : []));
}

/** Latest page. Its counts are those of the whole list. */
export function latest(pages: readonly (EntriesPage | undefined)[]): EntriesPage | undefined {
  return pages.reduce((best, page) => (page && page.asOf > (best?.asOf ?? -1) ? page : best), undefined);
}

function windowOf(place: number): number {
  return Math.floor(place / windowSize) * windowSize;
}

const everyMs = 4_000;

export interface ListRows extends HoldingRows<ListEntry> {
  /** Reads of all windows, as one: the latest page, with the counts of the whole list. */
  readonly read: LiveRead<EntriesPage>;
}

interface Shown {
  readonly view: string;
  readonly page: EntriesPage;
  readonly readAt: number;
  readonly parts: readonly RowsPart<ListEntry>[];
}

/** Number of rows by an earlier read; 0 without one. */
export function useKnownCount(list: ListName, url: ListUrl): number {
  const { queryKey } = windowRead(list, url, 0);
  return useQueryClient().getQueryData<EntriesPage>(queryKey)?.matching ?? 0;
}

/** Visible rows, read window by window and again every few seconds. */
export function useRows(list: ListName, url: ListUrl, span: Span): ListRows {
  const offsets = windowsFor(span);
  const reads = useQueries({
    queries: offsets.map((offset) => ({ ...windowRead(list, url, offset), refetchInterval: everyMs })),
  });
  const pages = reads.map(({ data }, i) => ({ offset: offsets[i] ?? 0, page: data }));
  const page = latest(pages.map((each) => each.page));
  const view = `${list}${writeListUrl({ ...url, offset: 0 })}`;
  const [shown, setShown] = useState<Shown>();
  const readAt = Math.max(0, ...reads.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const now = page ? { view, page, readAt, parts: partsOf(pages) } : shown;
  useKept(now, setShown);
  const isChanging = now !== undefined && now.view !== view;
  const count = now?.page.matching ?? 0;
  const held = useHeldRows({ view, isPlaceholder: isChanging, parts: now?.parts ?? [], count }, addressOf);
  const [failed] = reads.filter(({ isError }) => isError);
  return {
    ...held,
    read: {
      ...{ data: now?.page, error: failed?.error ?? null },
      ...{ dataUpdatedAt: now?.readAt ?? 0, isPlaceholderData: isChanging },
      refetch: () => void Promise.all(reads.map(({ refetch }) => refetch())),
    },
  };
}

const addressOf = ({ address }: ListEntry) => address;

/** The last rows stay until those of another view have loaded. */
function useKept(now: Shown | undefined, keep: (shown: Shown) => void): void {
  const { view, page } = now ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are new whenever their page is.
  useEffect(() => {
    if (now) keep(now);
  }, [view, page, keep]);
}
