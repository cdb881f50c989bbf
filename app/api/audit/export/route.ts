import { z } from "zod";
import { type HistoryFilter, isEmpty, matcherOf } from "../../../../lib/audit/filter.ts";
import { seekEnd } from "../../../../lib/audit/seek.ts";
import { walkBack } from "../../../../lib/audit/walk.ts";
import type { Console } from "../../../_server/console.ts";
import { read } from "../../../_server/read.ts";
import { filterFields, filterFor, filterOf } from "../search.ts";
import { type Format, formats, writerOf } from "./lines.ts";

const search = z.object({ ...filterFields, format: z.enum(formats) });

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;
/** Lines go out in pieces of about this many characters. */
const pieceLength = 64_000;

export const GET = read("read", search, async ({ console, who, search }) => {
  const { format } = search;
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(piecesOf(console, format, filterFor(who.role, filterOf(search)))), {
    headers: {
      "content-type": types[format],
      "content-disposition": `attachment; filename="sluice-audit-${day}.${format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
});

/** The matching log, newest first like the page, as far as it goes back. */
async function* piecesOf(
  { redis, seal }: Console,
  format: Format,
  filter: HistoryFilter,
): AsyncGenerator<string> {
  // JSON lines give rows as they stand, and what a damaged one tells of is not known.
  const isFiltered = !isEmpty(filter) || (format === "jsonl" && filter.isWithoutUsers === true);
  const { head, line } = writerOf(format, { matches: matcherOf(filter), isFiltered, seal });
  const before = filter.to === undefined ? undefined : await seekEnd(redis, filter.to);
  let piece = head;
  for await (const row of walkBack(redis, before)) {
    piece += line(row);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Read only as fast as it is taken, and no further once nobody takes it. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
