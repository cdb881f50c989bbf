import { z } from "zod";
import type { Sort } from "../observe/catalogue/compare.ts";
import type { Facet } from "../observe/catalogue/facets.ts";
import type { ListName } from "../redis/keys.ts";
import { query, withParameters } from "./query.ts";
import { list } from "./shapes.ts";

export type { Facet, Sort };
export const facets = [
  "all",
  "expiring",
  "mine",
  "ranges",
  "permanent",
  "foreign",
] as const satisfies readonly Facet[];
export const sorts = ["address", "reason", "by", "at", "expires"] as const satisfies readonly Sort[];

const entry = z.object({
  /** As in Redis: another program may have written any text. */
  address: z.string(),
  isRange: z.boolean(),
  reason: z.string(),
  by: z.string().optional(),
  via: z.string().optional(),
  /** ISO */
  at: z.string().optional(),
  /** In ms; null for never. */
  expiresAt: z.number().nullable(),
  /** From when it was written to its end; null when it never expires, or when the time of writing is unknown. */
  lifeMs: z.number().nullable(),
  /** The entry of the other list that covers it. The safelist wins. */
  other: z.object({ list, address: z.string() }).optional(),
  /** Why it is not enforced. */
  flag: z.string().optional(),
  /** How often it was added to the list before; in replies of `expiring`. */
  listedBefore: z.number().optional(),
});
export type ListEntry = z.output<typeof entry>;

const reply = z.object({
  total: z.number(),
  matching: z.number(),
  /** False while the console's copy is still loading. */
  isComplete: z.boolean(),
  /** Ms: the moment for which this holds. */
  asOf: z.number(),
  /** Time since it was last certain that no change was missed. */
  ageMs: z.number(),
  /** The number of entries that match the text in each facet. */
  facets: z.object({
    all: z.number(),
    expiring: z.number(),
    mine: z.number(),
    ranges: z.number(),
    permanent: z.number(),
    foreign: z.number(),
  }),
  /** When the text is an address: the entries that cover it, most specific first. `entries` lists them. */
  covering: z.array(z.string()).optional(),
  entries: z.array(entry),
});
export type EntriesPage = z.output<typeof reply>;

interface EntriesParameters {
  readonly list: ListName;
  /** An address or range, or any text of address, reason, by or via. */
  readonly q?: string | undefined;
  readonly facet?: Facet | undefined;
  readonly sort?: Sort | undefined;
  readonly dir?: "asc" | "desc" | undefined;
  readonly offset?: number | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
}

/** A page of a list, from the console's copy. */
export function entries({ list, ...asked }: EntriesParameters) {
  return query(["lists", list, asked], withParameters(`/api/lists/${list}`, asked), reply);
}

/** Entries that expire within this time, the next first, each with how often it was listed before. */
export function expiring({ list, withinMs, limit }: { list: ListName; withinMs: number; limit?: number }) {
  const path = withParameters(`/api/lists/${list}/expiring`, { withinMs, limit });
  return query(["lists", list, "expiring", withinMs, limit], path, reply);
}

/** The URL of the filtered list as CSV. */
export function exportPath({ list, q, facet }: Pick<EntriesParameters, "list" | "q" | "facet">): string {
  return withParameters(`/api/lists/${list}/export`, { q, facet });
}

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

export const historyReply = z.object({
  /** How often it was added to the list, without its current entry. */
  listedBefore: z.number(),
  /** False when the log is longer than the part that was searched. */
  isWhole: z.boolean(),
  /** The newest first. */
  records: z.array(entryRecord),
});
export type EntryHistory = z.output<typeof historyReply>;

/** The audit records of one entry. */
export function entryHistory({ list, address }: { list: ListName; address: string }) {
  return query(
    ["lists", list, "history", address],
    withParameters(`/api/lists/${list}/history`, { address }),
    historyReply,
  );
}

const lossReply = z.object({
  /** Lost by Redis and not restored yet; null without a loss. */
  loss: z
    .object({
      /** ISO: when the console noticed it. */
      at: z.string(),
      safelist: z.number(),
      blocklist: z.number(),
      /** Protected ranges; they are restored with the lists. */
      neverBlock: z.number(),
    })
    .nullable(),
});
export type LossReply = z.output<typeof lossReply>;

/** The data that Redis lost, and that the console can restore from its own copy. */
export function loss() {
  return query(["loss"], "/api/loss", lossReply);
}
