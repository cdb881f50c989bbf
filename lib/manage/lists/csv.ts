export interface CsvRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** As it is written, without its last line end. Empty if it is too long. */
  readonly text: string;
  /** What is wrong with its quoting or its length. */
  readonly problem?: string;
}

/** An exported row with the longest reason, all of it quotes, and the longest tags has about 1,800 characters. */
const mostInRow = 2_000;

const blank = /[ \t]*(?:(?:[#;]|\/\/)[^\r\n]*)?(?:\r\n|\r|\n|$)/y;
const quoted = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*(?=[,\r\n]|$)/y;
const plain = /[^,\r\n]*/y;
const lineEndLength = 2;
const lineEnd = /\r\n|\r|\n|$/y;
const restOfLine = /[^\r\n]*/y;

/**
 * Rows of a CSV file (RFC 4180), of a plain list, or of a mixture. Blank lines and comments (`#`, `;`, `//`) are left out.
 * A row whose quotes do not match has a problem and ends with its line, so that the rows after it are still read.
 */
export function* readRows(text: string): Generator<CsvRow> {
  const reader = new Reader(text);
  while (!reader.isAtEnd) {
    if (reader.take(blank) !== undefined) continue;
    yield readRow(reader);
  }
}

function readRow(reader: Reader): CsvRow {
  const { line, at } = reader;
  // Before any cell is read: a line of a megabyte may hold a million.
  const { restLength } = reader;
  if (restLength > mostInRow) {
    reader.skipLine();
    return { line, cells: [], text: "", problem: tooLong(restLength) };
  }
  const row = readCells(reader);
  const length = reader.at - at;
  // A quoted cell runs over line ends.
  if (length > mostInRow + lineEndLength) return { line, cells: [], text: "", problem: tooLong(length) };
  return { line, ...row, text: reader.textFrom(at) };
}

function tooLong(length: number): string {
  const [has, most] = [length, mostInRow].map((count) => count.toLocaleString("en-US"));
  return `the line is ${has} characters long. Lines may have ${most}`;
}

function readCells(reader: Reader): Pick<CsvRow, "cells" | "problem"> {
  const cells: string[] = [];
  for (;;) {
    const cell = reader.take(quoted);
    if (cell === undefined && reader.opensQuote) {
      reader.skipLine();
      return {
        cells,
        problem: 'a quote is not closed, or text follows it; write " inside quotes as ""',
      };
    }
    cells.push(unguarded(cell?.replaceAll('""', '"') ?? reader.take(plain) ?? ""));
    if (reader.skipComma()) continue;
    reader.take(lineEnd);
    return { cells };
  }
}

class Reader {
  line = 1;
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\ufeff") ? 1 : 0;
  }

  get at(): number {
    return this.#at;
  }

  /** Characters up to the end of the line. */
  get restLength(): number {
    restOfLine.lastIndex = this.#at;
    return restOfLine.exec(this.#text)?.[0].length ?? 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get opensQuote(): boolean {
    return /[ \t]*"/y.test(this.#text.slice(this.#at, this.#at + 100));
  }

  /** What was read since then, without the last line end. */
  textFrom(at: number): string {
    let end = this.#at;
    if (this.#text[end - 1] === "\n") end--;
    if (this.#text[end - 1] === "\r") end--;
    return this.#text.slice(at, end);
  }

  /** What the sticky pattern finds here: its group, else all of it. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at += match[0].length;
    this.line += lineEndsIn(match[0]);
    return match[1] ?? match[0];
  }

  skipLine(): void {
    this.take(restOfLine);
    this.take(lineEnd);
  }

  skipComma(): boolean {
    const isComma = this.#text[this.#at] === ",";
    if (isComma) this.#at++;
    return isComma;
  }
}

/** Counted by hand: a cell may hold half a million. */
function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}

export function writeRow(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: string): string {
  const safe = guarded(cell);
  return /[",\r\n#]|^\s|\s$|^;|^\/\//.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// A spreadsheet runs a cell with such a beginning as a formula. Apostrophes before it count as the guard of an earlier
// export, so writing adds another and reading removes one: a cell is read as it was written.
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

function guarded(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
