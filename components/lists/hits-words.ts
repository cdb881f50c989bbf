import { counted, countText, minuteText, monthDayText } from "@/components/ui/value-text.ts";
import type { EntriesPage, EntryHistory, ListEntry, Sort } from "@/lib/queries/entries.ts";

const unknown = "–";

/** `8,402`, `0`, or a dash where the number is unknown. */
export function hitsText(hits: number | null | undefined): string {
  return hits == null ? unknown : countText(hits);
}

/** `8,402 in 24 h`. Empty where neither the hour nor the day is known: one dash says enough. */
export function dayHitsText(hits: ListEntry["hits"]): string {
  return hits && (hits.hour !== null || hits.day !== null) ? `${hitsText(hits.day)} in 24 h` : "";
}

/** `904 hits in 1 h`, for narrow places. */
export function hitsIn(hits: ListEntry["hits"]): string {
  return hits?.hour == null ? "hits unknown" : `${counted(hits.hour, "hit")} in 1 h`;
}

/** What the hits of a list count, and what they leave out. */
export function sayKnownHits(known: EntriesPage["hits"], sort: Sort): string {
  const order = "Sorted by hits of the last hour, then by address.";
  const what =
    "Hits are requests that nodes decided by the entry, for the 1,000 busiest entries: none of an edge, of other systems or of the console.";
  return [...(sort === "hits" ? [order] : []), what, ...gapsOf(known)].join(" ");
}

function gapsOf(known: EntriesPage["hits"]): string[] {
  if (!known) return ["They could not be read."];
  if (!known.isReported) return ["No app reports, so they are unknown."];
  const { since, unknown } = known;
  return [
    ...(since === null ? [] : [`Known since ${sinceText(since)}.`]),
    ...(unknown.day === 0
      ? []
      : [`Of ${counted(unknown.day, "more request")} in 24 h the entry is unknown.`]),
  ];
}

/** Hits of one entry, as a sentence. */
export function sayEntryHits(hits: EntryHistory["hits"]): string {
  if (!hits || (hits.hour === null && hits.day === null)) return "Hits unknown.";
  const { hour, day, since } = hits;
  const known = since === null ? "" : `, known since ${sinceText(since)}`;
  return `Hits: ${hitsText(hour)} in the last hour, ${hitsText(day)} in 24 h${known}.`;
}

const sinceText = (since: number) => `${monthDayText(since)} ${minuteText(since)} UTC`;
