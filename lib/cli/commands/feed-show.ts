import { formatDuration } from "../../enforce/lists/entry.ts";
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
  async run({ operands: [named = ""], readAccess }) {
    const { findFeed, readFeedHits, now } = await readAccess();
    const feed = await findFeed(named);
    const hits = await readFeedHits(feed.id);
    const { contents, left, failing } = feed;
    return {
      lines: [
        sayFeed(feed, now()),
        `Added by ${feed.by} at ${feed.at}. Read every ${formatDuration(feed.everyMs)}.`,
        contents
          ? `${contents.v4} IPv4 and ${contents.v6} IPv6 ranges with ${contents.addresses} IPv4 addresses, read at ${contents.at}: +${contents.added} / -${contents.removed}.`
          : "It has no contents.",
        ...(left && left.wide + left.tooWide + left.unread > 0
          ? [
              `Left out: ${left.wide} wide ranges, ${left.tooWide} that are too wide, ${left.unread} lines without an address.`,
            ]
          : []),
        ...(failing ? [`It fails: ${failing.cause} (${failing.tries} tries)`] : []),
        `Hits of 24 h: ${hits.decided} decided, ${hits.shadowed} in shadow.`,
      ],
      json: { ...feed.json, hits },
    };
  },
};
