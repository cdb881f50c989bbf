import { at } from "../../at.ts";
import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { type BulkProgress, runBulk } from "../audit/run-bulk.ts";
import { type AddOutcome, additionOf, checkTtl, type EntryTerms, type RefusedEntry } from "./admission.ts";
import { changeEntries, type EntryChange, foreseeEntries, type ListContext } from "./change-entries.ts";
import { type ImportLine, type LineProblem, readImport } from "./import-lines.ts";
import { chunksOf } from "./in-chunks.ts";
import { lifeOf } from "./life.ts";

export interface ImportInput {
  readonly list: ListName;
  /** CSV, or one address a line. */
  readonly text: string;
  /** For lines that name none; a week unless given, null never expires. */
  readonly ttlMs?: number | null;
  /** For the audit log, and for lines that give none. */
  readonly reason: string;
  /** Wide ranges that were typed a second time. */
  readonly confirmed?: readonly (Ip | Cidr)[];
  /** For all lines, besides the tags of their own. */
  readonly tags?: readonly string[] | undefined;
}

export interface LineOutcome {
  readonly line: number;
  readonly outcome: Exclude<AddOutcome, RefusedEntry>;
}

export interface ImportPreview {
  readonly lines: readonly LineOutcome[];
  /** Lines that cannot be read or may not be written, in the order of the file. */
  readonly problems: readonly LineProblem[];
}

export interface ImportResult extends ImportPreview {
  /** The last change number: nodes that have applied it have applied all. Null when nothing was written. */
  readonly change: number | null;
  /** The record that all of it is in. Null when nothing was written. */
  readonly record: number | null;
  /** Entries that an earlier call wrote into the same record. */
  readonly before: number;
}

export interface ImportProgress extends BulkProgress {
  /** The whole file is read against the lists before anything is written. */
  readonly doing: "checking" | "importing";
}

/** What an import would do, line by line. Writes nothing. */
export async function previewImport(
  ctx: ListContext,
  input: ImportInput & { onProgress?: (progress: ImportProgress) => void },
): Promise<ImportPreview> {
  return (await foreseeImport(ctx, input, input.onProgress)).preview;
}

/**
 * Writes an import in one record, in chunks. If any line is at fault nothing is written, unless the caller says that the
 * valid lines are enough. An import that was cut off is continued when it is made again.
 */
export async function importEntries(
  ctx: ListContext,
  input: ImportInput & { onlyValid?: boolean; onProgress?: (progress: ImportProgress) => void },
): Promise<ImportResult> {
  const { onProgress } = input;
  const { preview, wanted } = await foreseeImport(ctx, input, onProgress);
  const { problems } = preview;
  if (problems.length > 0 && !input.onlyValid) throw faulty(preview);
  const lines: LineOutcome[] = [];
  const late: LineProblem[] = [];
  const { list, reason } = input;
  const chunks = [...chunksOf(wanted, addressOf)];
  const { change, record, before } = await runBulk(ctx, {
    ...{ action: `${list}.import`, reason, request: requestOf(input) },
    wanted: preview.lines.filter(({ outcome }) => outcome.outcome !== "kept").length,
    isOneStep: chunks.length <= 1,
    steps: () => chunks,
    onProgress: onProgress && ((progress) => onProgress({ ...progress, doing: "importing" })),
    async run(inside, chunk) {
      const made = await changeEntries(inside, importOf(inside, input, chunk));
      sort(chunk, made.outcomes, lines, late);
      return { ...made, done: made.outcomes.filter(({ outcome }) => isWritten(outcome)).length };
    },
  });
  return { change, record, before, lines, problems: inOrder([...problems, ...late]) };
}

/** By which the same import is recognized. */
export function requestOf({ reason, ttlMs, confirmed, text, tags = [] }: ImportInput): unknown[] {
  return [reason, ttlMs, confirmed, text, ...(tags.length > 0 ? [tags] : [])];
}

function isWritten(outcome: AddOutcome["outcome"]): boolean {
  return outcome !== "kept" && outcome !== "refused";
}

async function foreseeImport(
  ctx: ListContext,
  input: ImportInput,
  onProgress?: (progress: ImportProgress) => void,
): Promise<{ preview: ImportPreview; wanted: ImportLine[] }> {
  checkTtl(input.ttlMs ?? null);
  const read = readImport(input.text);
  if (read.lines.length + read.problems.length === 0) {
    throw new DomainError("bad-input", "There is no address in it.", { file: "is empty" });
  }
  const lines: LineOutcome[] = [];
  const problems = [...read.problems];
  let done = 0;
  const wanted: ImportLine[] = [];
  for (const chunk of chunksOf(read.lines, addressOf)) {
    const outcomes = await foreseeEntries(ctx, importOf(ctx, input, chunk));
    sort(chunk, outcomes, lines, problems);
    wanted.push(...chunk.filter((_, i) => at(outcomes, i).outcome !== "refused"));
    done += chunk.length;
    onProgress?.({ doing: "checking", done, wanted: read.lines.length, record: null });
  }
  return { preview: { lines, problems: inOrder(problems) }, wanted };
}

/** The change that writes these lines. */
export function importOf(
  ctx: ListContext,
  input: ImportInput,
  chunk: readonly ImportLine[],
): EntryChange<AddOutcome> {
  const { list, reason, ttlMs = oneWeekMs, confirmed = [], tags = [] } = input;
  const sure = new Set(confirmed);
  const byAddress = new Map<string, ImportLine>(chunk.map((line) => [line.address, line]));
  const addresses = chunk.map(({ address }) => address);
  return additionOf(ctx, { verb: "import", list, addresses, reason }, (address): EntryTerms => {
    const line = byAddress.get(address);
    return {
      life: line?.life ?? lifeOf(ttlMs),
      reason: line?.reason ?? reason,
      isConfirmed: sure.has(address),
      mayShorten: false,
      tags: { add: [...tags, ...(line?.tags ?? [])] },
    };
  });
}

function sort(
  chunk: readonly ImportLine[],
  outcomes: readonly AddOutcome[],
  lines: LineOutcome[],
  problems: LineProblem[],
): void {
  for (const [i, { line }] of chunk.entries()) {
    const outcome = at(outcomes, i);
    if (outcome.outcome !== "refused") lines.push({ line, outcome });
    else problems.push({ line, field: "address", message: outcome.message, code: outcome.code });
  }
}

const addressOf = ({ address }: ImportLine) => address;

function inOrder(problems: readonly LineProblem[]): LineProblem[] {
  return [...problems].sort((a, b) => a.line - b.line);
}

function faulty({ lines, problems }: ImportPreview): DomainError {
  const shown = problems.slice(0, 20).map(({ line, field, message }) => `Line ${line}, ${field}: ${message}`);
  const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  const fields = Object.fromEntries(
    problems.map(({ line, field, message }) => [`line ${line}, ${field}`, message]),
  );
  const summary = `Nothing was written. ${lines.length} other ${lines.length === 1 ? "line is" : "lines are"} fine.`;
  return new DomainError("bad-input", [...shown, ...rest, summary].join("\n"), fields);
}
