import { z } from "zod";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";

const seen = z.object({
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
});

/** A request that a node has kept, and when it told. */
export type FeedItem = z.output<typeof seen> & { readonly id: string; readonly at: number };

/** What nodes kept lately, newest first. @param after the id from which on it is known already */
export async function readFeed(
  redis: Connection,
  { most, after }: { readonly most: number; readonly after?: string | undefined },
): Promise<FeedItem[]> {
  const entries = await redis.xrevrange(
    keys.feed(),
    "+",
    after === undefined ? "-" : `(${after}`,
    "COUNT",
    most,
  );
  return entries.flatMap(([id, fields]) => {
    const parsed = seen.safeParse(readJson(fields[1] ?? ""));
    return parsed.success ? [{ ...parsed.data, id, at: Number(id.split("-", 1)[0]) }] : [];
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
