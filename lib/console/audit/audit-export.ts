import { z } from "zod";
import { type HistoryFilter, isEmpty, type Matcher, matcherOf } from "../../manage/audit/filter.ts";
import {
  type BulkRecordRow,
  isBulk,
  type RecordPart,
  readPart,
  walkParts,
  withState,
} from "../../manage/audit/parts.ts";
import type { AuditRecord, RecordedChange, StoredValue } from "../../manage/audit/record.ts";
import type { Seal } from "../../manage/audit/seal.ts";
import { isDamaged, readFields, readRow, type StoredRow } from "../../manage/audit/stored.ts";
import { seekEnd, walkBack } from "../../manage/audit/walk.ts";
import { writeRow } from "../../manage/lists/csv.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import type { Console } from "../console.ts";
import { download } from "../export-stream.ts";
import { read } from "../read.ts";
import { filterFields, filterFor, filterOf } from "./read-page.ts";

const formats = ["csv", "jsonl"] as const;
type ExportFormat = (typeof formats)[number];

const search = z.object({ ...filterFields, format: z.enum(formats) });

/** Lines go out in pieces of about this many characters. */
const pieceLength = 64_000;

export const getAuditExport = read("read", search, async ({ console, who, search: { format, ...given } }) => {
  const pieces = piecesOf(console, format, filterFor(who.role, filterOf(given)));
  return download(who.email, pieces, { name: "audit", format });
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
async function* bulkLines(
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

interface Writer {
  readonly head: string;
  /** Nothing for what was not looked for. */
  readonly line: (row: StoredRow) => string;
  /** The same for a record whose entries are in parts, and for one of its parts. */
  readonly bulkLine: (row: StoredRow, record: BulkRecordRow) => string;
  readonly partLine: (part: RecordPart, record: BulkRecordRow) => string;
}

interface ExportSearch {
  readonly matches: Matcher;
  readonly isFiltered: boolean;
  readonly seal: Pick<Seal, "record" | "part">;
}

const columns = [
  ...["n", "at", "actor", "address", "via", "action", "undoes", "change", "in_words", "reason"],
  ...["target", "before", "before_until", "after", "after_until", "sealed"],
];

/** A row of the log as lines of a file. Damaged rows go along, unless something is looked for. */
export function writerOf(format: ExportFormat, { matches, isFiltered, seal }: ExportSearch): Writer {
  const find = (row: StoredRow) => {
    const found = readRow(row);
    return isDamaged(found) ? (isFiltered ? undefined : found) : matches(found) ? found : undefined;
  };
  if (format === "jsonl") {
    const line = (row: StoredRow) => (find(row) ? sealedLine(row) : "");
    const bulkLine = (row: StoredRow) => sealedLine(row);
    return { head: "", line, bulkLine, partLine: ({ row }, { n }) => sealedLine(row, n) };
  }
  return {
    head: writeRow(columns),
    bulkLine: (row, record) => csvLines(record, isSealed(row, seal) ? "yes" : "no"),
    partLine({ row, changes, at, change }, record) {
      if (changes.length === 0) return "";
      return csvLines({ ...record, at, change, changes }, readPart(row, record.n, seal) ? "yes" : "no");
    },
    line(row) {
      const found = find(row);
      if (!found) return "";
      const sealed = isSealed(row, seal) ? "yes" : "no";
      if (!isDamaged(found)) return csvLines(found, sealed);
      return writeRow([found.id, ...Array(7).fill(""), found.damage, ...Array(6).fill(""), sealed]);
    },
  };
}

/** The record's text as it was sealed, byte for byte, so that the seal can be checked anywhere. */
function sealedLine({ id, fields }: StoredRow, of?: number): string {
  const { record, previous, mac } = readFields(fields);
  return `${JSON.stringify({ ...(of !== undefined && { of }), id, record, previous, mac })}\n`;
}

function isSealed({ fields }: StoredRow, seal: ExportSearch["seal"]): boolean {
  const { record, previous, mac } = readFields(fields);
  return seal.record(previous, record) === mac;
}

/** One line for each thing that was changed: a spreadsheet has nowhere to put five hundred into one. */
function csvLines(record: AuditRecord, sealed: string): string {
  const { n, at, actor, address = "", via, action, undoes, change, reason, changes } = record;
  const words = plainly(sayRecord(record));
  const said = [
    String(n),
    at,
    actor,
    address,
    via,
    action,
    String(undoes?.n ?? ""),
    String(change ?? ""),
    words,
    reason,
  ];
  if (changes.length === 0) return writeRow([...said, "", "", "", "", "", sealed]);
  return changes.map((one) => writeRow([...said, ...cellsOf(one), sealed])).join("");
}

function cellsOf({ target, before, after }: RecordedChange): string[] {
  return [target, ...sideOf(before), ...sideOf(after)];
}

function sideOf(standing: StoredValue | null): [value: string, until: string] {
  if (!standing) return ["", ""];
  return [standing.value ?? `a ${standing.type ?? "value"} in Redis`, standing.expiresAt ?? "never"];
}
