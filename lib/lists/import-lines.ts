import { DomainError, type ErrorCode } from "../errors.ts";
import { type Cidr, type Ip, parseAddress } from "../ip/parse.ts";
import { type Row, readRows } from "./csv.ts";
import { type Life, parseLife } from "./life.ts";
import { reasonProblem } from "./note.ts";

export interface ImportLine {
  readonly line: number;
  readonly address: Ip | Cidr;
  /** Missing: as chosen for the whole import. */
  readonly life?: Life;
  readonly reason?: string;
}

export interface LineProblem {
  readonly line: number;
  /** The column: "address", "ttl", "expires_at", "reason", or "line" when it is all of it. */
  readonly field: string;
  readonly message: string;
  readonly code: ErrorCode;
}

export interface ReadLines {
  readonly lines: readonly ImportLine[];
  readonly problems: readonly LineProblem[];
}

const mostCharacters = 20_000_000;
const mostLines = 200_000;
const columns = ["address", "ttl", "expires_at", "reason", "by", "at", "via"];

/** Without a header line: the address, then for how long (or until when), then the reason. */
const plainColumns = ["address", "life", "reason"];

/** Reads an import file: CSV with or without a header, or one address a line. What is wrong is told line by line. */
export function readImport(text: string): ReadLines {
  if (text.length > mostCharacters) throw tooLong(`${mostCharacters / 1_000_000} million characters`);
  const lines: ImportLine[] = [];
  const problems: LineProblem[] = [];
  const firstLines = new Map<string, number>();
  let header: readonly string[] | undefined;
  for (const row of readRows(text)) {
    if (lines.length + problems.length === mostLines) throw tooLong(`${mostLines} lines`);
    if (!header) {
      header = headerOf(row);
      if (header) continue;
      header = plainColumns;
    }
    const read = readLine(row, header);
    if ("message" in read) {
      problems.push(read);
      continue;
    }
    const first = firstLines.get(read.address);
    if (first === undefined) lines.push(read);
    else problems.push(problem(row.line, "address", `${read.address} is on line ${first} already`));
    firstLines.set(read.address, first ?? row.line);
  }
  return { lines, problems };
}

function headerOf({ line, cells }: Row): readonly string[] | undefined {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  if (!names.includes("address")) return undefined;
  const unknown = names.find((name, i) => !columns.includes(name) || names.indexOf(name) !== i);
  if (unknown === undefined) return names;
  const message = `Line ${line}: the column "${unknown.slice(0, 50)}" is unknown or there twice. Columns are ${columns.join(", ")}.`;
  throw new DomainError("bad-input", message, { [`line ${line}, header`]: message });
}

function readLine(row: Row, header: readonly string[]): ImportLine | LineProblem {
  if (row.problem) return problem(row.line, "line", row.problem);
  if (row.cells.slice(header.length).some((cell) => cell.trim() !== "")) {
    const hint = "a reason with a comma needs quotes";
    return problem(row.line, "line", `there are ${row.cells.length} columns, not ${header.length}; ${hint}`);
  }
  const cells = new Map(header.map((name, i) => [name, (row.cells[i] ?? "").trim()]));
  const parsed = parseAddress(withoutComment(cells.get("address") ?? "", row));
  if (!parsed.ok) {
    const hint = parsed.suggestion ? `; did you mean ${parsed.suggestion}?` : "";
    return problem(row.line, "address", `${parsed.reason}${hint}`);
  }
  const life = readLife(row.line, cells);
  if (life && "message" in life) return life;
  const reason = cells.get("reason") ?? "";
  const fault = reasonProblem(reason);
  if (fault) return problem(row.line, "reason", fault);
  return { line: row.line, address: parsed.value, ...life, ...(reason && { reason }) };
}

function readLife(
  line: number,
  cells: ReadonlyMap<string, string>,
): { life: Life } | LineProblem | undefined {
  const given = ["life", "ttl", "expires_at"].filter((name) => cells.get(name));
  const [name = "", another] = given;
  if (name === "") return undefined;
  if (another) return problem(line, another, "give either ttl or expires_at, not both");
  const parsed = parseLife(cells.get(name) ?? "");
  return parsed.ok ? { life: parsed.value } : problem(line, name === "life" ? "ttl" : name, parsed.reason);
}

function withoutComment(cell: string, { cells }: Row): string {
  return cells.length === 1 ? cell.replace(/\s*#.*$/s, "") : cell;
}

function problem(line: number, field: string, message: string): LineProblem {
  return { line, field, message, code: "bad-input" };
}

function tooLong(most: string): DomainError {
  const message = `The file is too long: ${most} at most. Split it into several.`;
  return new DomainError("bad-input", message, { file: message });
}
