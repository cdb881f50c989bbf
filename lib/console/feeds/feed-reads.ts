import { z } from "zod";
import { type ContentsFacts, readFeeds } from "../../manage/feeds/definition.ts";
import { type FeedKeys, readFeedKeys } from "../../manage/feeds/feed-keys.ts";
import { saySource } from "../../manage/feeds/feed-source.ts";
import { readStates } from "../../manage/feeds/feed-state.ts";
import { readFeedHits } from "../../observe/feeds/feed-hits.ts";
import { listNodes } from "../../observe/stats/nodes.ts";
import type { FeedRow, FeedsReply } from "../../queries/feeds.ts";
import { theConsole } from "../console.ts";
import { inTime } from "../in-time.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

const freshMs = 900;
/** Hits that come later are unknown: the feeds are not. */
const patienceMs = 500;

export const getFeeds = read("read", z.object({}), () => shared("feeds", freshMs, readAll));

async function readAll(): Promise<FeedsReply> {
  const { redis } = theConsole();
  const asOf = await redisNowMs();
  const [feeds, states, written, nodes] = await Promise.all([
    readFeeds(redis),
    readStates(redis),
    readFeedKeys(redis),
    listNodes(redis),
  ]);
  const { series } = theStatistics();
  const hits = await inTime(
    readFeedHits({ redis, series }, feeds, asOf).catch(() => undefined),
    patienceMs,
  );
  return {
    asOf,
    oldNodes: feeds.length === 0 ? [] : nodes.filter(({ feedsFormat }) => !feedsFormat).map(({ id }) => id),
    feeds: feeds.map((feed, i): FeedRow => {
      const { id, name, list, source, mode, isPaused, isWideConfirmed, contents } = feed;
      const { everyMs, keepMs, holdPercent, column } = feed;
      const state = states.get(id);
      const found = hits?.[i];
      const held = state?.held;
      return {
        ...{
          id,
          name,
          list,
          source: saySource(source),
          header: (source.kind === "url" && source.header) || null,
          mode,
          isPaused,
        },
        ...{ isWideConfirmed, everyMs, keepMs, holdPercent, column: String(column ?? "") },
        ...{ contents: contents ? numbersOf(contents) : null },
        ...{ checkedAt: state?.checkedAt || null, nextAt: isPaused ? null : (state?.nextAt ?? null) },
        failing: state?.failing ?? null,
        held: held
          ? { contents: numbersOf(held.contents), percent: held.percent, widest: held.widest }
          : null,
        keys: feed.keysTtlMs === undefined ? null : keysOf(feed.keysTtlMs, written.get(id)),
        left: state?.left ?? { wide: 0, tooWide: 0, unread: 0 },
        hits: found ? { count: found.decided + found.shadowed, hours: [...found.hours] } : null,
      };
    }),
  };
}

function numbersOf({ digest, ranges, v4, v6, addresses, bytes, at, added, removed }: ContentsFacts) {
  return { digest, ranges, v4, v6, addresses, bytes, at: Date.parse(at), added, removed };
}

function keysOf(ttlMs: number, { count, left, problem }: Partial<FeedKeys> = {}) {
  return { ttlMs, count: count ?? 0, left: left ?? 0, problem: problem ?? null };
}
