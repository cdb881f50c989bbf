import { z } from "zod";
import { marker, offSpan } from "./markers.ts";
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
  /** A missing point was not reported by any node: its rates are unknown, not 0. */
  points: z.array(rates.extend({ at: z.number(), isMissing: z.boolean() })),
  now: rates,
  before: rates,
  p99Ms: z.number().nullable(),
  unsure: z.number(),
  apps: z.array(z.string()),
  markers: z.array(marker),
  off: z.array(offSpan),
});
export type OverviewReply = z.output<typeof overviewReply>;

/** Verdicts per second of all apps, or of one. */
export const overview = ({ range, app }: { range: RangeName; app?: string | undefined }) =>
  query(["overview", range, app ?? ""], withParameters("/api/overview", { range, app }), overviewReply);
