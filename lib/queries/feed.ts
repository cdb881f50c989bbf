import * as z from "zod/mini";
import type { FeedItem } from "../observe/stats/feed.ts";
import { query, withParameters } from "./query.ts";

export const feedItem = z.object({
  id: z.string(),
  at: z.number(),
  ip: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  userAgent: z.string(),
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled", "shadow"]),
  rule: z.string(),
  customerId: z.string(),
  standsFor: z.number(),
  app: z.string(),
  node: z.string(),
}) satisfies z.ZodMiniType<FeedItem>;
export type { FeedItem };

export const feedReply = z.object({
  asOf: z.number(),
  items: z.array(feedItem),
  /** The samples reach back to this time. Null: there are none. */
  since: z.nullable(z.number()),
});
export type FeedReply = z.output<typeof feedReply>;

export interface FeedParameters {
  readonly outcome?: "throttled" | "blocked" | "shadow" | undefined;
  readonly app?: string | undefined;
  readonly rule?: string | undefined;
  readonly client?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
  readonly most: number;
}

/** The latest denials, newest first; under load, some of them. */
export const feed = (wanted: FeedParameters) =>
  query(["feed", wanted], withParameters("/api/feed", { ...wanted }), feedReply);

const pathsReply = z.object({
  asOf: z.number(),
  paths: z.array(z.object({ app: z.string(), path: z.string(), share: z.number() })),
  /** Number of denials that the shares are of. */
  samples: z.number(),
  /** Time of the oldest. Null: there are none. */
  since: z.nullable(z.number()),
});
export type DeniedPathsReply = z.output<typeof pathsReply>;

/** The paths with most of the denials, by samples of the last minutes. */
export const deniedPaths = ({ app }: { app?: string | undefined }) =>
  query(["feed", "paths", app ?? ""], withParameters("/api/feed/paths", { app }), pathsReply);
