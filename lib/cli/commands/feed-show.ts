import { formatDuration } from "../../enforce/lists/entry.ts";
import { requireFeed } from "../../manage/feeds/definition.ts";
import { saySource } from "../../manage/feeds/feed-source.ts";
import { readStates } from "../../manage/feeds/feed-state.ts";
import { readFeedHits } from "../../observe/feeds/feed-hits.ts";
import { Series } from "../../observe/stats/series.ts";
import type { Command } from "../command.ts";
import { sayFeed } from "../feed-words.ts";

export const feedShow: Command = {
  name: "feed show",
  takes: "<feed>",
  operands: { least: 1, most: 1 },
  summary: "Show a feed: what it has, its last refresh, and its hits of 24 h",
  about: ["The API key of a feed is never shown."],
  options: [],
  examples: ["sluice feed show scanners"],
  async run({ operands: [named = ""], reading }) {
    const { redis, now } = await reading();
    const feed = await requireFeed(redis, named);
    const state = (await readStates(redis)).get(feed.id);
    const [hits] = await readFeedHits({ redis, series: new Series(redis) }, [feed], now());
    const { contents } = feed;
    const left = state?.left;
    return {
      lines: [
        sayFeed(feed, state, now()),
        `Added by ${feed.by} at ${feed.at}. Read every ${formatDuration(feed.everyMs)}.`,
        contents
          ? `${contents.v4} IPv4 and ${contents.v6} IPv6 ranges with ${contents.addresses} IPv4 addresses, read at ${contents.at}: +${contents.added} / -${contents.removed}.`
          : "It has no contents.",
        ...(left && left.wide + left.tooWide + left.unread > 0
          ? [
              `Left out: ${left.wide} wide ranges, ${left.tooWide} that are too wide, ${left.unread} lines without an address.`,
            ]
          : []),
        ...(state?.failing ? [`It fails: ${state.failing.cause} (${state.failing.tries} tries)`] : []),
        `Hits of 24 h: ${hits?.decided ?? 0} decided, ${hits?.shadowed ?? 0} in shadow.`,
      ],
      json: { ...feed, source: saySource(feed.source), state: state ?? null, hits: hits ?? null },
    };
  },
};
