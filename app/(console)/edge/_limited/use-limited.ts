"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { edgeLimited, type LimitedClient, type LimitedReply } from "../../../../lib/queries/edge.ts";
import { useLive } from "../../_live/use-live.tsx";

const askEveryMs = 2_000;
const rowsAtOnce = 100;

export interface LimitedNow {
  readonly page: LimitedReply | undefined;
  readonly error: Error | null;
  /** When it was read, by the browser's clock. */
  readonly readAt: number;
  /** Other rows are on their way. */
  readonly isBehind: boolean;
  at(place: number): LimitedClient | undefined;
  /** Which rows are on screen: they are read, and kept live. */
  show(first: number, last: number): void;
  /** While somebody points at a row, it must not become another's. */
  hold(isHeld: boolean): void;
  readonly isHeld: boolean;
  ask(): void;
}

/** Everybody who is turned away and is found by the search; only those on screen are read. */
export function useLimited(q: string): LimitedNow {
  const { isPaused } = useLive();
  const [{ from, to }, setWindow] = useState({ from: 0, to: rowsAtOnce });
  const [isHeld, setIsHeld] = useState(false);
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useQuery({
    ...edgeLimited({ q, from, to }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused || isHeld ? false : askEveryMs,
    networkMode: "always",
    retry: false,
  });
  const show = useCallback((first: number, last: number) => setWindow(windowOf(first, last)), []);
  const hold = useCallback(
    (next: boolean) => {
      setIsHeld(next);
      if (!next && !isPaused) void refetch();
    },
    [refetch, isPaused],
  );
  return {
    ...{ page: data, error, readAt: dataUpdatedAt, isBehind: isPlaceholderData, show, hold, isHeld },
    at: (place) => data?.rows[place - data.offset],
    ask: () => void refetch(),
  };
}

function windowOf(first: number, last: number): { from: number; to: number } {
  const from = Math.floor(Math.max(0, first) / rowsAtOnce) * rowsAtOnce;
  return { from, to: Math.max(from, Math.floor(Math.max(0, last) / rowsAtOnce) * rowsAtOnce) + rowsAtOnce };
}
