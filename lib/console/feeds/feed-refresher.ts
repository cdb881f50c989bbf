import { environment } from "../../env.ts";
import { FeedRefresher } from "../../manage/feeds/refresher.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { feedContext } from "./feed-context.ts";

/** Refreshes feeds while this console runs. Of all consoles, one does. */
export function theFeedRefresher(): FeedRefresher | undefined {
  return oncePerProcess("feed refresher", () => {
    if (environment().redisUrl === undefined || environment().secret === undefined) return undefined;
    const refresher = new FeedRefresher({ context: feedContext() });
    void refresher.run();
    return refresher;
  });
}
