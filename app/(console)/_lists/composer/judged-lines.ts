import type { LinesPreview, PreviewedLine } from "../../../../lib/lists/preview.ts";

export interface TypedLine {
  readonly text: string;
  /** What would become of it; nothing while that is being asked, or when there is nothing on it. */
  readonly judged: PreviewedLine | undefined;
  readonly isWaiting: boolean;
}

/** What was said of a line holds for as long as the line stands where it stood. */
export function typedLines(
  text: string,
  preview: LinesPreview | undefined,
  of: string,
): readonly TypedLine[] {
  const before = of.split("\n");
  const judged = new Map(preview?.lines.map((line) => [line.line, line]));
  return text.split("\n").map((line, i) => {
    const isSame = before[i]?.trim() === line.trim();
    const isWaiting = line.trim() !== "" && !line.trimStart().startsWith("#") && !isSame;
    return { text: line, judged: isSame ? judged.get(i + 1) : undefined, isWaiting };
  });
}

/** Faults that whoever typed the line can mend. */
const mendable: readonly PreviewedLine["status"][] = [
  "not-an-address",
  "too-wide",
  "confirm",
  "unreadable",
  "refused",
];

/** What stays in the field once the rest is written: lines that somebody may still want to mend. */
export function leftOver(
  text: string,
  { lines }: LinesPreview,
  late: readonly { address: string }[],
): string {
  const refused = new Set(late.map(({ address }) => address));
  const left = lines.filter(
    ({ status, address }) => mendable.includes(status) || (address !== undefined && refused.has(address)),
  );
  const typed = text.split("\n");
  const kept = left.map(({ line }) => typed[line - 1] ?? "");
  return kept.length > 0 ? `${kept.join("\n")}\n` : "";
}

/** The text with one of its lines as it was probably meant. */
export function mended(text: string, line: number, to: string): string {
  return text
    .split("\n")
    .map((typed, i) => (i === line - 1 ? to : typed))
    .join("\n");
}
