import { z } from "zod";
import { entryHistory } from "../../../../../lib/lists/history.ts";
import type { EntryHistory } from "../../../../../lib/queries/history.ts";
import { loadedCatalogue } from "../../../../_server/catalogue.ts";
import { theHistory } from "../../../../_server/list-history.ts";
import { read } from "../../../../_server/read.ts";
import { listIn, type Params } from "../list-in.ts";

const search = z.object({ address: z.string().max(1_000) });

export const GET = read<typeof search, Params>(
  "read",
  search,
  async ({ console, params, search: { address } }): Promise<EntryHistory> => {
    const list = listIn(params);
    const history = theHistory();
    const records = await entryHistory(console.redis, history, { list, address });
    const entry = (await loadedCatalogue()).entry(list, address);
    return {
      listedBefore: history.listedBefore(list, entry ?? { address }),
      isWhole: history.isWhole,
      records,
    };
  },
);
