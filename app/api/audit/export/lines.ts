import type { Matcher } from "../../../../lib/audit/filter.ts";
import type { AuditRecord, RecordedChange, Standing } from "../../../../lib/audit/record.ts";
import type { Seal } from "../../../../lib/audit/seal.ts";
import { isDamaged, readFields, readRow, type StoredRow } from "../../../../lib/audit/stored.ts";
import { writeRow } from "../../../../lib/lists/csv.ts";
import { plainly } from "../../../../lib/undo/pieces.ts";
import { sayRecord } from "../../../../lib/undo/words.ts";

export const formats = ["csv", "jsonl"] as const;
export type Format = (typeof formats)[number];

interface Writer {
  readonly head: string;
  /** Nothing for what was not looked for. */
  readonly line: (row: StoredRow) => string;
}

interface Wish {
  readonly matches: Matcher;
  readonly isFiltered: boolean;
  readonly seal: Pick<Seal, "record">;
}

const columns = [
  ...["n", "at", "actor", "address", "via", "action", "undoes", "change", "in_words", "reason"],
  ...["target", "before", "before_until", "after", "after_until", "sealed"],
];

/** A row of the log as lines of a file. Damaged rows go along, unless something is looked for. */
export function writerOf(format: Format, { matches, isFiltered, seal }: Wish): Writer {
  const find = (row: StoredRow) => {
    const found = readRow(row);
    return isDamaged(found) ? (isFiltered ? undefined : found) : matches(found) ? found : undefined;
  };
  if (format === "jsonl") return { head: "", line: (row) => (find(row) ? sealedLine(row) : "") };
  return {
    head: writeRow(columns),
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
function sealedLine({ id, fields }: StoredRow): string {
  const { record, previous, mac } = readFields(fields);
  return `${JSON.stringify({ id, record, previous, mac })}\n`;
}

function isSealed({ fields }: StoredRow, seal: Wish["seal"]): boolean {
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

function sideOf(standing: Standing | null): [value: string, until: string] {
  if (!standing) return ["", ""];
  return [standing.value ?? `a ${standing.type ?? "value"} in Redis`, standing.expiresAt ?? "never"];
}
