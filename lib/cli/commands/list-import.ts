import { at } from "../../at.ts";
import {
  type ImportInput,
  type ImportPreview,
  type ImportProgress,
  type ImportResult,
  importEntries,
  previewImport,
} from "../../manage/lists/import.ts";
import type { LineProblem } from "../../manage/lists/import-lines.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { sayApplied } from "../applied.ts";
import type { Command, CommandReport } from "../command.ts";
import { exitCode } from "../failure.ts";
import { readText } from "../io.ts";
import { type ListWord, listNamed } from "../list-report.ts";
import { isoOrNull } from "../moment.ts";
import { readConfirmed, readReason, readTags, readTtl } from "../operands.ts";
import type { WritingSession } from "../session.ts";
import { ProgressLine } from "../terminal.ts";

// Far above the limit of an import. It keeps a wrong file from filling the memory.
const mostBytes = 100_000_000;

export function listImport(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} import`,
    takes: "<file|->",
    operands: { least: 1, most: 1 },
    summary: `Add the addresses of a file to the ${list}`,
    about: [
      "One address per line, or CSV: address, ttl (or expires_at), reason, with or without a header line, or tags with one.",
      "--tag tags every line. Files of export can be imported. Blank lines and lines that begin with # are skipped. - reads standard input.",
      "If a line is not valid, nothing is written, unless --only-valid is given. An import is one audit record with one undo.",
      "To continue an interrupted import, run the same command again: it continues the same record.",
    ],
    options: ["ttl", "reason", "tag", "confirm", "only-valid", "dry-run"],
    examples: [
      `sluice ${word} import addresses.csv --dry-run`,
      `sluice ${word} import addresses.csv --ttl 24h --reason "feed of 9 May"`,
      `cut -d' ' -f1 access.log | sort -u | sluice ${word} import -`,
    ],
    async run({ operands, options, io, writing }) {
      const choices = {
        list,
        ...readTtl(options),
        reason: readReason(options),
        confirmed: readConfirmed(options),
        tags: readTags(options),
      };
      const input = { ...choices, text: await readText(at(operands, 0), io, mostBytes) };
      const session = await writing();
      const onlyValid = options.has("only-valid");
      const line = new ProgressLine(io, { isShown: !options.has("json") });
      const onProgress = (progress: ImportProgress) => line.show(verbs[progress.doing], progress);
      try {
        if (options.has("dry-run")) return await preview(session, { ...input, onProgress }, onlyValid);
        return await write(session, { ...input, onProgress }, onlyValid);
      } finally {
        line.end();
      }
    },
  };
}

const verbs = { checking: "Checking", importing: "Importing" } as const;

type ShownImport = ImportInput & { readonly onProgress: (progress: ImportProgress) => void };

async function preview(
  { context }: WritingSession,
  input: ShownImport,
  onlyValid: boolean,
): Promise<CommandReport> {
  const planned = await previewImport(context, input);
  const isBad = planned.problems.length > 0 && !onlyValid;
  const consequence = isBad
    ? "Nothing would be written, because of the lines that are not valid."
    : "Nothing was written.";
  return {
    lines: [`Import into the ${input.list}: ${tally(planned)}. ${consequence}`],
    complaints: planned.problems.map(sayProblem),
    json: { list: input.list, dryRun: true, ...toJson(planned) },
    ...(isBad && { exit: exitCode.refused }),
  };
}

async function write(
  { context, awaitApplied }: WritingSession,
  input: ShownImport,
  onlyValid: boolean,
): Promise<CommandReport> {
  const imported: ImportResult = await importEntries(context, { ...input, onlyValid });
  const { change, record, before, problems } = imported;
  const applied = await awaitApplied(change);
  const skipped = problems.length > 0 ? ` ${plural(problems.length, "line")} skipped as not valid.` : "";
  return {
    lines: [
      `Import into the ${input.list}: ${tally(imported)}.${skipped}`,
      ...sayRecord(record, before),
      ...sayApplied(change, applied),
    ],
    complaints: problems.map(sayProblem),
    json: {
      ...{ list: input.list, record, change, changes: change === null ? [] : [change], before, applied },
      ...toJson(imported),
    },
  };
}

/** "Record 7 in the audit log. To undo the import, run sluice undo 7." */
function sayRecord(record: number | null, before: number): string[] {
  if (record === null) return [];
  const continued = before > 0 ? `, continued after ${plural(before, "entry", "entries")}` : "";
  return [`Record ${record} in the audit log${continued}. To undo the import, run sluice undo ${record}.`];
}

function tally({ lines }: ImportPreview): string {
  const count = (kind: string) => lines.filter(({ outcome }) => outcome.outcome === kind).length;
  const kept = count("kept");
  const tagged = count("tagged") > 0 ? `, ${count("tagged")} tagged` : "";
  return `${count("added")} added, ${count("extended")} extended${tagged}, ${kept} already there`;
}

function sayProblem({ line, field, message, code }: LineProblem): string {
  const hint = code === "needs-confirmation" ? " (with --confirm)" : "";
  return `Line ${line}, ${field}: ${message}${hint}`;
}

function toJson({ lines, problems }: ImportPreview) {
  const outcomes = lines.map(({ line, outcome }) => ({
    line,
    ...outcome,
    expiresAt: isoOrNull(outcome.expiresAt),
  }));
  return { lines: outcomes, problems };
}
