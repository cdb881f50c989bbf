import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { type UndoResult, undo } from "../../manage/undo/undo.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readAddresses, readReason } from "../operands.ts";
import { ProgressLine } from "../terminal.ts";

export const undoRecord: Command = {
  name: "undo",
  takes: "<record> [address…]",
  operands: { least: 1, most: Number.POSITIVE_INFINITY },
  summary: "Undo a record of the audit log",
  about: [
    "Commands and the console's audit page show the number of the record. With addresses, only these entries of it are",
    "undone. If an entry was changed since, nothing is undone. In a record with more entries than one step can change,",
    "only those entries stay as they are. An undo is itself a record, and can be undone.",
    "To continue an interrupted undo, run the same command again.",
  ],
  options: ["reason"],
  examples: ["sluice undo 41", 'sluice undo 41 203.0.113.9 --reason "our own monitoring"'],
  async run({ operands, options, io, writing }) {
    const n = readRecordNumber(at(operands, 0));
    const texts = operands.slice(1);
    const addresses = texts.length > 0 ? readAddresses(texts) : undefined;
    const reason = readReason(options);
    const { context, awaitApplied } = await writing();
    const line = new ProgressLine(io, { isShown: !options.has("json") });
    const onProgress = (progress: { done: number; wanted: number }) => line.show("Undoing", progress);
    // A caller with the secret has an admin's rights.
    const result = await undo({ ...context, role: "admin" }, { n, reason, addresses, onProgress }).finally(
      () => line.end(),
    );
    const applied = await awaitApplied(result.change);
    return {
      lines: [say(n, result), ...sayApplied(result.change, applied)],
      complaints: sayLeft(result),
      json: { undone: n, ...result, applied },
    };
  },
};

function readRecordNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const problem = "write the number of a record, from 1";
  throw new DomainError("bad-input", `record: ${problem}.`, { record: problem });
}

function say(n: number, { done, record, left }: UndoResult): string {
  const by = record === null ? "" : ` by record ${record}`;
  return `Record ${n} is ${left > 0 ? "partly " : ""}undone${by}: ${plural(done, "change")} undone.`;
}

function sayLeft({ left, firstLeft }: UndoResult): string[] {
  if (left === 0) return [];
  const more = left > firstLeft.length ? [`and ${left - firstLeft.length} more`] : [];
  return [`${plural(left, "entry stays as it is", "entries stay as they are")}:`, ...firstLeft, ...more];
}
