import { z } from "zod";
import { marker } from "./markers.ts";
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

export const overviewReply = z.object({
  asOf: z.number(),
  stepSeconds: z.number(),
  /** What is missing nobody told of: it is not known, and not nothing. */
  points: z.array(rates.extend({ at: z.number(), isMissing: z.boolean() })),
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
