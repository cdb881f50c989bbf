import { z } from "zod";
import { query, withParameters } from "./query.ts";
import { list } from "./shapes.ts";

export const offender = z.object({
  /** An address or network, a customer, or a value that one rule counts by. */
  kind: z.enum(["ip", "customer", "rule"]),
  client: z.string(),
  app: z.string(),
  /** Requests, and those of them that were denied, in this minute and the last. */
  requests: z.number(),
  denied: z.number(),
  rule: z.string(),
  algorithm: z.string(),
  periodSeconds: z.number(),
  isShadowed: z.boolean(),
  used: z.number(),
  /** Null when only another system knows it. */
  limit: z.number().nullable(),
  /** Until the window ends, or the estimate has decayed below the limit. */
  resetMs: z.number(),
  isOver: z.boolean(),
  /** Of the last minute, oldest first; for the trend. */
  history: z.array(z.number()),
  /** A scanner or scraper, by its user agent. */
  tool: z.string().optional(),
  /** The entry that covers it already. */
  listed: z.object({ list, address: z.string() }).optional(),
});
export type Offender = z.output<typeof offender>;

export const offendersReply = z.object({
  asOf: z.number(),
  /** False while the counters do not answer: then clients may be missing, and `over` is unknown. */
  isCounted: z.boolean(),
  byCounter: z.array(offender),
  byEstimate: z.array(offender),
  /** The number of clients over a limit in force. Null while unknown. */
  over: z.number().nullable(),
  /** The age of the scan of counters that only another system writes. Null before the first scan. */
  foreignAgeMs: z.number().nullable(),
});
export type OffendersReply = z.output<typeof offendersReply>;

/** The clients closest to, or furthest over, a limit. */
export const offenders = ({ app, most }: { app?: string | undefined; most: number }) =>
  query(["offenders", app ?? "", most], withParameters("/api/offenders", { app, most }), offendersReply);
