import { z } from "zod";
import type { Wanted } from "../../../../../lib/lists/catalogue/view.ts";
import { exportHeader, exportLine } from "../../../../../lib/lists/export.ts";
import { facets } from "../../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../../lib/redis/keys.ts";
import { loadedCatalogue } from "../../../../_server/catalogue.ts";
import { read } from "../../../../_server/read.ts";
import { listIn, type Params } from "../list-in.ts";

const search = z.object({ q: z.string().max(500).optional(), facet: z.enum(facets).optional() });
/** So many entries go out at once: what a page of work may take. */
const pieceSize = 2_000;

export const GET = read<typeof search, Params>("read", search, async ({ params, search, who }) => {
  const list = listIn(params);
  const pieces = piecesOf(list, { ...search, by: who.email });
  // What stands against it is told before the first byte.
  const first = await pieces.next();
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(first, pieces), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="sluice-${list}-${day}.csv"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
});

/** In the order of addresses, as the list is when each piece goes out. */
async function* piecesOf(list: ListName, wanted: Wanted): AsyncGenerator<string> {
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

/** Read only as fast as it is taken, and no further once nobody takes it. */
function streamOf(first: IteratorResult<string>, rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(first);
  return new ReadableStream({
    async pull(controller) {
      const piece = await (next ?? rest.next());
      next = undefined;
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    cancel: async () => void (await rest.return(undefined)),
  });
}
