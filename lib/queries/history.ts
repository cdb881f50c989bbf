import { z } from "zod";
import type { ListName } from "../redis/keys.ts";
import { query, withParameters } from "./query.ts";

const standing = z.object({
  /** In ms; null for never. */
  expiresAt: z.number().nullable(),
  reason: z.string(),
});

export const entryRecord = z.object({
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  via: z.string(),
  action: z.string(),
  /** Why the change was made, as the log has it. */
  reason: z.string(),
  before: standing.optional(),
  after: standing.optional(),
});

const reply = z.object({
  /** How often it was put on the list, not counting the entry that stands there now. */
  listedBefore: z.number(),
  /** False when the log is longer than what was looked through. */
  isWhole: z.boolean(),
  /** The newest first. */
  records: z.array(entryRecord),
});
export type EntryHistory = z.output<typeof reply>;

/** What the audit log says of one entry. */
export function entryHistory({ list, address }: { list: ListName; address: string }) {
  return query(
    ["lists", list, "history", address],
    withParameters(`/api/lists/${list}/history`, { address }),
    reply,
  );
}
