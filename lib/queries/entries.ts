import { z } from "zod";
import type { Sort } from "../lists/catalogue/compare.ts";
import type { Facet } from "../lists/catalogue/facets.ts";
import type { ListName } from "../redis/keys.ts";
import { query, withParameters } from "./query.ts";

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

const list = z.enum(["safelist", "blocklist"]);

const entry = z.object({
  /** As it stands in Redis: a foreign writer may have spelled anything. */
  address: z.string(),
  isRange: z.boolean(),
  reason: z.string(),
  by: z.string().optional(),
  via: z.string().optional(),
  /** ISO */
  at: z.string().optional(),
  /** In ms; null for never. */
  expiresAt: z.number().nullable(),
  /** What it had when it was written; null when it never ends, or nobody said when it was written. */
  lifeMs: z.number().nullable(),
  /** The entry of the other list that covers it. The safelist wins. */
  other: z.object({ list, address: z.string() }).optional(),
  /** Why nodes do not obey it. */
  flag: z.string().optional(),
  /** How often it was put on the list before; told where it was asked for. */
  listedBefore: z.number().optional(),
});
export type ListedEntry = z.output<typeof entry>;

const reply = z.object({
  total: z.number(),
  matching: z.number(),
  /** False while the console's copy is still loading. */
  isComplete: z.boolean(),
  /** Ms: the moment for which this holds. */
  asOf: z.number(),
  /** How long ago it was last certain that nothing was missed. */
  ageMs: z.number(),
  /** Of all entries that match the text, how many each facet would show. */
  facets: z.object({
    all: z.number(),
    expiring: z.number(),
    mine: z.number(),
    ranges: z.number(),
    permanent: z.number(),
    foreign: z.number(),
  }),
  /** When an address was asked for: the entries that cover it, most specific first. They are what is listed. */
  covering: z.array(z.string()).optional(),
  entries: z.array(entry),
});
export type EntriesPage = z.output<typeof reply>;

export interface EntriesAsked {
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
export function entries({ list, ...asked }: EntriesAsked) {
  return query(["lists", list, asked], withParameters(`/api/lists/${list}`, asked), reply);
}

/** What ends within this time, the next first, each with how often it was listed before. */
export function expiring({ list, withinMs, limit }: { list: ListName; withinMs: number; limit?: number }) {
  const path = withParameters(`/api/lists/${list}/expiring`, { withinMs, limit });
  return query(["lists", list, "expiring", withinMs, limit], path, reply);
}

/** Where the list, filtered so, is downloaded as CSV. */
export function exportPath({ list, q, facet }: Pick<EntriesAsked, "list" | "q" | "facet">): string {
  return withParameters(`/api/lists/${list}/export`, { q, facet });
}
