import { z } from "zod";
import { type EntriesPage, facets, sorts } from "../../../../lib/queries/entries.ts";
import { loadedCatalogue } from "../../../_server/catalogue.ts";
import { read } from "../../../_server/read.ts";
import { listIn, type Params } from "./list-in.ts";

const search = z.object({
  q: z.string().max(500).optional(),
  facet: z.enum(facets).optional(),
  sort: z.enum(sorts).optional(),
  dir: z.enum(["asc", "desc"]).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const GET = read<typeof search, Params>(
  "read",
  search,
  async ({ params, search, who }): Promise<EntriesPage> => {
    const catalogue = await loadedCatalogue();
    return catalogue.page(listIn(params), { ...search, by: who.email });
  },
);
