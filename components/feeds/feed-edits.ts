import type { FeedRow } from "@/lib/queries/feeds.ts";

/** What the form of a feed has, as it is typed and chosen. */
export interface FeedForm {
  readonly source: string;
  readonly header: string;
  readonly column: string;
  /** Ms. */
  readonly every: string;
  /** Ms, or "none". */
  readonly keys: string;
}

export function formOf({ source, header, column, everyMs, keys }: FeedRow): FeedForm {
  return {
    source,
    header: header ?? "",
    column,
    every: String(everyMs),
    keys: String(keys?.ttlMs ?? "none"),
  };
}

/** Only what the person has changed: what another one changes in that time stays. */
export function editsOf(before: FeedForm, { source, header, column, every, keys }: FeedForm) {
  return {
    ...(source !== before.source && { source }),
    ...(header !== before.header && { header }),
    ...(column !== before.column && { column }),
    ...(every !== before.every && { everyMs: Number(every) }),
    ...(keys !== before.keys && { keysTtlMs: keys === "none" ? null : Number(keys) }),
  };
}
