"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type AuditPage, auditNewer, auditPage } from "../../../../lib/queries/audit.ts";
import { type AuditUrl, filterAt, writeAuditUrl } from "../_filters/audit-url.ts";

const lookEveryMs = 5_000;

/** What the server has read for the page as it was asked for. */
export interface FirstPage {
  readonly search: string;
  readonly page: AuditPage;
}

/**
 * The log as far as it was scrolled. Rows never move by themselves: what has come since is counted, and read when it is
 * asked for.
 */
export function useFeed(url: AuditUrl, first: FirstPage | undefined) {
  const search = writeAuditUrl(url);
  const [round, setRound] = useState(0);
  // Anew with each round: the last hour is counted from when it was asked for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said.
  const filter = useMemo(() => filterAt(url, Date.now()), [search, round]);
  const given = round === 0 && first?.search === search ? first.page : undefined;
  const feed = useInfiniteQuery({
    queryKey: ["audit", "feed", search, round],
    queryFn: ({ pageParam, signal }) => auditPage(filter, pageParam).queryFn({ signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    ...(given && { initialData: { pages: [given], pageParams: [undefined] } }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const newest = feed.isPlaceholderData ? undefined : feed.data?.pages[0]?.newest;
  const newer = useQuery({
    ...auditNewer(filter, newest ?? 0),
    // Days that are over get nothing new.
    enabled: newest !== undefined && filter.to === undefined,
    refetchInterval: lookEveryMs,
  });
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  useRetry(feed, newer.dataUpdatedAt);
  return { feed, newer: newer.data, refresh };
}

interface Retried {
  readonly isError: boolean;
  readonly errorUpdatedAt: number;
  readonly isFetchNextPageError: boolean;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
}

const retryMs = 3_000;

/** What failed is read again by itself once the console answers. */
function useRetry(
  { isError, errorUpdatedAt, isFetchNextPageError, refetch, fetchNextPage }: Retried,
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
