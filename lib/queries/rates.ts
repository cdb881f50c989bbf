import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";

export const rateSpans = ["1h", "24h"] as const;

/** What a rule counts, as far as it says which customers its clients are. */
export const countedKinds = ["ip", "anonymous", "customer", "other"] as const;
export type CountedKind = (typeof countedKinds)[number];

const judged = z.object({
  limit: z.number(),
  clients: z.number(),
  customers: z.number(),
  /** What the limit would have denied, in requests or in the unit of their cost. */
  requests: z.number(),
  /** Of everything that the rule counted. */
  share: z.number(),
  closest: z.optional(z.object({ client: z.string(), peak: z.number() })),
});

export const ratesReply = z.object({
  asOf: z.number(),
  /** Length of the windows: the period, as far as nodes report it. */
  windowSeconds: z.number(),
  /** What was read. */
  minutes: z.number(),
  /** Minutes of these in which nodes counted what the rule counts. 0: there is no history. */
  knownMinutes: z.number(),
  /** In busy moments there were more clients than are kept. */
  isCut: z.boolean(),
  /** How customers are known: each by its name, by what nodes report of addresses within a week, or not at all. */
  customersBy: z.enum(["name", "reports", "unknown"]),
  /** There may be customers that nodes did not report. */
  customersMayMiss: z.boolean(),
  /** The busiest, by their most requests in one window. */
  top: z.array(z.object({ client: z.string(), peak: z.number(), customers: z.array(z.string()) })),
  known: z.number(),
  gap: z.optional(z.object({ from: z.number(), to: z.number() })),
  /** The effect of the limit that was asked for, then of others near it. */
  judged: z.array(judged),
});
export type RatesReply = z.output<typeof ratesReply>;

interface RatesParameters {
  /** Key of the scope of the rule. */
  readonly scope: string;
  readonly kind: CountedKind;
  readonly periodSeconds: number;
  readonly span: (typeof rateSpans)[number];
  readonly limit: number;
}

/** The clients of a rule that a limit would have denied in the last hour or day. */
export const rates = (asked: RatesParameters) =>
  query(["rates", asked], withParameters("/api/rates", { ...asked }), ratesReply);
