import { readFeeds } from "../../manage/feeds/definition.ts";
import { saySource } from "../../manage/feeds/feed-source.ts";
import { readStates } from "../../manage/feeds/feed-state.ts";
import type { Command } from "../command.ts";
import { sayFeed } from "../feed-words.ts";

export const feedList: Command = {
  name: "feed list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "List the feeds, with their state",
  about: ["A feed that waits for a decision, or fails, is in force with the contents that it had before."],
  options: [],
  examples: ["sluice feed list"],
  async run({ reading }) {
    const { redis, now } = await reading();
    const [feeds, states] = await Promise.all([readFeeds(redis), readStates(redis)]);
    return {
      lines:
        feeds.length === 0 ? ["No feeds."] : feeds.map((feed) => sayFeed(feed, states.get(feed.id), now())),
      json: feeds.map((feed) => ({
        ...feed,
        source: saySource(feed.source),
        state: states.get(feed.id) ?? null,
      })),
    };
  },
};
