import { z } from "zod";
import type { Dictionary } from "../edge/dictionary.ts";
import type { FingerprintKind } from "../edge/fingerprint-tally.ts";
import type { Mode } from "../policy/schema.ts";
import { query, withParameters } from "./query.ts";

const kind = z.enum(["fastly", "varnish", "haproxy"] satisfies Dictionary["kind"][]);

const dictionary = z.object({
  kind,
  name: z.string(),
  capacity: z.number(),
  /** How many it should hold. */
  wished: z.number(),
  /** How many it holds; null while nobody knows. */
  actual: z.number().nullable(),
  /** Ms: since when it has not been as wished; null while it is. */
  behindSince: z.number().nullable(),
  /** In words; null while all is well. */
  trouble: z.string().nullable(),
  callsLastHour: z.number().nullable(),
  callsAnHour: z.number().nullable(),
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
  /** What was taken out or put back because others had changed it. */
  drifted: z.number(),
  trouble: z.string().nullable(),
});
export type EdgeSweep = z.output<typeof sweep>;

const reply = z.object({
  /** Ms of Redis' clock. */
  asOf: z.number(),
  isOn: z.boolean(),
  /** Who switched it last; nothing as long as nobody has. */
  switched: z.object({ by: z.string(), at: z.string(), reason: z.string() }).nullable(),
  mode: z.enum(["enforce", "shadow", "off"] satisfies Mode[]),
  coolDownMinutes: z.number(),
  /** How many are turned away now, or would be. */
  limited: z.number(),
  /** At once: more takes several steps. */
  mostLetIn: z.number(),
  /** Whether the environment of this console names an edge. */
  isNamed: z.boolean(),
  /** Why this console cannot sweep. */
  problem: z.string().nullable(),
  /** How the last sweep left things; null when there was none. */
  last: z
    .object({
      at: z.number(),
      ms: z.number(),
      by: z.string(),
      /** How many came too often, also those that are too many to be kept. */
      found: z.number(),
      kept: z.number(),
      dictionaries: z.array(dictionary),
    })
    .nullable(),
  /** Nobody has swept for too long. */
  isStale: z.boolean(),
  /** Those that changed something or failed, newest first. */
  sweeps: z.array(sweep),
});
export type EdgeReply = z.output<typeof reply>;

/** Is the edge stopping anybody, at which edge, and if not, why? */
export const edge = () => query(["edge"], "/api/edge", reply);

const limited = z.object({
  /** Of its fingerprint: what an edge looks up. */
  key: z.string(),
  kind: z.enum(["standard", "broad"] satisfies FingerprintKind[]),
  ip: z.string(),
  userAgent: z.string(),
  host: z.string().optional(),
  path: z.string().optional(),
  method: z.string().optional(),
  since: z.number(),
  until: z.number(),
  /** How often it came in its worst minute. */
  count: z.number(),
  limit: z.number(),
  /** The edges that have a place for it. */
  at: z.array(z.string()),
  /** How many others of the same address are turned away. */
  others: z.number(),
});
export type LimitedClient = z.output<typeof limited>;

const limitedReply = z.object({
  total: z.number(),
  /** How many of them the search finds. */
  matching: z.number(),
  offset: z.number(),
  /** Worst first, from the offset on. */
  rows: z.array(limited),
});
export type LimitedReply = z.output<typeof limitedReply>;

export const mostRowsRead = 500;

/** Who is turned away: those from one place to another, of all that the search finds. */
export const edgeLimited = ({ q, from, to }: { q: string; from: number; to: number }) =>
  query(["edge", "limited", q, from, to], withParameters("/api/edge/limited", { q, from, to }), limitedReply);
