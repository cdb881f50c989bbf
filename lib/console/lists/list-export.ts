import { z } from "zod";
import type { EntryQuery } from "../../observe/catalogue/view.ts";
import { exportHeader, exportLine } from "../../observe/lists/export.ts";
import { facets } from "../../queries/entries.ts";
import type { ListName } from "../../redis/keys.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { exportStream } from "../export-stream.ts";
import { read } from "../read.ts";
import { type ListParams, listIn } from "./list-reads.ts";

const search = z.object({ q: z.string().max(500).optional(), facet: z.enum(facets).optional() });
/** So many entries go out at once: what a page of work may take. */
const pieceSize = 2_000;

export const getListExport = read<typeof search, ListParams>(
  "read",
  search,
  async ({ params, search, who }) => {
    const list = listIn(params);
    const stream = await exportStream(who.email, piecesOf(list, { ...search, by: who.email }));
    const day = new Date().toISOString().slice(0, 10);
    return new Response(stream, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="sluice-${list}-${day}.csv"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  },
);

/** In the order of addresses, as the list is when each piece goes out. */
async function* piecesOf(list: ListName, wanted: EntryQuery): AsyncGenerator<string> {
  let head = exportHeader;
  for (let after: string | undefined; ; ) {
    const catalogue = await loadedCatalogue();
    const entries = await catalogue.after(list, wanted, { after, most: pieceSize });
    yield head + entries.map((entry) => exportLine(entry.address, entry.expiresAt, entry)).join("");
    head = "";
    after = entries.at(-1)?.address;
    if (entries.length < pieceSize) return;
  }
}
