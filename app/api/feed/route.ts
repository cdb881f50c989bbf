import { z } from "zod";
import type { FeedReply } from "../../../lib/queries/feed.ts";
import { type FeedItem, readFeed } from "../../../lib/stats/feed.ts";
import { theConsole } from "../../_server/console.ts";
import { read } from "../../_server/read.ts";
import { redisNowMs, shared } from "../../_server/statistics.ts";

const search = z.object({
  outcome: z.enum(["throttled", "blocked", "shadow"]).optional(),
  app: z.string().min(1).max(64).optional(),
  most: z.coerce.number().int().min(1).max(200),
});
const freshMs = 900;
const mostRead = 1_000;

export const GET = read("read", search, async ({ search: { outcome, app, most } }): Promise<FeedReply> => {
  const items = await latestSeen();
  const isWanted = (item: FeedItem) =>
    (outcome === undefined ? isDenial(item) : item.outcome === outcome) &&
    (app === undefined || item.app === app);
  return { asOf: await redisNowMs(), items: items.filter(isWanted).slice(0, most) };
});

const isDenial = ({ outcome }: FeedItem) => outcome !== "pass" && outcome !== "safelisted";

function latestSeen(): Promise<FeedItem[]> {
  return shared("feed", freshMs, () => readFeed(theConsole().redis, { most: mostRead }));
}
