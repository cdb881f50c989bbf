"use client";

import { useCallback, useState } from "react";
import type { LiveRead } from "@/components/console/read-state.tsx";
import { type HoldingRows, useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import type { LimitedClient, LimitedReply } from "@/lib/queries/edge.ts";
import { firstWindow, limitedRead, rowsAtOnce } from "./limited-read.ts";

const askEveryMs = 2_000;

export interface LimitedNow {
  readonly held: HoldingRows<LimitedClient>;
  readonly page: LimitedReply | undefined;
  /** When it was read, by the browser's clock. */
  readonly readAt: number;
  /** Other rows are on their way. */
  readonly isBehind: boolean;
  /** Which rows are on screen: they are read, and kept live. */
  show(first: number, last: number): void;
  readonly read: LiveRead<LimitedReply>;
}

/** Denied clients that match the search. Only those on screen are read. */
export function useLimited(q: string): LimitedNow {
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
    ...{ read, page: data, readAt: dataUpdatedAt, isBehind: isPlaceholderData, show, held },
  };
}

function windowOf(first: number, last: number): { from: number; to: number } {
  const from = Math.floor(Math.max(0, first) / rowsAtOnce) * rowsAtOnce;
  return { from, to: Math.max(from, Math.floor(Math.max(0, last) / rowsAtOnce) * rowsAtOnce) + rowsAtOnce };
}
