"use client";

import { StaleNote, useStaleSince } from "@/components/console/read-state.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { placesOf } from "../list-words.ts";
import { type ListRows, readOf } from "../rows/row-windows.ts";

/** Age in ms from which the console's copy is reported as stale. */
const oldMs = 15_000;

interface FreshnessProps {
  readonly rows: ListRows;
  readonly first: number;
  readonly last: number;
}

/** Numbers of the visible rows, and whether they are up to date. */
export function Freshness({ rows, first, last }: FreshnessProps) {
  const { page, count, error, retry } = rows;
  const staleSince = useStaleSince(readOf(rows));
  return (
    <>
      {staleSince !== undefined && <StaleNote since={staleSince} onRetry={retry} />}
      {!error && page && page.ageMs > oldMs && (
        <Badge tone="throttled">{`Stale: the console's copy is ${durationText(page.ageMs)} old`}</Badge>
      )}
      {page && !page.isComplete && <Badge tone="plain">still loading, counts grow</Badge>}
      <span className="whitespace-nowrap">{page && placesOf(first, last, count)}</span>
    </>
  );
}
