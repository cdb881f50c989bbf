import * as z from "zod/mini";
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
export const sorts = ["address", "reason", "by", "hits", "at", "expires"] as const satisfies readonly Sort[];

/** Requests that an entry decided. */
export const listHits = z.object({
  /** Of the last hour. Null: unknown. */
  hour: z.nullable(z.number()),
  /** Of the last 24 h. */
  day: z.nullable(z.number()),
  /** Of each five minutes of the last hour, the oldest first. Empty without a known hit. */
  recent: z.array(z.number()),
});

/** How much is known of the hits of a list's entries. */
export const knownHits = z.object({
  /** False while no app reports: then no hit is known to be absent. */
  isReported: z.boolean(),
  /** In ms: what was before is not known. Null: all of the 24 h is known. */
  since: z.nullable(z.number()),
  /** Requests that entries decided, of which the entry is unknown. */
  unknown: z.object({ hour: z.number(), day: z.number() }),
});
export type KnownHits = z.output<typeof knownHits>;

const entry = z.object({
  /** As in Redis: another program may have written any text. */
  address: z.string(),
  isRange: z.boolean(),
  reason: z.string(),
  by: z.optional(z.string()),
  via: z.optional(z.string()),
  /** ISO */
  at: z.optional(z.string()),
  tags: z.optional(z.readonly(z.array(z.string()))),
  /** In ms; null for never. */
  expiresAt: z.nullable(z.number()),
  /** From when it was written to its end; null when it never expires, or when the time of writing is unknown. */
  lifeMs: z.nullable(z.number()),
  /** The entry of the other list that covers it. The safelist wins. */
  other: z.optional(z.object({ list, address: z.string() })),
  /** Why it is not enforced. */
  flag: z.optional(z.string()),
  /** Missing where they could not be read. */
  hits: z.optional(listHits),
  /** How often it was added to the list before; in replies of `expiring`. */
  listedBefore: z.optional(z.number()),
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
  /** The number of entries that match the text and have the tag, in each facet. */
  facets: z.object({
    all: z.number(),
    expiring: z.number(),
    mine: z.number(),
    ranges: z.number(),
    permanent: z.number(),
    foreign: z.number(),
  }),
  /** The most frequent tags of entries that match the text and belong to the facet. */
  tags: z.readonly(z.array(z.object({ tag: z.string(), count: z.number() }))),
  /** When the text is an address: the entries that cover it, most specific first. `entries` lists them. */
  covering: z.optional(z.array(z.string())),
  entries: z.array(entry),
  /** Missing where hits could not be read. */
  hits: z.optional(knownHits),
});
export type EntriesPage = z.output<typeof reply>;

interface EntriesParameters {
  readonly list: ListName;
  /** An address or range, or any text of address, reason, by, via or tags. */
  readonly q?: string | undefined;
  readonly facet?: Facet | undefined;
  readonly tag?: string | undefined;
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
export function exportPath({
  list,
  ...filter
}: Pick<EntriesParameters, "list" | "q" | "facet" | "tag">): string {
  return withParameters(`/api/lists/${list}/export`, filter);
}

const entryState = z.object({
  /** In ms; null for never. */
  expiresAt: z.nullable(z.number()),
  reason: z.string(),
  tags: z.optional(z.readonly(z.array(z.string()))),
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
  before: z.optional(entryState),
  after: z.optional(entryState),
});

export const historyReply = z.object({
  /** How often it was added to the list, without its current entry. */
  listedBefore: z.number(),
  /** Requests that the entry decided. Missing where they could not be read. */
  hits: z.optional(z.extend(listHits, z.pick(knownHits, { since: true }).shape)),
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
  loss: z.nullable(
    z.object({
      /** ISO: when the console noticed it. */
      at: z.string(),
      safelist: z.number(),
      blocklist: z.number(),
      /** Protected ranges; they are restored with the lists. */
      neverBlock: z.number(),
    }),
  ),
});
export type LossReply = z.output<typeof lossReply>;

/** The data that Redis lost, and that the console can restore from its own copy. */
export function loss() {
  return query(["loss"], "/api/loss", lossReply);
}
