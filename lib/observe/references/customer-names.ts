import { isCustomerId } from "../../enforce/customers/id.ts";
import { countedAs } from "../../enforce/stats/fields.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { customerOf, keys } from "../../redis/keys.ts";
import { readOwners } from "../customers/owners.ts";

/** Of a thousand keys each. */
const mostPages = 500;

/** Customers in the order in which they are likely: those of the address, those of a week, those with a key of their own. */
export async function* readCustomerNames(
  redis: Connection,
  client: Ip | undefined,
): AsyncGenerator<readonly string[]> {
  if (client !== undefined) {
    const { of } = await readOwners(redis, [countedAs(blockOf(client))]);
    yield of.flatMap(({ owners }) => owners.map(({ customer }) => customer));
  }
  let cursor = "0";
  do {
    const [next, members] = await redis.zscan(keys.ownersSeen(), cursor, "COUNT", 1_000);
    cursor = next;
    yield members.filter((_, i) => i % 2 === 0).map((member) => member.slice(member.indexOf(" ") + 1));
  } while (cursor !== "0");
  // A look-up may not walk a keyspace of millions.
  for (let page = 0; page < mostPages; page++) {
    const [next, found] = await redis.scan(cursor, "MATCH", `${keys.customerPrefix()}*`, "COUNT", 1_000);
    yield found.flatMap((key) => customerOf(key)?.id ?? []).filter(isCustomerId);
    if (next === "0") return;
    cursor = next;
  }
}
