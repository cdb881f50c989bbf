import { z } from "zod";
import { type HistoryFilter, isEmpty, type Matcher, matcherOf } from "../../manage/audit/filter.ts";
import { type BulkRecordRow, isBulk, walkParts, withState } from "../../manage/audit/parts.ts";
import { isDamaged, readRow, type StoredRow } from "../../manage/audit/stored.ts";
import { seekEnd, walkBack } from "../../manage/audit/walk.ts";
import type { Console } from "../console.ts";
import { exportStream } from "../export-stream.ts";
import { read } from "../read.ts";
import { filterFields, filterFor, filterOf } from "./audit-filter.ts";
import { type ExportFormat, formats, type Writer, writerOf } from "./lines.ts";

const search = z.object({ ...filterFields, format: z.enum(formats) });

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;
/** Lines go out in pieces of about this many characters. */
const pieceLength = 64_000;

export const getAuditExport = read("read", search, async ({ console, who, search }) => {
  const { format } = search;
  const day = new Date().toISOString().slice(0, 10);
  const pieces = piecesOf(console, format, filterFor(who.role, filterOf(search)));
  return new Response(await exportStream(who.email, pieces), {
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
  format: ExportFormat,
  filter: HistoryFilter,
): AsyncGenerator<string> {
  // JSON lines give rows unchanged, and the subject of a damaged row is not known.
  const isFiltered = !isEmpty(filter) || (format === "jsonl" && filter.isWithoutUsers === true);
  const matches = matcherOf(filter);
  const writer = writerOf(format, { matches, isFiltered, seal });
  const before = filter.to === undefined ? undefined : await seekEnd(redis, filter.to);
  let piece = writer.head;
  for await (const row of walkBack(redis, before)) {
    const record = readRow(row);
    const isLong = !isDamaged(record) && isBulk(record);
    const lines = isLong ? bulkLines({ redis, seal }, writer, { row, record, matches }) : [writer.line(row)];
    for await (const line of lines) {
      piece += line;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}

/** A record whose entries are in parts: the record, then its parts, those alone that match where the record does not. */
export async function* bulkLines(
  { redis, seal }: Pick<Console, "redis" | "seal">,
  { bulkLine, partLine }: Writer,
  { row, record, matches }: { row: StoredRow; record: BulkRecordRow; matches: Matcher },
): AsyncGenerator<string> {
  const isWhole = matches(record);
  if (isWhole === false) return;
  const read = await withState(redis, seal, record);
  if (!isBulk(read)) return;
  let isBegun = false;
  if (isWhole) yield bulkLine(row, read);
  for await (const part of walkParts(redis, read)) {
    if (!isWhole && !matches.entries(read, part.changes)) continue;
    if (!isWhole && !isBegun) yield bulkLine(row, read);
    isBegun = true;
    yield partLine(part, read);
  }
}
