"use client";

import { useCallback, useState } from "react";
import { useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { firstWindow, limitedRead, rowsAtOnce } from "./limited-read.ts";

const askEveryMs = 2_000;

export type LimitedNow = ReturnType<typeof useLimited>;

/** Denied clients that match the search. Only those on screen are read. */
export function useLimited(q: string) {
  const [window, setWindow] = useState(firstWindow);
  const [readQ, setReadQ] = useState(q);
  const read = useLiveQuery(limitedRead(q, window), askEveryMs);
  const { data, dataUpdatedAt, isPlaceholderData } = read;
  // Another part of the same search is no other view.
  if (data && !isPlaceholderData && readQ !== q) setReadQ(q);
  const parts = data ? [{ offset: data.offset, rows: data.rows }] : [];
  const isPlaceholder = isPlaceholderData && readQ !== q;
  const held = useHeldRows({ view: q, isPlaceholder, parts, count: data?.matching ?? 0 }, ({ key }) => key);
  const show = useCallback((first: number, last: number) => setWindow(windowOf(first, last)), []);
  return {
    ...{ read, held, page: data },
    /** When it was read, by the browser's clock. */
    readAt: dataUpdatedAt,
    /** Other rows are on their way. */
    isBehind: isPlaceholderData,
    /** Which rows are on screen: they are read, and kept live. */
    show,
  };
}

function windowOf(first: number, last: number): { from: number; to: number } {
  const from = Math.floor(Math.max(0, first) / rowsAtOnce) * rowsAtOnce;
  return { from, to: Math.max(from, Math.floor(Math.max(0, last) / rowsAtOnce) * rowsAtOnce) + rowsAtOnce };
}
