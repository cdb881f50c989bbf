import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { AuditPage } from "@/lib/queries/audit.ts";
import type { useFeed } from "./use-feed.ts";

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
