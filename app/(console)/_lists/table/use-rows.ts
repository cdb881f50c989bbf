"use client";

import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type EntriesPage, entries, type ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type ListUrl, writeListUrl } from "../list-url.ts";
import { type Held, hold, latest, type Rows, rowsOf, windowSize, windowsFor } from "./row-windows.ts";
import type { Span } from "./scroll-map.ts";

const everyMs = 4_000;

export interface ListRows extends Held {
  /** What is known of the whole list; nothing before the first answer. */
  readonly page: EntriesPage | undefined;
  readonly count: number;
  /** The rows are still those of the view before. */
  readonly isChanging: boolean;
  /** Why nothing newer can be read. */
  readonly error: Error | null;
  /** When it was last read, in ms. */
  readonly readAt: number;
  /** Shows the list as it is now. */
  release(): void;
  retry(): void;
}

interface View {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly span: Span;
  /** Somebody points at the rows: they keep their places. */
  readonly isHeld: boolean;
}

interface Shown {
  readonly view: string;
  readonly page: EntriesPage;
  readonly rows: Rows;
}

/** The rows in sight, read window by window and again every few seconds. */
export function useRows({ list, url, span, isHeld }: View): ListRows {
  const offsets = windowsFor(span);
  const reads = useQueries({ queries: offsets.map((offset) => readOf(list, url, offset)) });
  const pages = reads.map(({ data }, i) => ({ offset: offsets[i] ?? 0, page: data }));
  const page = latest(pages.map((each) => each.page));
  const view = `${list}${writeListUrl({ ...url, offset: 0 })}`;
  const [shown, setShown] = useState<Shown>();
  const now = page ? { view, page, rows: rowsOf(pages) } : shown;
  useKept(now, setShown);
  const isChanging = now !== undefined && now.view !== view;
  const read = pages.flatMap(({ offset, page }) => (page ? [offset] : []));
  const readAt = Math.max(0, ...reads.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const { held, release } = useHeld(now, isHeld && !isChanging, isChanging ? [] : read, readAt);
  const [failed] = reads.filter(({ isError }) => isError);
  return {
    ...held,
    ...{ page: now?.page, isChanging, readAt, release },
    count: now?.page.matching ?? 0,
    error: failed?.error ?? null,
    retry: () => void Promise.all(reads.map(({ refetch }) => refetch())),
  };
}

function readOf(list: ListName, { q, facet, sort, dir }: ListUrl, offset: number) {
  return {
    ...entries({ list, q: q || undefined, facet, sort, dir, offset, limit: windowSize }),
    refetchInterval: everyMs,
  };
}

/** The last rows stay until those of another view have come. */
function useKept(now: Shown | undefined, keep: (shown: Shown) => void): void {
  const { view, page } = now ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are new whenever their page is.
  useEffect(() => {
    if (now) keep(now);
  }, [view, page, keep]);
}

/** A change has reached the console's own copy by then. */
const arrivedMs = 500;

function useHeld(shown: Shown | undefined, isHeld: boolean, read: readonly number[], readAt: number) {
  const kept = useRef(nothingKept());
  const [releasedAt, setReleasedAt] = useState(0);
  const release = useCallback(() => setReleasedAt(Date.now()), []);
  const fresh = shown?.rows ?? noRows;
  const isFree = readAt < releasedAt + arrivedMs;
  const isKept = isHeld && !isFree && kept.current.view === shown?.view;
  const held = hold(isKept ? kept.current.rows : noRows, fresh, read);
  useEffect(() => {
    if (isFree) kept.current = nothingKept();
    else if (!isKept) kept.current = { view: shown?.view ?? "", rows: new Map(fresh) };
    else
      for (const [place, entry] of fresh)
        if (!kept.current.rows.has(place)) kept.current.rows.set(place, entry);
  });
  return { held, release };
}

const noRows: Rows = new Map();

function nothingKept() {
  return { view: "", rows: new Map<number, ListedEntry>() };
}
