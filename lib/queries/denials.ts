import * as z from "zod/mini";
import { feedItem } from "./feed.ts";
import { query, withParameters } from "./query.ts";

const page = z.object({
  asOf: z.number(),
  items: z.array(feedItem),
  /** Where the next page begins. Null at the end. */
  next: z.nullable(z.string()),
  /** How complete the log is in this time, in a sentence. */
  says: z.string(),
  /** Earlier denials are not kept. */
  since: z.number(),
  retentionDays: z.number(),
});
export type DenialsPage = z.output<typeof page>;

const retention = z.object({
  days: z.number(),
  /** Days that can be chosen at most. */
  most: z.number(),
});

export type DenialRetention = z.output<typeof retention>;

/** How long the log is kept. */
export const denialRetention = () => query(["denial-retention"], "/api/denials/retention", retention);

export interface DenialParameters {
  /** An address or a range. */
  readonly client?: string | undefined;
  readonly customer?: string | undefined;
  readonly rule?: string | undefined;
  readonly app?: string | undefined;
  readonly path?: string | undefined;
  readonly outcome?: "blocked" | "throttled" | undefined;
  /** ISO, to the minute. Without them, the last 24 h. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Denials of the log, the newest first. */
export const denials = (wanted: DenialParameters, cursor?: string) =>
  query(["denials", wanted, cursor ?? ""], withParameters("/api/denials", { ...wanted, cursor }), page);

export const denialsExportPath = (wanted: DenialParameters, format: "csv" | "jsonl") =>
  withParameters("/api/denials/export", { ...wanted, format });
