"use client";

import { classes } from "./classes.ts";
import { useNow } from "./now.ts";
import { Tooltip } from "./tooltip.tsx";
import { type Instant, millisecondsOf, relativeTime, utcText } from "./value-text.ts";

/** Relative time. Shows the exact UTC time on hover and focus. */
export function Timestamp({ at, className }: { at: Instant; className?: string | undefined }) {
  const now = useNow();
  const ms = millisecondsOf(at);
  if (Number.isNaN(ms)) return <span className={className}>unknown</span>;
  return (
    <Tooltip text={utcText(ms)}>
      <time
        dateTime={new Date(ms).toISOString()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, focus shows the exact time.
        tabIndex={0}
        className={classes("rounded-sm whitespace-nowrap", className)}
      >
        {relativeTime(ms, now)}
      </time>
    </Tooltip>
  );
}
