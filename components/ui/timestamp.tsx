"use client";

import { classes } from "./classes.ts";
import { useNow } from "./now.ts";
import { type Instant, millisecondsOf, relativeTime, utcText } from "./relative-time.ts";
import { Tooltip } from "./tooltip.tsx";

export interface TimestampProps {
  at: Instant;
  className?: string | undefined;
}

/** How long ago, or when; in UTC when it is hovered or focused. */
export function Timestamp({ at, className }: TimestampProps) {
  const now = useNow();
  const ms = millisecondsOf(at);
  if (Number.isNaN(ms)) return <span className={className}>unknown</span>;
  return (
    <Tooltip text={utcText(ms)}>
      <time
        dateTime={new Date(ms).toISOString()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, focus is the way to the exact time.
        tabIndex={0}
        className={classes("rounded-sm whitespace-nowrap", className)}
      >
        {relativeTime(ms, now)}
      </time>
    </Tooltip>
  );
}
