import type { LiveView } from "./live-view.ts";

type Span = NonNullable<LiveView["zoom"]>;

const minuteMs = 60_000;
const keptMs = 8 * 24 * 60 * minuteMs;

/** How far back the series are kept, and how exactly. */
export const keptText =
  "Kept by the second for 20 min, by 10 s for 2 h, by the minute for 26 h, and by the hour for 8 d.";

/** `2026-11-18T20:46`, in UTC, as a field for date and time has it. */
export function writeMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}

/** The span of two such texts, or why it cannot be shown. */
export function readSpan(
  fromText: string,
  untilText: string,
  now: number,
): { readonly span: Span } | { readonly problem: string } {
  const [from, until] = [Date.parse(`${fromText}Z`), Date.parse(`${untilText}Z`)];
  if (Number.isNaN(from) || Number.isNaN(until)) return { problem: "Enter both times." };
  if (until < from + minuteMs) return { problem: "The end must be at least 1 min after the start." };
  if (from > now - minuteMs) return { problem: "The start must be at least 1 min ago." };
  if (until < now - keptMs) return { problem: "Statistics are kept for 8 d only." };
  return { span: { from: Math.max(from, Math.ceil((now - keptMs) / minuteMs) * minuteMs), until } };
}
