import type { Matcher } from "../../manage/audit/filter.ts";
import { type BulkRecordRow, type RecordPart, readPart } from "../../manage/audit/parts.ts";
import type { AuditRecord, RecordedChange, StoredValue } from "../../manage/audit/record.ts";
import type { Seal } from "../../manage/audit/seal.ts";
import { isDamaged, readFields, readRow, type StoredRow } from "../../manage/audit/stored.ts";
import { writeRow } from "../../manage/lists/csv.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";

export const formats = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof formats)[number];

export interface Writer {
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
