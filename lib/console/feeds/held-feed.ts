import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import { requireFeed } from "../../manage/feeds/definition.ts";
import { contentsOf } from "../../manage/feeds/feed-contents.ts";
import { readStates } from "../../manage/feeds/feed-state.ts";
import { differenceOf } from "../../observe/feeds/feed-changes.ts";
import type { HeldFeed } from "../../queries/feeds.ts";
import { inFairTurn } from "../fair-turns.ts";
import { read } from "../read.ts";
import { lastHourOf } from "./feed-preview.ts";

/** What the new contents of a feed would change, for the decision about them. */
export const getHeldFeed = read(
  "read",
  z.object({ id: z.string().max(60), digest: z.string().max(64) }),
  ({ console, who, search }) => inFairTurn("preview", who.sessionId, () => readHeld(console.redis, search)),
);

async function readHeld(
  redis: Parameters<typeof requireFeed>[0],
  { id, digest }: { readonly id: string; readonly digest: string },
): Promise<HeldFeed> {
  const feed = await requireFeed(redis, id);
  const held = (await readStates(redis)).get(feed.id)?.held?.contents;
  const after = held?.digest === digest ? await contentsOf(redis, feed.id, digest) : undefined;
  if (!after) throw new DomainError("not-found", `What waits for a decision of the feed ${id} is gone.`);
  const before = (await contentsOf(redis, feed.id, feed.contents?.digest)) ?? PackedRanges.none;
  const added = await differenceOf(after, before);
  const removed = await differenceOf(before, after);
  return {
    added: { count: added.count, examples: [...added.examples], widest: [...added.widest] },
    removed: { count: removed.count, examples: [...removed.examples], widest: [...removed.widest] },
    lastHour: await lastHourOf(redis, added.ranges),
  };
}
