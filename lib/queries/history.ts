import { z } from "zod";
import type { ListName } from "../redis/keys.ts";
import { query, withParameters } from "./query.ts";

const entryState = z.object({
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
  /** The reason of the change in the log. */
  reason: z.string(),
  before: entryState.optional(),
  after: entryState.optional(),
});

const reply = z.object({
  /** How often it was added to the list, without its current entry. */
  listedBefore: z.number(),
  /** False when the log is longer than the part that was searched. */
  isWhole: z.boolean(),
  /** The newest first. */
  records: z.array(entryRecord),
});
export type EntryHistory = z.output<typeof reply>;

/** The audit records of one entry. */
export function entryHistory({ list, address }: { list: ListName; address: string }) {
  return query(
    ["lists", list, "history", address],
    withParameters(`/api/lists/${list}/history`, { address }),
    reply,
  );
}
