import * as z from "zod/mini";
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
  points: z.array(z.extend(rates, { at: z.number(), isMissing: z.boolean() })),
  now: rates,
  /** Of the last minute. */
  minute: rates,
  /** Of a span that was asked for: over the time that nodes reported, and the share of that time. */
  average: z.optional(z.object({ rates, known: z.number(), p99Ms: z.nullable(z.number()) })),
  p99Ms: z.nullable(z.number()),
  unsure: z.number(),
  apps: z.array(z.string()),
  markers: z.array(marker),
  off: z.array(offSpan),
});
export type OverviewReply = z.output<typeof overviewReply>;

interface OverviewParameters {
  readonly range: RangeName;
  readonly app?: string | undefined;
  /** Shown instead of the range, in ms. */
  readonly zoom?: { readonly from: number; readonly until: number } | undefined;
}

/** Verdicts per second of all apps, or of one. */
export const overview = ({ range, app, zoom }: OverviewParameters) =>
  query(
    ["overview", range, app ?? "", zoom ?? null],
    withParameters("/api/overview", {
      ...{ range, app },
      ...(zoom && { from: Math.floor(zoom.from / 1_000), until: Math.ceil(zoom.until / 1_000) }),
    }),
    overviewReply,
  );
