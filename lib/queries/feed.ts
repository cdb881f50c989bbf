import { z } from "zod";
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
}) satisfies z.ZodType<FeedItem>;
export type { FeedItem };

export const feedReply = z.object({ asOf: z.number(), items: z.array(feedItem) });
export type FeedReply = z.output<typeof feedReply>;

export interface FeedParameters {
  readonly outcome?: "throttled" | "blocked" | "shadow" | undefined;
  readonly app?: string | undefined;
  readonly most: number;
}

/** The latest denials, newest first; under load, some of them. */
export const feed = (wanted: FeedParameters) =>
  query(["feed", wanted], withParameters("/api/feed", { ...wanted }), feedReply);
