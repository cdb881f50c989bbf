import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";
import { calendar, list } from "./shapes.ts";

const reading = z.object({
  rule: z.string(),
  algorithm: z.string(),
  periodSeconds: z.number(),
  calendar,
  isShadowed: z.boolean(),
  used: z.number(),
  /** Null when only another system knows it. */
  limit: z.nullable(z.number()),
  /** Until the window ends, or the estimate has decayed below the limit. */
  resetMs: z.number(),
  isOver: z.boolean(),
});
export type OffenderReading = z.output<typeof reading>;

const listed = z.object({
  list,
  address: z.string(),
  reason: z.string(),
  /** Null if it never expires. Undefined: not read yet. */
  expiresAt: z.optional(z.nullable(z.number())),
});

export const offender = z.object({
  /** An address or network, a customer, or a value that one rule counts by. */
  kind: z.enum(["ip", "customer", "rule"]),
  client: z.string(),
  /** The app that got most of the requests. */
  app: z.string(),
  /** Requests, and those of them that were denied, in this minute of the clock and the one before. */
  requests: z.number(),
  denied: z.number(),
  /** Of the last 60 s, as far as nodes have reported. */
  requestsPerSecond: z.number(),
  deniedPerSecond: z.number(),
  /** The counter nearest to its limit, or furthest over it. Null without one: a blocked client is not counted, and counters may be away. */
  counter: z.nullable(reading),
  /** The same of the estimated rates per second. */
  estimate: z.nullable(reading),
  /** Unknown: without a reading, or if only another system knows the limit. */
  standing: z.enum(["throttled", "shadow", "near", "unknown", "under"]),
  /** Until it is below each limit that it is over. Null if it is over none. */
  clearsMs: z.nullable(z.number()),
  /** A scanner or scraper, by its user agent. */
  tool: z.optional(z.string()),
  /** Of its newest samples. */
  paths: z.array(z.string()),
  /** Null for a client that has no network, and while it is unknown. */
  network: z.nullable(
    z.object({
      asn: z.nullable(z.number()),
      asName: z.nullable(z.string()),
      country: z.nullable(z.string()),
    }),
  ),
  /** Customers that used the address within a week. Null: customers may be missing. */
  customers: z.nullable(z.array(z.string())),
  /** The entry that covers it already. */
  listed: z.optional(listed),
  /** Of a customer: its latest addresses that the blocklist has. Missing where it has none of them. */
  blockedAddresses: z.optional(
    z.object({
      blocked: z.number(),
      /** Addresses within a week. */
      total: z.number(),
      /** The entries. */
      entries: z.array(listed),
    }),
  ),
});
export type Offender = z.output<typeof offender>;

export const offendersReply = z.object({
  asOf: z.number(),
  /** False while the counters do not answer: then clients may be missing, and `over` is unknown. */
  isCounted: z.boolean(),
  /** Those with most denials in the last minute first, then those nearest to a limit. */
  clients: z.array(offender),
  /** Clients with denials in the last minute: as many as nodes name, `mostDenied` at most. */
  denied: z.number(),
  /** Denials per second of all clients, in the last minute. */
  deniedPerSecond: z.number(),
  /** The number of clients over a limit in force. Null while unknown. */
  over: z.nullable(z.number()),
  /** The age of the scan of counters that only another system writes. Null before the first scan. */
  foreignAgeMs: z.nullable(z.number()),
});
export type OffendersReply = z.output<typeof offendersReply>;

/** Clients with denials that are counted at most. */
export const mostDenied = 100;

/** The clients closest to, or furthest over, a limit. */
export const offenders = ({ app, most }: { app?: string | undefined; most: number }) =>
  query(["offenders", app ?? "", most], withParameters("/api/offenders", { app, most }), offendersReply);
