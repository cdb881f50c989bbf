"use client";

import { RefreshCw } from "lucide-react";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { durationText } from "../../../../components/ui/duration-text.ts";
import { useNow } from "../../../../components/ui/now.ts";
import { placesOf } from "../list-words.ts";
import type { ListRows } from "./use-rows.ts";

/** The console's copy is followed live: when it was last certain is told once that is worth a word. */
const oldMs = 15_000;

interface FreshnessProps {
  readonly rows: ListRows;
  readonly first: number;
  readonly last: number;
}

/** Which rows are in sight, and whether they are as the list is now. */
export function Freshness({ rows, first, last }: FreshnessProps) {
  const { page, count, error, retry } = rows;
  return (
    <>
      {error && page && <Old since={rows.readAt} onRetry={retry} />}
      {!error && page && page.ageMs > oldMs && (
        <Badge tone="throttled">{`the copy is ${durationText(page.ageMs)} old`}</Badge>
      )}
      {page && !page.isComplete && <Badge tone="plain">still loading, counts grow</Badge>}
      <span className="whitespace-nowrap">{page && placesOf(first, last, count)}</span>
    </>
  );
}

function Old({ since, onRetry }: { since: number; onRetry: () => void }) {
  const now = useNow();
  return (
    <>
      <Badge tone="throttled">{`as of ${durationText(Math.max(1_000, now - since))} ago`}</Badge>
      <Button size="sm" icon={<RefreshCw />} onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}
