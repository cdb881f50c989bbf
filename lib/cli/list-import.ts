import {
  type Imported,
  type ImportInput,
  importEntries,
  type Preview,
  previewImport,
} from "../lists/import.ts";
import type { LineProblem } from "../lists/import-lines.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command, Report } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { readText } from "./file-text.ts";
import { isoOrNull } from "./moment.ts";
import { readConfirmed, readReason, readTtl } from "./operands.ts";
import type { WritingSession } from "./session.ts";
import { counted, type ListWord, listNamed } from "./words.ts";

// Far above what an import takes; it keeps a wrong file from filling the memory.
const mostBytes = 100_000_000;

export function listImport(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} import`,
    takes: "<file|->",
    operands: { least: 1, most: 1 },
    summary: `Put everything in a file on the ${list}`,
    about: [
      "One address a line, or CSV: address, ttl (or expires_at), reason, with or without a header line. What export",
      "writes can be read again. Blank lines and lines that begin with # are skipped; - reads standard input.",
      "If any line is bad, nothing is written, unless --only-valid is given.",
    ],
    options: ["ttl", "reason", "confirm", "only-valid", "dry-run"],
    examples: [
      `sluice ${word} import addresses.csv --dry-run`,
      `sluice ${word} import addresses.csv --ttl 24h --reason "feed of 9 May"`,
      `cut -d' ' -f1 access.log | sort -u | sluice ${word} import -`,
    ],
    async run({ operands: [file = "-"], options, io, writing }) {
      const choices = {
        list,
        ...readTtl(options),
        reason: readReason(options),
        confirmed: readConfirmed(options),
      };
      const input = { ...choices, text: await readText(file, io, mostBytes) };
      const session = await writing();
      const onlyValid = options.has("only-valid");
      if (options.has("dry-run")) return foretell(session, input, onlyValid);
      return write(session, input, onlyValid);
    },
  };
}

async function foretell(
  { context }: WritingSession,
  input: ImportInput,
  onlyValid: boolean,
): Promise<Report> {
  const preview = await previewImport(context, input);
  const isBad = preview.problems.length > 0 && !onlyValid;
  const consequence = isBad ? "Because of the bad lines nothing would be written." : "Nothing was written.";
  return {
    lines: [`On the ${input.list} there would be: ${tally(preview)}. ${consequence}`],
    complaints: preview.problems.map(sayProblem),
    json: { list: input.list, dryRun: true, ...toJson(preview) },
    ...(isBad && { exit: exitCode.refused }),
  };
}

async function write(
  { context, redis }: WritingSession,
  input: ImportInput,
  onlyValid: boolean,
): Promise<Report> {
  const imported: Imported = await importEntries(context, { ...input, onlyValid });
  const { changes, problems } = imported;
  const change = changes.at(-1) ?? null;
  const applied = await awaitApplied(redis, change);
  const skipped = problems.length > 0 ? ` ${counted(problems.length, "bad line")} skipped.` : "";
  return {
    lines: [`On the ${input.list}: ${tally(imported)}.${skipped}`, ...sayApplied(change, applied)],
    complaints: problems.map(sayProblem),
    json: { list: input.list, changes, applied, ...toJson(imported) },
  };
}

function tally({ lines }: Preview): string {
  const count = (kind: string) => lines.filter(({ outcome }) => outcome.outcome === kind).length;
  const kept = count("kept");
  return `${count("added")} added, ${count("extended")} extended, ${kept} already there for as long`;
}

function sayProblem({ line, field, message, code }: LineProblem): string {
  const hint = code === "needs-confirmation" ? " (with --confirm)" : "";
  return `Line ${line}, ${field}: ${message}${hint}`;
}

function toJson({ lines, problems }: Preview) {
  const outcomes = lines.map(({ line, outcome }) => ({
    line,
    ...outcome,
    expiresAt: isoOrNull(outcome.expiresAt),
  }));
  return { lines: outcomes, problems };
}
