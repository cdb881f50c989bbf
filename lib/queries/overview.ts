import { z } from "zod";
import { query, withParameters } from "./query.ts";

export const rangeNames = ["15m", "1h", "24h", "7d"] as const;
export type RangeName = (typeof rangeNames)[number];

const rates = z.object({
  safelisted: z.number(),
  pass: z.number(),
  throttled: z.number(),
  blocked: z.number(),
  shadow: z.number(),
});

/** A change that somebody made, to be marked on charts at its time. */
const marker = z.object({
  at: z.number(),
  n: z.number(),
  actor: z.string(),
  action: z.string(),
  text: z.string(),
});

export const overviewReply = z.object({
  asOf: z.number(),
  stepSeconds: z.number(),
  points: z.array(rates.extend({ at: z.number() })),
  now: rates,
  before: rates,
  p99Ms: z.number().nullable(),
  unsure: z.number(),
  apps: z.array(z.string()),
  markers: z.array(marker),
});
export type OverviewReply = z.output<typeof overviewReply>;

/** Verdicts per second of all apps, or of one. */
export const overview = ({ range, app }: { range: RangeName; app?: string | undefined }) =>
  query(["overview", range, app ?? ""], withParameters("/api/overview", { range, app }), overviewReply);
