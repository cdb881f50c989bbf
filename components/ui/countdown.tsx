"use client";

import { Clock } from "lucide-react";
import { classes } from "./classes.ts";
import { useNow } from "./now.ts";
import { durationText, type Instant, millisecondsOf, utcText } from "./value-text.ts";

interface CountdownProps {
  /** Null if it never ends. */
  endsAt: Instant | null;
  /** Whole lifetime, of which the bar shows the rest. Default: one week. */
  lifeMs?: number | null | undefined;
}

const hour = 3_600_000;
const oneWeek = 168 * hour;
const soon = 6 * hour;

/** Remaining time. Amber, with a clock, in the last 6 h. */
export function Countdown({ endsAt, lifeMs }: CountdownProps) {
  const now = useNow();
  if (endsAt === null) return <span className="text-text-3">never</span>;
  const end = millisecondsOf(endsAt);
  const left = end - now;
  if (left <= 0) return <span className="text-text-3">expired</span>;
  const isSoon = left < soon;
  const share = Math.min(1, left / (lifeMs ?? oneWeek));
  return (
    <span title={utcText(end)} className="inline-flex w-26 max-w-full flex-col gap-0.5">
      <span className={classes("flex items-center gap-1 whitespace-nowrap", isSoon && "text-throttled")}>
        {isSoon && <Clock className="size-3" />}
        {durationText(left)}
      </span>
      <span aria-hidden="true" className="h-0.5 rounded-full bg-track">
        <span
          className={classes("block h-full rounded-full", isSoon ? "bg-throttled-graphic" : "bg-text-3")}
          style={{ width: `${(share * 100).toFixed(2)}%` }}
        />
      </span>
    </span>
  );
}
