import { z } from "zod";
import { query, withParameters } from "./query.ts";

export const offender = z.object({
  /** An address or network, a customer, or whom one rule counts otherwise. */
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
  /** Nothing when another system alone knows it. */
  limit: z.number().nullable(),
  /** Until the window ends, or the estimate has decayed below the limit. */
  resetMs: z.number(),
  isOver: z.boolean(),
  /** Of the last minute, oldest first; for the trend. */
  history: z.array(z.number()),
  /** A scanner or scraper that it was seen to be. */
  tool: z.string().optional(),
  /** The entry that covers it already. */
  listed: z.object({ list: z.enum(["safelist", "blocklist"]), address: z.string() }).optional(),
});
export type Offender = z.output<typeof offender>;

export const offendersReply = z.object({
  asOf: z.number(),
  byCounter: z.array(offender),
  byEstimate: z.array(offender),
  /** How many clients are over a limit in force. */
  over: z.number(),
  /** Counters that only another system writes: how old what is known of them is. Nothing while nothing is known. */
  foreignAgeMs: z.number().nullable(),
});
export type OffendersReply = z.output<typeof offendersReply>;

/** Who comes closest to, or goes furthest over, a limit. */
export const offenders = ({ app, most }: { app?: string | undefined; most: number }) =>
  query(["offenders", app ?? "", most], withParameters("/api/offenders", { app, most }), offendersReply);
