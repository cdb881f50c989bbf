import { type Block, coverings } from "../ip/block.ts";
import { blockOf } from "../ip/parse.ts";
import type { RangeList } from "../ip/range-list.ts";
import type { Connection } from "../redis/connect.ts";
import { keys, type ListName, listNames } from "../redis/keys.ts";
import { isObeyed } from "./lockout.ts";
import type { Lists } from "./replica.ts";

/** The same question without a replica: one MGET of the address and every range that may cover it, on both lists. */
export async function askLists(redis: Connection, client: Block, protectedRanges: RangeList): Promise<Lists> {
  const candidates = coverings(client);
  const values = await redis.mget(listNames.flatMap((list) => candidates.map((at) => keys.entry(list, at))));
  return {
    match(list: ListName) {
      const offset = listNames.indexOf(list) * candidates.length;
      return candidates.find(
        (at, i) => values[offset + i] != null && isObeyed(list, blockOf(at), protectedRanges),
      );
    },
  };
}
