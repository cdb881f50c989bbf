import { PackedRanges } from "../../ip/packed-ranges.ts";
import { blockOf, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";

interface WrittenFeed {
  readonly list?: ListName;
  readonly mode?: "enforce" | "shadow";
  readonly isPaused?: boolean;
  readonly digest?: string;
}

let digests = 0;

/** Writes a feed as Redis holds it. */
export async function writeFeed(
  redis: Connection,
  id: string,
  ranges: readonly string[],
  { list = "blocklist", mode = "enforce", isPaused = false, ...given }: WrittenFeed = {},
): Promise<void> {
  const packed = PackedRanges.of(ranges.filter(isCanonical).map(blockOf)).pack();
  const digest = given.digest ?? `digest${digests++}`;
  await redis.set(keys.feedContents(id, digest), Buffer.from(packed));
  await redis.hset(
    keys.feeds(),
    id,
    JSON.stringify({ name: id, list, mode, isPaused, contents: { digest } }),
  );
}
