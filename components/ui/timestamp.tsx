"use client";

import { classes } from "./classes.ts";
import { useNow } from "./now.ts";
import { Tooltip } from "./tooltip.tsx";
import { type Instant, millisecondsOf, relativeTime, secondsOfDayText, utcText } from "./value-text.ts";

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

/** Time in UTC to the second, for rows that are close together. */
export function ClockTime({ at }: { at: number }) {
  const now = useNow();
  return <time dateTime={new Date(at).toISOString()}>{secondsOfDayText(at, now)}</time>;
}
