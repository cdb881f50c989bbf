import { coverings } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { entryHistory } from "../../observe/lists/entry-history.ts";
import type { Listings } from "../../queries/client.ts";
import { listNames } from "../../redis/keys.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { theHistory } from "../lists/list-history.ts";

const mostShown = 50;

/** When an address was on a list, alone or within a range, by the audit log. */
export async function tellListings(address: Ip | Cidr): Promise<Listings> {
  const { redis } = theConsole();
  const history = theHistory();
  await history.catchUp();
  const places = listNames.flatMap((list) =>
    coverings(blockOf(address)).map((place) => ({ list, address: place })),
  );
  const touched = places.filter((one) => history.records(one.list, one.address, 1).length > 0);
  const found = await Promise.all(
    touched.map(async (one) => {
      const records = await entryHistory(redis, history, one);
      return records.map((record) => ({ ...record, ...one }));
    }),
  );
  const catalogue = await loadedCatalogue();
  return {
    listedBefore: listNames.reduce(
      (sum, list) => sum + history.listedBefore(list, catalogue.entry(list, address) ?? { address }),
      0,
    ),
    isWhole: history.isWhole,
    records: found
      .flat()
      .sort((a, b) => b.n - a.n)
      .slice(0, mostShown),
  };
}
