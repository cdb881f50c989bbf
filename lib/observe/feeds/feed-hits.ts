import { feedText } from "../../enforce/lists/feeds.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import { fields } from "../../enforce/stats/fields.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { repliesOf } from "../../redis/script.ts";
import type { Series } from "../stats/series.ts";

/** Requests of the last 24 h that a feed decided, and those that it would have blocked in shadow. */
export interface FeedHits {
  readonly decided: number;
  readonly shadowed: number;
  /** Both together by the hour, the oldest first. */
  readonly hours: readonly number[];
}

const hours = 24;
const hourMs = 3_600_000;

/** The hits of feeds, in their order. Nodes keep a feed among their busiest entries, so few hits may be missing. */
export async function readFeedHits(
  { redis, series }: { readonly redis: Connection; readonly series: Pick<Series, "read"> },
  feeds: readonly { readonly id: string; readonly list: ListName }[],
  nowMs: number,
): Promise<FeedHits[]> {
  if (feeds.length === 0) return [];
  const last = Math.floor(nowMs / hourMs);
  const indexes = Array.from({ length: hours }, (_, i) => last - hours + 1 + i);
  const pipeline = redis.pipeline();
  for (const { id, list } of feeds)
    for (const index of indexes) pipeline.zscore(keys.entryHits(3_600, index, list), feedText(id));
  const [replies, buckets] = await Promise.all([repliesOf(pipeline), series.read(3_600, hours, nowMs)]);
  return feeds.map(({ id }, feed) => {
    const decided = indexes.map((_, i) => Number(replies[feed * hours + i] ?? 0));
    const shadowed = indexes.map((index) => {
      const bucket = buckets.find(({ at }) => Math.floor(at / hourMs) === index);
      let sum = 0;
      for (const [app, counts] of bucket?.apps ?? [])
        if (app !== consoleApp) sum += counts.get(fields.shadow(feedText(id))) ?? 0;
      return sum;
    });
    const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
    return {
      ...{ decided: sumOf(decided), shadowed: sumOf(shadowed) },
      hours: decided.map((count, i) => count + (shadowed[i] ?? 0)),
    };
  });
}
