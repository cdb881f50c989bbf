import { environment } from "../../env.ts";
import { FeedSecrets } from "../../manage/feeds/feed-secret.ts";
import { defaultFolder } from "../../manage/feeds/fetch-source.ts";
import type { FeedContext } from "../../manage/feeds/refresh.ts";
import { rangesIn } from "../../observe/feeds/network-ranges.ts";
import { theConsole } from "../console.ts";
import { theNetworks } from "../networks/network-reads.ts";

/** What reading a feed takes, beside an actor. */
export function feedContext(): Omit<FeedContext, "actor"> {
  const { redis, seal, secret, protectedRanges } = theConsole();
  const fetching = { folder: environment().feedFiles ?? defaultFolder };
  const secrets = new FeedSecrets(secret);
  return { redis, seal, protectedRanges, secrets, fetching, networkRanges: rangesIn(theNetworks) };
}
