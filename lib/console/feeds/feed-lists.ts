import { type FeedLists, Feeds, readFeedLists } from "../../enforce/lists/feeds.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** What feeds say of clients now. Their contents stay in this process, and are read again where they changed. */
export function theFeedLists(): Promise<FeedLists> {
  const { redis, protectedRanges } = theConsole();
  return readFeedLists(
    redis,
    protectedRanges,
    oncePerProcess("feeds", () => new Feeds()),
  );
}
