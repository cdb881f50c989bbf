import * as z from "zod/mini";
import type { FingerprintKind } from "../enforce/edge/fingerprint-tally.ts";
import type { Dictionary } from "../manage/edge/dictionary.ts";
import { query, withParameters } from "./query.ts";
import { mode } from "./shapes.ts";

const kind = z.enum(["fastly", "varnish", "haproxy"] satisfies Dictionary["kind"][]);

const dictionary = z.object({
  kind,
  name: z.string(),
  capacity: z.number(),
  /** The number of keys that it should hold. */
  wished: z.number(),
  /** The number of keys that it holds; null while unknown. */
  actual: z.nullable(z.number()),
  /** Ms: since when it has been out of sync; null while it is in sync. */
  behindSince: z.nullable(z.number()),
  /** In words; null without trouble. */
  trouble: z.nullable(z.string()),
  callsLastHour: z.nullable(z.number()),
  callsAnHour: z.nullable(z.number()),
});
export type EdgeDictionary = z.output<typeof dictionary>;

const sweep = z.object({
  at: z.number(),
  by: z.string(),
  dictionary: z.string(),
  ms: z.number(),
  calls: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Keys removed or added again because another program had changed them. */
  drifted: z.number(),
  trouble: z.nullable(z.string()),
});
export type EdgeSweep = z.output<typeof sweep>;

const reply = z.object({
  /** Ms of Redis' clock. */
  asOf: z.number(),
  isOn: z.boolean(),
  /** The last switch; null before the first. */
  switched: z.nullable(z.object({ by: z.string(), at: z.string(), reason: z.string() })),
  mode,
  coolDownMinutes: z.number(),
  /** The number of clients denied now, or that would be. */
  limited: z.number(),
  /** In one step. */
  mostLetIn: z.number(),
  /** Whether the environment of this console names an edge. */
  isNamed: z.boolean(),
  /** Why this console cannot sync the edge. */
  problem: z.nullable(z.string()),
  /** The state after the last sweep; null before the first. */
  last: z.nullable(
    z.object({
      at: z.number(),
      ms: z.number(),
      by: z.string(),
      /** The number of fingerprints over the limit, also those that are not kept for lack of room. */
      found: z.number(),
      kept: z.number(),
      dictionaries: z.array(dictionary),
    }),
  ),
  /** The last sweep is too long ago. */
  isStale: z.boolean(),
  /** Sweeps with a change or a failure, newest first. */
  sweeps: z.array(sweep),
});
export type EdgeReply = z.output<typeof reply>;

/** The state of limiting at the edge. */
export const edge = () => query(["edge"], "/api/edge", reply);

const limited = z.object({
  /** The key of its fingerprint, which an edge looks up. */
  key: z.string(),
  kind: z.enum(["standard", "broad"] satisfies FingerprintKind[]),
  ip: z.string(),
  userAgent: z.string(),
  host: z.optional(z.string()),
  path: z.optional(z.string()),
  method: z.optional(z.string()),
  since: z.number(),
  until: z.number(),
  /** Its requests in its worst minute. */
  count: z.number(),
  limit: z.number(),
  /** The edges that have room for it. */
  at: z.array(z.string()),
  /** The number of other fingerprints of the same address that are denied. */
  others: z.number(),
});
export type LimitedClient = z.output<typeof limited>;

const limitedReply = z.object({
  total: z.number(),
  /** The number of matches of the search. */
  matching: z.number(),
  offset: z.number(),
  /** Worst first, from the offset on. */
  rows: z.array(limited),
});
export type LimitedReply = z.output<typeof limitedReply>;

export const mostRowsRead = 500;

/** Clients denied at the edge: the rows from one index to another, of those that match the search. */
export const edgeLimited = ({ q, from, to }: { q: string; from: number; to: number }) =>
  query(["edge", "limited", q, from, to], withParameters("/api/edge/limited", { q, from, to }), limitedReply);
