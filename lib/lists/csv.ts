export interface Row {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What is wrong with its quoting. */
  readonly problem?: string;
}

const blank = /[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|$)/y;
const quoted = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*(?=[,\r\n]|$)/y;
const plain = /[^,\r\n]*/y;
const lineEnd = /\r\n|\r|\n|$/y;
const restOfLine = /[^\r\n]*/y;

/**
 * Rows of a CSV file (RFC 4180), of a plain list, or of a mixture. Blank lines and lines that begin with # are left out.
 * A row whose quotes do not match is told and ends with its line, so that the ones after it are still read.
 */
export function* readRows(text: string): Generator<Row> {
  const reader = new Reader(text);
  while (!reader.isAtEnd) {
    if (reader.take(blank) !== undefined) continue;
    yield readRow(reader);
  }
}

function readRow(reader: Reader): Row {
  const { line } = reader;
  const cells: string[] = [];
  for (;;) {
    const cell = reader.take(quoted);
    if (cell === undefined && reader.opensQuote) {
      reader.take(restOfLine);
      reader.take(lineEnd);
      return {
        line,
        cells,
        problem: 'a quote is not closed, or text follows it; write " inside quotes as ""',
      };
    }
    cells.push(unguarded(cell?.replaceAll('""', '"') ?? reader.take(plain) ?? ""));
    if (reader.skipComma()) continue;
    reader.take(lineEnd);
    return { line, cells };
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

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get opensQuote(): boolean {
    return /[ \t]*"/y.test(this.#text.slice(this.#at, this.#at + 100));
  }

  /** What the sticky pattern finds here: its group, else all of it. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at += match[0].length;
    this.line += match[0].match(/\r\n|\r|\n/g)?.length ?? 0;
    return match[1] ?? match[0];
  }

  skipComma(): boolean {
    const isComma = this.#text[this.#at] === ",";
    if (isComma) this.#at++;
    return isComma;
  }
}

export function writeRow(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: string): string {
  const safe = guarded(cell);
  return /[",\r\n#]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// A spreadsheet runs a cell that begins so as a formula. Apostrophes that stand before it count as the guard of an
// earlier export, so another is added and reading takes one away: what was written is what is read.
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

function guarded(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
