import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LiveRead } from "@/components/console/read-state.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { counted } from "@/components/ui/value-text.ts";
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

/** Reads without a result, and rows, after which more are only loaded on request. */
const mostInVain = 20;
const rowsAtOnce = 1_000;

/** End of the rows: scrolling near it loads more. */
export function End({ feed }: Pick<ReturnType<typeof useFeed>, "feed">) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = feed;
  const pages = data?.pages ?? [];
  const isPatient = inVain(pages) < mostInVain && !isAtStop(pages);
  const isReady = hasNextPage && !isFetching && !isError && isPatient;
  const end = useRef<HTMLDivElement>(null);
  // Observed again after each page, which reports an element that is still in view.
  useEffect(() => {
    if (!end.current || !isReady) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: "800px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isReady, fetchNextPage]);
  return (
    <div
      ref={end}
      className="flex min-h-10 flex-wrap items-center justify-center gap-3 px-3.5 py-2.5 text-cell text-text-3"
    >
      {isFetching && <Spinner label={hasNextPage ? sayReached(pages) : "Reading"} />}
      {!isFetching && hasNextPage && (
        <>
          {sayReached(pages)}
          <Button size="sm" onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </>
      )}
      {!isFetching && !hasNextPage && pages.some(({ rows }) => rows.length > 0) && "End of log"}
    </div>
  );
}

function inVain(pages: readonly AuditPage[]): number {
  const last = pages.findLastIndex(({ rows }) => rows.length > 0);
  return pages.length - 1 - last;
}

/** The last page went over another thousand. */
function isAtStop(pages: readonly AuditPage[]): boolean {
  const count = (some: readonly AuditPage[]) => some.reduce((sum, { rows }) => sum + rows.length, 0);
  return Math.floor(count(pages) / rowsAtOnce) > Math.floor(count(pages.slice(0, -1)) / rowsAtOnce);
}

/** "Searched 15,000 records, back to 2026-03-03" */
function sayReached(pages: readonly AuditPage[]): string {
  const scanned = pages.reduce((sum, page) => sum + page.scanned, 0);
  const reached = pages.findLast((page) => page.reached !== null)?.reached;
  const back = reached == null ? "" : `, back to ${new Date(reached).toISOString().slice(0, 10)}`;
  return `Searched ${counted(scanned, "record")}${back}`;
}
