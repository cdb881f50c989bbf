import { counted, durationText } from "@/components/ui/value-text.ts";
import { type CustomerDay, minutesShown } from "@/lib/queries/customer-day.ts";

/** The running minute and the one before may not have been reported yet. */
const young = 2;

/** `3 h 20 min of the last 24 h`, or `the last 24 h`. */
export function sayKnown(knownMinutes: number): string {
  if (knownMinutes >= minutesShown - young) return "the last 24 h";
  return knownMinutes === 0
    ? "no data of the last 24 h"
    : `${durationText(knownMinutes * 60_000)} of the last 24 h`;
}

/** What is not there, and why a number may be too small. */
export function sayGaps({ unknown }: Pick<CustomerDay, "unknown">): string {
  const minutes = unknown.reduce((sum, [, count]) => sum + count, 0);
  const few = "Counts may be low: in busy minutes, nodes report only the busiest clients.";
  if (minutes <= young) return few;
  return `Hatched: ${durationText(minutes * 60_000)} without any report, in ${counted(unknown.length, "stretch", "stretches")}. ${few}`;
}
