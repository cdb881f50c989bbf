import { z } from "zod";
import { query, withParameters } from "./query.ts";

export const rateSpans = ["1h", "24h"] as const;

const judged = z.object({
  limit: z.number(),
  clients: z.number(),
  customers: z.number(),
  requests: z.number(),
  /** Of all requests that are known. */
  share: z.number(),
  closest: z.object({ client: z.string(), peak: z.number() }).optional(),
});

export const ratesReply = z.object({
  asOf: z.number(),
  periodMinutes: z.number(),
  /** The busiest, by their most requests in one window. */
  top: z.array(z.object({ client: z.string(), peak: z.number(), customers: z.array(z.string()) })),
  known: z.number(),
  gap: z.object({ from: z.number(), to: z.number() }).optional(),
  /** The effect of the limit that was asked for, then of others near it. */
  judged: z.array(judged),
});
export type RatesReply = z.output<typeof ratesReply>;

interface RatesParameters {
  readonly kind: "ip" | "customer";
  readonly periodSeconds: number;
  readonly span: (typeof rateSpans)[number];
  readonly app?: string | undefined;
  readonly limit: number;
}

/** The clients that a limit would have denied in the last hour or day. */
export const rates = (asked: RatesParameters) =>
  query(["rates", asked], withParameters("/api/rates", { ...asked }), ratesReply);
