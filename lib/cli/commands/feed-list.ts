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
  async run({ readAccess }) {
    const { listFeeds, now } = await readAccess();
    const feeds = await listFeeds();
    return {
      lines: feeds.length === 0 ? ["No feeds."] : feeds.map((feed) => sayFeed(feed, now())),
      json: feeds.map(({ json }) => json),
    };
  },
};
