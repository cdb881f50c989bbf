import {
  type LinesPreview,
  mostPreviewed,
  type PreviewedLine,
  sumUp,
} from "@/lib/manage/lists/previewed-lines.ts";

/** Server actions accept 1 MB in total, and encoding adds a little to the text. */
export const mostBytes = 600_000;
/** One line less, for the repeated header. */
const mostLines = mostPreviewed - 1;

/** Piece of a file. It has the file's header, if there is one, and can be read alone. */
export interface Chunk {
  readonly text: string;
  /** Number in the file of the piece's first line. A repeated header counts as the line before its rows. */
  readonly firstLine: number;
}

/** Cuts a file at line ends. A cell in quotes that runs over several lines stays whole. */
export function chunksOf(text: string, limits = { bytes: mostBytes, lines: mostLines }): readonly Chunk[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/(?<=\n|\r(?!\n))/)
    .filter(Boolean);
  const header = lines[0] !== undefined && isHeader(lines[0]) ? lines[0] : "";
  const chunks: Chunk[] = [];
  let piece: string[] = [];
  let bytes = 0;
  let start = 0;
  const close = (next: number) => {
    if (piece.length > 0) chunks.push(chunkOf(piece, start, header));
    [piece, bytes, start] = [[], sizeOf(header), next];
  };
  for (const { rows, at } of wholeRows(lines, limits)) {
    const size = sizeOf(rows.join(""));
    if (bytes + size > limits.bytes || piece.length + rows.length > limits.lines) close(at);
    piece.push(...rows);
    bytes += size;
  }
  close(lines.length);
  return chunks;
}

function chunkOf(piece: readonly string[], start: number, header: string): Chunk {
  const text = piece.join("");
  // Later pieces begin with the header, which is not at this place in the file.
  return start === 0 || header === ""
    ? { text, firstLine: start + 1 }
    : { text: header + text, firstLine: start };
}

/** Lines that belong together: one, or all lines of a quoted cell. An unclosed quote is a fault of one line. */
function* wholeRows(lines: readonly string[], limits: { lines: number }) {
  for (let at = 0; at < lines.length; ) {
    const count = hasOddQuotes(lines[at] ?? "") ? closingAfter(lines, at, Math.min(limits.lines, 100)) : 1;
    yield { rows: lines.slice(at, at + count), at };
    at += count;
  }
}

function closingAfter(lines: readonly string[], at: number, most: number): number {
  for (let count = 2; count <= most && at + count <= lines.length; count++) {
    if (hasOddQuotes(lines[at + count - 1] ?? "")) return count;
  }
  return 1;
}

function hasOddQuotes(line: string): boolean {
  return (line.split('"').length - 1) % 2 === 1;
}

function isHeader(line: string): boolean {
  return line
    .toLowerCase()
    .split(",")
    .some((cell) => cell.trim().replaceAll('"', "") === "address");
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

export interface Piece {
  readonly chunk: Chunk;
  readonly preview: LinesPreview;
}

/** Preview of all pieces of a text, with the line numbers of the text. An address of an earlier piece is not written again. */
export function merged(pieces: readonly Piece[]): LinesPreview {
  const firstLines = new Map<string, number>();
  const lines = pieces.flatMap(({ chunk: { firstLine }, preview: { lines } }) =>
    lines.map((line) => once({ ...line, line: line.line + firstLine - 1 }, firstLines)),
  );
  const areCustomersUnknown = pieces.some(({ preview }) => preview.areCustomersUnknown);
  return { lines, ...sumUp(lines), ...(areCustomersUnknown && { areCustomersUnknown }) };
}

function once(line: PreviewedLine, firstLines: Map<string, number>): PreviewedLine {
  const { address, text } = line;
  const first = address === undefined ? undefined : firstLines.get(address);
  if (first === undefined) {
    if (address !== undefined) firstLines.set(address, line.line);
    return line;
  }
  return { line: line.line, text, status: "duplicate", message: `${address} is on line ${first} already.` };
}
