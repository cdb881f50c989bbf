import { DomainError } from "../errors.ts";
import type { Cidr, Ip } from "../ip/parse.ts";
import type { ListName } from "../redis/keys.ts";
import { type AddOutcome, additionOf, checkTtl, type Refused, type Wish } from "./add.ts";
import { changeEntries, foreseeEntries, type Plan } from "./change.ts";
import { chunksOf } from "./chunks.ts";
import type { Context } from "./context.ts";
import { oneWeekMs } from "./duration.ts";
import { type ImportLine, type LineProblem, readImport } from "./import-lines.ts";
import { lifeOf } from "./life.ts";

export interface ImportInput {
  readonly list: ListName;
  /** CSV, or one address a line. */
  readonly text: string;
  /** For lines that do not say; a week unless chosen, null never expires. */
  readonly ttlMs?: number | null;
  /** For the audit log, and for lines that give none. */
  readonly reason: string;
  /** Wide ranges that were typed a second time. */
  readonly confirmed?: readonly (Ip | Cidr)[];
}

export interface LineOutcome {
  readonly line: number;
  readonly outcome: Exclude<AddOutcome, Refused>;
}

export interface Preview {
  readonly lines: readonly LineOutcome[];
  /** Lines that cannot be read or may not be written, in the order of the file. */
  readonly problems: readonly LineProblem[];
}

export interface Imported extends Preview {
  /** The numbers of the changes made, one a chunk of at most 500 lines. */
  readonly changes: readonly number[];
}

/** What an import would do, line by line; nothing is written. */
export async function previewImport(ctx: Context, input: ImportInput): Promise<Preview> {
  return (await foreseeImport(ctx, input)).preview;
}

/**
 * Writes an import, in chunks with a change number and an audit record each. If any line is at fault nothing is
 * written, unless the caller says that the valid lines are enough.
 */
export async function importEntries(
  ctx: Context,
  input: ImportInput & { onlyValid?: boolean },
): Promise<Imported> {
  const { preview, wanted } = await foreseeImport(ctx, input);
  const { problems } = preview;
  if (problems.length > 0 && !input.onlyValid) throw faulty(preview);
  const lines: LineOutcome[] = [];
  const late: LineProblem[] = [];
  const changes: number[] = [];
  for (const chunk of chunksOf(wanted, addressOf)) {
    const { change, outcomes } = await changeEntries(ctx, planOf(ctx, input, chunk)).catch(
      tellProgress(lines.length),
    );
    sort(chunk, outcomes, lines, late);
    if (change !== null) changes.push(change);
  }
  return { changes, lines, problems: inOrder([...problems, ...late]) };
}

async function foreseeImport(
  ctx: Context,
  input: ImportInput,
): Promise<{ preview: Preview; wanted: ImportLine[] }> {
  checkTtl(input.ttlMs ?? null);
  const read = readImport(input.text);
  if (read.lines.length + read.problems.length === 0) {
    throw new DomainError("bad-input", "There is no address in it.", { file: "is empty" });
  }
  const lines: LineOutcome[] = [];
  const problems = [...read.problems];
  for (const chunk of chunksOf(read.lines, addressOf)) {
    sort(chunk, await foreseeEntries(ctx, planOf(ctx, input, chunk)), lines, problems);
  }
  const valid = new Set(lines.map(({ line }) => line));
  const wanted = read.lines.filter(({ line }) => valid.has(line));
  return { preview: { lines, problems: inOrder(problems) }, wanted };
}

/** What writing these lines comes to. */
export function planOf(ctx: Context, input: ImportInput, chunk: readonly ImportLine[]): Plan<AddOutcome> {
  const { list, reason, ttlMs = oneWeekMs, confirmed = [] } = input;
  const sure = new Set(confirmed);
  const byAddress = new Map<string, ImportLine>(chunk.map((line) => [line.address, line]));
  const addresses = chunk.map(({ address }) => address);
  return additionOf(ctx, { verb: "import", list, addresses, reason }, (address): Wish => {
    const line = byAddress.get(address);
    return {
      life: line?.life ?? lifeOf(ttlMs),
      reason: line?.reason ?? reason,
      isConfirmed: sure.has(address),
      mayShorten: false,
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
    const outcome = outcomes[i];
    if (!outcome) continue;
    if (outcome.outcome !== "refused") lines.push({ line, outcome });
    else problems.push({ line, field: "address", message: outcome.message, code: outcome.code });
  }
}

const addressOf = ({ address }: ImportLine) => address;

function inOrder(problems: readonly LineProblem[]): LineProblem[] {
  return [...problems].sort((a, b) => a.line - b.line);
}

function faulty({ lines, problems }: Preview): DomainError {
  const told = problems.slice(0, 20).map(({ line, field, message }) => `Line ${line}, ${field}: ${message}`);
  const rest = problems.length > told.length ? [`and ${problems.length - told.length} more`] : [];
  const fields = Object.fromEntries(
    problems.map(({ line, field, message }) => [`line ${line}, ${field}`, message]),
  );
  const summary = `Nothing was written. ${lines.length} other ${lines.length === 1 ? "line is" : "lines are"} fine.`;
  return new DomainError("bad-input", [...told, ...rest, summary].join("\n"), fields);
}

/** Chunks before the one that failed are in force: say so, and that beginning again does no harm. */
function tellProgress(written: number) {
  return (error: unknown): never => {
    if (written === 0) throw error;
    const message = `The import stopped after ${written} lines, which are in force. Import the file again to go on.`;
    throw new DomainError(
      error instanceof DomainError ? error.code : "redis-unavailable",
      message,
      {},
      { cause: error },
    );
  };
}
