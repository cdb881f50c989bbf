"use client";

import { RefreshCw, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { useByNow, useNow } from "@/components/ui/now.ts";
import { clockText, durationText } from "@/components/ui/value-text.ts";

/** A read that a page repeats. Results of TanStack Query have this shape. */
export interface LiveRead<T> {
  /** The last answer. Undefined before the first one. */
  readonly data: T | undefined;
  /** Why the latest read failed. */
  readonly error: Error | null;
  /** When `data` was read, in ms by the browser's clock. */
  readonly dataUpdatedAt: number;
  /** `data` is the answer to another search. */
  readonly isPlaceholderData: boolean;
  refetch(): unknown;
}

interface ReadStateProps<T> {
  read: LiveRead<T>;
  /** The data, as in "Failed to load the policy". */
  name: string;
  /** Has the shape of the loaded content. */
  skeleton: ReactNode;
  /** What the server did not know when it answered. Undefined if everything is known. */
  unknown?: ((data: T) => ReactNode | undefined) | undefined;
  /** Replaces the content if there is none. Drawn only while absence is known. */
  empty?: ((data: T) => ReactNode | undefined) | undefined;
  children: (data: T) => ReactNode;
  /** What still works without the data, in a sentence. */
  consequence?: string | undefined;
  /** Inside of a flush card: notes keep the card's padding. */
  isInset?: boolean | undefined;
  /** One line instead of a centred block. */
  isCompact?: boolean | undefined;
  /** The content has its own cards. A message in its place gets a card. */
  isFramed?: boolean | undefined;
  /** The stale note is drawn elsewhere on the page. */
  hasOwnNote?: boolean | undefined;
}

/**
 * Draws every state of a live read: loading, failed, unknown, empty, stale and loaded. An empty state is never drawn over a
 * stale or unknown answer, or over the answer to another search, because absence is then not known. What was unknown in a
 * stale answer may be known by now.
 */
export function ReadState<T>(props: ReadStateProps<T>) {
  const {
    read,
    name,
    skeleton,
    unknown,
    empty,
    children,
    isFramed = false,
    hasOwnNote = false,
    ...look
  } = props;
  const { isPlaceholderData } = read;
  const error = useLastError(read);
  const data = isPlaceholderData && error ? undefined : read.data;
  const staleSince = useStaleSince(read);
  const retry = () => void read.refetch();
  const framed = (message: ReactNode) => (isFramed ? <Card isFlush>{message}</Card> : message);
  const loading = <Loading name={name}>{skeleton}</Loading>;
  if (data === undefined)
    return error ? framed(<LoadFailed {...{ name, error, ...look }} onRetry={retry} />) : loading;
  const instead = unknown?.(data) ?? empty?.(data);
  if (instead !== undefined && isPlaceholderData) return loading;
  if (instead !== undefined && staleSince !== undefined && error)
    return framed(<LoadFailed {...{ name, error, staleSince, ...look }} onRetry={retry} />);
  if (instead !== undefined && staleSince === undefined) return framed(instead);
  // Fresh or stale, the content keeps its place: what is typed and opened in it stays.
  return (
    <>
      {staleSince !== undefined && !hasOwnNote && (
        <div className={look.isInset ? "px-3.5 pb-2" : isFramed ? undefined : "pb-2"}>
          <StaleNote since={staleSince} error={error} onRetry={retry} />
        </div>
      )}
      {children(data)}
    </>
  );
}

/** Before the first answer, a read that is retried has no error: why it failed is shown until there is an answer. */
function useLastError({ data, error, isPlaceholderData }: Omit<LiveRead<unknown>, "refetch">): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const isAnswered = data !== undefined && !isPlaceholderData;
  const known = error ?? (isAnswered ? null : last);
  if (known !== last) setLast(known);
  return known;
}

/** Keeps the place of loading content, and announces it to screen readers. */
export function Loading({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        Loading {name}
      </p>
      {children}
    </div>
  );
}

/** A single failed read is tolerated for this long, in ms. */
const toleratedMs = 3_000;

/** When the data on the screen was read, once newer data has failed to load for some seconds. Undefined while it is fresh. */
export function useStaleSince({
  data,
  error,
  dataUpdatedAt,
  isPlaceholderData,
}: Omit<LiveRead<unknown>, "refetch">): number | undefined {
  const isOld = useByNow((now) => now - dataUpdatedAt > toleratedMs);
  const isOwn = data !== undefined && !isPlaceholderData;
  return error && isOwn && isOld ? dataUpdatedAt : undefined;
}

interface LoadFailedProps {
  name: string;
  error: Error;
  onRetry: () => void;
  consequence?: string | undefined;
  staleSince?: number | undefined;
  isInset?: boolean | undefined;
  isCompact?: boolean | undefined;
}

/** State, cause, what to do. Also shown for a stale answer without rows. */
export function LoadFailed(props: LoadFailedProps) {
  const { name, error, onRetry, consequence, staleSince, isInset, isCompact } = props;
  const retry = (
    <Button size="sm" icon={<RefreshCw />} onClick={onRetry}>
      Retry
    </Button>
  );
  const hint = [error.message, consequence, "The page retries automatically."].filter(Boolean).join(" ");
  const stale = staleSince !== undefined && <StaleText since={staleSince} />;
  if (isCompact)
    return (
      <div
        className={classes(
          "flex flex-wrap items-center gap-x-2 gap-y-1.5 text-cell text-text-2",
          isInset && "px-3.5 pt-1 pb-3.5",
        )}
      >
        <TriangleAlert className="text-throttled" />
        <p className="min-w-0 flex-1 basis-48">
          <span className="font-semibold text-text">Failed to load {name}.</span> {error.message} {stale}
        </p>
        {retry}
      </div>
    );
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title={`Failed to load ${name}`}
      hint={
        <>
          {hint} {stale}
        </>
      }
      action={retry}
    />
  );
}

interface StaleNoteProps {
  since: number;
  error?: Error | null | undefined;
  onRetry?: (() => void) | undefined;
}

/** Not a live region, because its text changes every second. The banner of the outage is announced. */
export function StaleNote({ since, error, onRetry }: StaleNoteProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 text-cell text-throttled">
      <TriangleAlert className="size-3.5 shrink-0" />
      <StaleText since={since} />
      {error && <span className="text-text-2">{error.message}</span>}
      {onRetry && (
        <Button size="sm" variant="ghost" icon={<RefreshCw />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </span>
  );
}

function StaleText({ since }: { since: number }) {
  const now = useNow();
  return (
    <span suppressHydrationWarning className="font-medium tabular-nums">
      {staleText(since, now)}
    </span>
  );
}

/** "Stale: last updated 14:31:02 UTC (8 s ago)" */
export function staleText(since: number, now: number): string {
  return `Stale: last updated ${clockText(since)} (${durationText(Math.max(1_000, now - since))} ago)`;
}
