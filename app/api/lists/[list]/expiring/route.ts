import { z } from "zod";
import type { EntriesPage } from "../../../../../lib/queries/entries.ts";
import { loadedCatalogue } from "../../../../_server/catalogue.ts";
import { theHistory } from "../../../../_server/list-history.ts";
import { read } from "../../../../_server/read.ts";
import { listIn, type Params } from "../list-in.ts";

const search = z.object({
  withinMs: z.coerce.number().min(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

/** What ends soon, the next first, each with how often it was listed before. */
export const GET = read<typeof search, Params>(
  "read",
  search,
  async ({ params, search, who }): Promise<EntriesPage> => {
    const list = listIn(params);
    const history = theHistory();
    await history.catchUp();
    const catalogue = await loadedCatalogue();
    const page = await catalogue.page(list, {
      ...{ facet: "expiring", sort: "expires", dir: "asc", by: who.email },
      ...search,
    });
    const entries = page.entries.map((entry) => ({
      ...entry,
      listedBefore: history.listedBefore(list, entry),
    }));
    return { ...page, entries };
  },
);
