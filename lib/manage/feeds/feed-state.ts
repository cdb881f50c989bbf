import { z } from "zod";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import { contentsSchema, type FeedDefinition, jsonOf, parseFeed } from "./definition.ts";

const heldSchema = z.object({
  contents: contentsSchema,
  /** The largest change, of ranges or of addresses: 140 for 140% more or added, -20 for 20% less or removed. */
  percent: z.number(),
  /** The widest of the ranges that were added. */
  widest: z.string().nullable(),
});

const stateSchema = z.object({
  /** Ms: the last attempt, and the next one. */
  checkedAt: z.number(),
  nextAt: z.number(),
  /** Ms: the last attempt that did not fail. */
  okAt: z.number().nullable(),
  failing: z.object({ since: z.number(), tries: z.number(), cause: z.string() }).nullable(),
  /** Ms: when its contents were last sent, not only said to be as before. 0 for a state of an earlier version. */
  readAt: z.number().default(0),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** New contents that wait for a person. */
  held: heldSchema.nullable(),
  /** What the last reading left out. */
  left: z.object({ wide: z.number(), tooWide: z.number(), unread: z.number() }),
});
/** How the refresh of a feed goes. Not audited, and no node reads it. */
export type FeedState = z.output<typeof stateSchema>;

export const newState: FeedState = {
  ...{ checkedAt: 0, nextAt: 0, okAt: null, failing: null, readAt: 0 },
  ...{ etag: null, lastModified: null, held: null },
  left: { wide: 0, tooWide: 0, unread: 0 },
};

export async function readStates(redis: Connection): Promise<ReadonlyMap<string, FeedState>> {
  const found = Object.entries(await redis.hgetall(keys.feedStates())).flatMap(([id, text]) => {
    const parsed = stateSchema.safeParse(jsonOf(text));
    return parsed.success ? [[id, parsed.data] as const] : [];
  });
  return new Map(found);
}

const writeWhileAsRead = defineScript({
  lua: lua.feedState,
  keys: () => [keys.feeds(), keys.feedStates()],
  args: (given: { readonly id: string; readonly definition: string; readonly state: string }) => [
    ...[given.id, given.definition, given.state],
  ],
  reply: (isDone: number) => isDone === 1,
});

const mostAttempts = 20;

/** Writes how a refresh of the feed went, in one step with the check. False where the feed is not as the caller wants it. */
export async function writeState(
  redis: Connection,
  id: string,
  state: FeedState,
  isWanted: (feed: FeedDefinition) => boolean,
): Promise<boolean> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    const definition = await redis.hget(keys.feeds(), id);
    const feed = definition === null ? undefined : parseFeed(id, definition);
    if (definition === null || !feed || !isWanted(feed)) return false;
    if (await writeWhileAsRead.run(redis, { id, definition, state: JSON.stringify(state) })) return true;
  }
  return false;
}
