"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FileSpreadsheet, FileText, RefreshCw, Search } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { ExportMenu } from "@/components/console/export-menu.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { type DenialParameters, denials, denialsExportPath } from "@/lib/queries/denials.ts";
import { ReadError } from "@/lib/queries/query.ts";
import { DenialFilters } from "./denial-filters.tsx";
import { DenialTable } from "./denial-table.tsx";
import { denialsKey, readDenialsUrl, writeDenialsUrl } from "./denials-url.ts";

/** The log of denied requests, as far as it was loaded. */
export function DenialLog() {
  const [url, change] = useDenialsUrl();
  const log = useInfiniteQuery({
    queryKey: denialsKey(writeDenialsUrl(url)),
    queryFn: ({ pageParam, signal }) => denials(url, pageParam).queryFn({ signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const first = log.data?.pages[0];
  return (
    <>
      <PageHeader
        title="Denials"
        facts={first && `${first.says} The log is kept for ${days(first.retentionDays)}.`}
        actions={
          <>
            <Button
              icon={<RefreshCw />}
              isBusy={log.isRefetching && !log.isFetchingNextPage}
              onClick={() => void log.refetch()}
            >
              Refresh
            </Button>
            <ExportMenu formats={exportsOf(url)} />
          </>
        }
      />
      <DenialFilters url={url} onChange={change} />
      <Card title="Denied requests" hint="newest first" isFlush>
        {log.error instanceof ReadError && log.error.status === 400 ? (
          <EmptyState icon={<Search />} title="The filter cannot be used" hint={log.error.message} />
        ) : (
          <ReadState
            read={log}
            name="the denial log"
            skeleton={<RowsSkeleton rows={8} columns={[3, 2, 3, 3, 5, 2]} />}
            empty={({ pages }) =>
              pages.every(({ items }) => items.length === 0) ? (
                <EmptyState
                  icon={<Search />}
                  title={writeDenialsUrl(url) === "" ? "No denials in the last 24 h" : "No denials match"}
                  hint={`${sayTime(url)} A denial that the log does not have is still explained by its reference: paste it into the look-up.`}
                />
              ) : undefined
            }
            isInset
          >
            {({ pages }) => (
              <>
                <DenialTable items={pages.flatMap(({ items }) => items)} />
                <p className="flex justify-center px-3.5 py-2.5 text-cell text-text-3">
                  {log.hasNextPage ? (
                    <Button
                      size="sm"
                      isBusy={log.isFetchingNextPage}
                      onClick={() => void log.fetchNextPage()}
                    >
                      Load more
                    </Button>
                  ) : (
                    "End of log"
                  )}
                </p>
              </>
            )}
          </ReadState>
        )}
      </Card>
    </>
  );
}

/** Which time was searched. */
function sayTime({ from, to }: DenialParameters): string {
  if (from) return "";
  return to ? "The 24 h before the end were searched." : "The last 24 h were searched.";
}

const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

const exportsOf = (url: DenialParameters) => [
  {
    label: "CSV",
    icon: <FileSpreadsheet />,
    hint: "For spreadsheets: the filtered denials",
    path: () => denialsExportPath(url, "csv"),
  },
  {
    label: "JSON lines",
    icon: <FileText />,
    hint: "For programs: the filtered denials",
    path: () => denialsExportPath(url, "jsonl"),
  },
];

/** State of the address bar, changed without reloading the page from the server. */
function useDenialsUrl(): readonly [DenialParameters, (part: DenialParameters) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readDenialsUrl(search), [search]);
  return [
    url,
    (part) => window.history.replaceState(null, "", `${pathname}${writeDenialsUrl({ ...url, ...part })}`),
  ];
}
