import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { LiveRead } from "@/components/console/read-state.tsx";
import { type AuditPage, auditNewer, auditPage, feedKey } from "@/lib/queries/audit.ts";
import { type AuditUrl, filterAt, firstCursor, writeAuditUrl } from "../filters/audit-url.ts";

const lookEveryMs = 5_000;

/**
 * The log as far as it was scrolled. Rows never move without a click: newer records are counted, and read on request.
 */
export function useFeed(url: AuditUrl) {
  const search = writeAuditUrl(url);
  const [round, setRound] = useState(0);
  // Made again in each round: the last hour is counted from the request.
  // biome-ignore lint/correctness/useExhaustiveDependencies: search is the text of url, and a round asks again.
  const filter = useMemo(() => filterAt(url, Date.now()), [search, round]);
  const feed = useInfiniteQuery({
    queryKey: feedKey(search, round),
    queryFn: ({ pageParam, signal }) => auditPage(filter, pageParam).queryFn({ signal }),
    initialPageParam: firstCursor(url),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const newest = feed.isPlaceholderData ? undefined : feed.data?.pages[0]?.newest;
  const newer = useQuery({
    ...auditNewer(filter, newest ?? 0),
    // Days that are over get nothing new, and a log that begins with a record does not show what is newer.
    enabled: newest !== undefined && filter.to === undefined && url.record === "",
    refetchInterval: lookEveryMs,
  });
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  useRetry(feed, newer.dataUpdatedAt);
  // The pages stay as they are; whether they are still the newest is known by the reads that look for newer records.
  const read: LiveRead<InfiniteData<AuditPage>> = {
    ...{ data: feed.data, error: feed.error ?? newer.error, isPlaceholderData: feed.isPlaceholderData },
    dataUpdatedAt: Math.max(feed.dataUpdatedAt, newer.dataUpdatedAt),
    refetch: () => (feed.error ? feed.refetch() : newer.refetch()),
  };
  return { feed, read, newer: newer.data, refresh };
}

const retryMs = 3_000;

/** A failed read is repeated once the console responds. */
function useRetry(
  { isError, errorUpdatedAt, isFetchNextPageError, refetch, fetchNextPage }: UseInfiniteQueryResult,
  answeredAt: number,
) {
  const isBack = answeredAt > errorUpdatedAt;
  useEffect(() => {
    if (!isError) return;
    const again = isFetchNextPageError ? fetchNextPage : refetch;
    const timer = setTimeout(() => void again(), isBack ? 0 : retryMs);
    return () => clearTimeout(timer);
  }, [isError, isFetchNextPageError, isBack, refetch, fetchNextPage]);
}
