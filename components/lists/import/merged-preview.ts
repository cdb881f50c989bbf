import { type LinesPreview, type PreviewedLine, sumUp } from "@/lib/manage/lists/previewed-lines.ts";

export interface PiecePreview {
  readonly preview: LinesPreview;
  /** Number of the first line of the piece in the file. */
  readonly firstLine: number;
}

/** Preview of all pieces of a text, with the line numbers of the text. An address of an earlier piece is not written again. */
export function merged(pieces: readonly PiecePreview[]): LinesPreview {
  const firstLines = new Map<string, number>();
  const lines = pieces.flatMap(({ preview: { lines }, firstLine }) =>
    lines.map((line) => once({ ...line, line: line.line + firstLine - 1 }, firstLines)),
  );
  return { lines, ...sumUp(lines) };
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
