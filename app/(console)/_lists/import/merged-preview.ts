import type { LinesPreview } from "../../../../lib/lists/preview.ts";

export interface PiecePreview {
  readonly preview: LinesPreview;
  /** Which line of the file the piece begins with. */
  readonly firstLine: number;
}

/** What the pieces of a file come to together, with the lines of the file. */
export function merged(pieces: readonly PiecePreview[]): LinesPreview {
  const sum = (of: keyof LinesPreview["counts"]) =>
    pieces.reduce((all, { preview }) => all + preview.counts[of], 0);
  return {
    lines: pieces.flatMap(({ preview: { lines }, firstLine }) =>
      lines.map((line) => ({ ...line, line: line.line + firstLine - 1 })),
    ),
    counts: { add: sum("add"), extend: sum("extend"), skip: sum("skip"), invalid: sum("invalid") },
    willWrite: [...new Set(pieces.flatMap(({ preview }) => preview.willWrite))],
  };
}
