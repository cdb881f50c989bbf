import { reasonProblem } from "../../enforce/lists/entry.ts";
import { DomainError, type ErrorCode } from "../../errors.ts";
import { type Extraction, extract } from "../../ip/extract.ts";
import { JsonStrings, looksLikeJson } from "../../ip/json-strings.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { type CsvRow, readRows, writeRow } from "./csv.ts";
import { isForAdmins, type Life, parseLife, permissionFor } from "./life.ts";
import { parseTags } from "./tags.ts";

export interface ImportLine {
  readonly line: number;
  readonly address: Ip | Cidr;
  /** Undefined: as chosen for the whole import. */
  readonly life?: Life;
  readonly reason?: string;
  readonly tags?: readonly string[];
}

export interface LineProblem {
  readonly line: number;
  /** The column: "address", "ttl", "expires_at", "reason", "tags", or "line" for the whole line. */
  readonly field: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** A line that cannot be read, and why. */
export interface BadLine extends LineProblem {
  readonly fault: "no-address" | "not-an-address" | "duplicate" | "unreadable";
  /** Lines to write instead. */
  readonly suggestions?: readonly string[];
}

export interface ReadLines {
  readonly lines: readonly ImportLine[];
  readonly problems: readonly LineProblem[];
}

const mostCharacters = 20_000_000;
const mostLines = 200_000;
const columns = ["address", "ttl", "expires_at", "reason", "by", "at", "via", "tags"];

/** Without a header line: the address, then for how long (or until when), then the reason. */
const plainColumns = ["address", "life", "reason"];

/**
 * Reads an import file: CSV with or without a header, one address a line, any text with one address a line, such as a log, or JSON as
 * networks publish their ranges.
 * Problems are returned line by line.
 */
export function readImport(text: string): ReadLines {
  const lines: ImportLine[] = [];
  const problems: LineProblem[] = [];
  for (const read of readLines(text)) {
    if (isBad(read)) problems.push(problemOf(read));
    else lines.push(read);
  }
  return { lines, problems };
}

/**
 * The same, line after line.
 * @param firstLine of a piece of a larger file: the number of its first line there
 */
export function* readLines(text: string, firstLine = 1): Generator<ImportLine | BadLine> {
  if (text.length > mostCharacters) throw tooLong(`${mostCharacters / 1_000_000} million characters`);
  if (isPublishedJson(text)) return yield* readJson(text, firstLine);
  const firstLines = new Map<string, number>();
  let header: readonly string[] | undefined;
  let count = 0;
  for (const found of readRows(text)) {
    const row = { ...found, line: found.line + firstLine - 1 };
    if (!header) {
      header = headerOf(row);
      if (header) continue;
      header = plainColumns;
    }
    for (const read of header === plainColumns ? readPlain(row) : readColumns(row, header)) {
      // A range may be several entries.
      if (count++ === mostLines) throw tooLong(`${mostLines} lines`);
      yield isBad(read) ? read : once(read, firstLines);
    }
  }
}

/** Ranges as AWS, Google, Cloudflare and Spamhaus publish them. In other JSON, such as a log, the line decides which address is meant. */
function isPublishedJson(text: string): boolean {
  return looksLikeJson(text) && /"(?:prefixes|ipv[46]_cidrs|cidr)"\s?:/.test(text.slice(0, 1_000));
}

/** Each string that is an address or a range. The others say what it is for. */
function* readJson(text: string, firstLine: number): Generator<ReadLine> {
  const firstLines = new Map<string, number>();
  for (const found of new JsonStrings().read(text)) {
    const parsed = parseAddress(found.text);
    if (!parsed.ok) continue;
    if (firstLines.size === mostLines) throw tooLong(`${mostLines} lines`);
    yield once({ line: found.line + firstLine - 1, address: parsed.value }, firstLines);
  }
}

export function isBad(line: ImportLine | BadLine): line is BadLine {
  return "fault" in line;
}

function once(line: ImportLine, firstLines: Map<string, number>): ImportLine | BadLine {
  const first = firstLines.get(line.address);
  if (first !== undefined)
    return bad(line.line, "address", `${line.address} is on line ${first} already`, "duplicate");
  firstLines.set(line.address, line.line);
  return line;
}

/** The permission that importing these lines takes. @param life of lines that name none */
export function importPermission(text: string, chosen: ReadonlySet<string>, life: Life, now: number) {
  for (const line of readLines(text))
    if (!isBad(line) && line.life && chosen.has(line.address) && isForAdmins(line.life, now))
      return permissionFor(line.life, now);
  return permissionFor(life, now);
}

function problemOf({ line, field, message, code }: BadLine): LineProblem {
  return { line, field, message, code };
}

function headerOf({ line, cells }: CsvRow): readonly string[] | undefined {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  if (!names.includes("address")) return undefined;
  const unknown = names.find((name, i) => !columns.includes(name) || names.indexOf(name) !== i);
  if (unknown === undefined) return names;
  const message = `Line ${line}: the column "${unknown.slice(0, 50)}" is unknown or there twice. Columns are ${columns.join(", ")}.`;
  throw new DomainError("bad-input", message, { [`line ${line}, header`]: message });
}

type ReadLine = ImportLine | BadLine;

/** A row without a header: the plain columns, or any text. */
function readPlain(row: CsvRow): readonly ReadLine[] {
  if (row.text === "" || hasColumns(row)) return readColumns(row, plainColumns);
  return row.text.split(/\r\n|\r|\n/).flatMap((text, i) => readText(text, row.line + i));
}

/** Nearly a duration or a moment: what was meant is not guessed. */
const nearlyLife = /^\d+ ?[smhdwy][a-z]*$|^\d{4}-\d|^(?:today|tomorrow|forever|always|permanent(?:ly)?)$/i;

/** Whether what follows the address is for how long and why. In any other text it is not read. */
function hasColumns({ cells }: CsvRow): boolean {
  const [address = "", life] = cells;
  const text = life?.trim();
  if (text === undefined || (text === "" && cells.length > plainColumns.length)) return false;
  const isLife = text === "" || parseLife(text).ok || nearlyLife.test(text);
  return isLife && extract(address).kind !== "none" && address.trim() !== "";
}

function readText(text: string, line: number): readonly ReadLine[] {
  if (/^\s*(?:$|[#;]|\/\/)/.test(text)) return [];
  const found = extract(text);
  if (found.kind !== "exact") return [notAnAddress(found, line, (address) => address)];
  return found.addresses.map((address) => ({ line, address }));
}

function notAnAddress(
  found: Exclude<Extraction, { kind: "exact" }>,
  line: number,
  lineWith: (address: string) => string,
): BadLine {
  const suggested = found.kind === "guess" ? found.addresses : [];
  const isSaid = suggested.every((address) => found.reason.includes(address));
  const hint = isSaid ? "" : `; did you mean ${suggested.join(", ")}?`;
  return {
    ...bad(
      line,
      "address",
      `${found.reason}${hint}`,
      found.kind === "none" ? "no-address" : "not-an-address",
    ),
    ...(suggested.length > 0 && { suggestions: suggested.map(lineWith) }),
  };
}

function readColumns(row: CsvRow, header: readonly string[]): readonly ReadLine[] {
  if (row.problem) return [bad(row.line, "line", row.problem)];
  if (row.cells.slice(header.length).some((cell) => cell.trim() !== "")) {
    const hint = "a reason with a comma needs quotes";
    return [bad(row.line, "line", `there are ${row.cells.length} columns, not ${header.length}; ${hint}`)];
  }
  const place = header.indexOf("address");
  const cell = (column: string) => (row.cells[header.indexOf(column)] ?? "").trim();
  const found = extract(cell("address"));
  if (found.kind !== "exact") {
    const withCell = (address: string) => row.cells.map((cell, i) => (i === place ? address : cell));
    return [notAnAddress(found, row.line, (address) => writeRow(withCell(address)).trimEnd())];
  }
  const life = readLife(row.line, cell);
  if (life && "fault" in life) return [life];
  const reason = cell("reason");
  const fault = reasonProblem(reason);
  if (fault) return [bad(row.line, "reason", fault)];
  const tags = parseTags(cell("tags"));
  if (!tags.ok) return [bad(row.line, "tags", tags.reason)];
  return found.addresses.map((address) => ({
    ...{ line: row.line, address, ...life },
    ...(reason && { reason }),
    ...(tags.value.length > 0 && { tags: tags.value }),
  }));
}

function readLife(line: number, cell: (column: string) => string): { life: Life } | BadLine | undefined {
  const given = ["life", "ttl", "expires_at"].filter((column) => cell(column) !== "");
  const [name, another] = given;
  if (name === undefined) return undefined;
  if (another) return bad(line, another, "give either ttl or expires_at, not both");
  const parsed = parseLife(cell(name));
  return parsed.ok ? { life: parsed.value } : bad(line, name === "life" ? "ttl" : name, parsed.reason);
}

function bad(line: number, field: string, message: string, fault: BadLine["fault"] = "unreadable"): BadLine {
  return { line, field, message, code: "bad-input", fault };
}

function tooLong(most: string): DomainError {
  const message = `The file is too long: ${most} at most. Split it into several.`;
  return new DomainError("bad-input", message, { file: message });
}
