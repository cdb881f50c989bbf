import { environment } from "../../env.ts";
import { FeedSecrets } from "../../manage/feeds/feed-secret.ts";
import { defaultFolder } from "../../manage/feeds/fetch-source.ts";
import type { FeedContext } from "../../manage/feeds/refresh.ts";
import { rangesIn } from "../../observe/feeds/network-ranges.ts";
import { theConsole } from "../console.ts";
import { theNetworks } from "../networks/network-reads.ts";

/** What reading a feed takes, beside an actor. */
export function feedContext(): Omit<FeedContext, "actor"> {
  const { redis, seal, secret } = theConsole();
  const fetching = { folder: environment().feedFiles ?? defaultFolder };
  return { redis, seal, secrets: new FeedSecrets(secret), fetching, networkRanges: rangesIn(theNetworks) };
}
