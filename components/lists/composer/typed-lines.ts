import { parseAddress } from "@/lib/ip/parse.ts";
import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";

export interface TypedLine {
  readonly text: string;
  /** Verdict of the line. Undefined while loading, and for an empty line. */
  readonly judged: PreviewedLine | undefined;
  readonly isWaiting: boolean;
}

/** A line keeps its verdict while its text and its position are the same. */
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

/** Faults that the user can fix. */
const correctable: readonly PreviewedLine["status"][] = [
  "not-an-address",
  "too-wide",
  "confirm",
  "unreadable",
  "refused",
];

/** Text that stays in the field after the write: lines that the user can still fix. */
export function leftOver(
  text: string,
  { lines }: LinesPreview,
  late: readonly { address: string }[],
): string {
  const refused = new Set(late.map(({ address }) => address));
  const left = lines.filter(
    ({ status, address }) => correctable.includes(status) || (address !== undefined && refused.has(address)),
  );
  const typed = text.split("\n");
  const kept = left.map(({ line }) => typed[line - 1] ?? "");
  return kept.length > 0 ? `${kept.join("\n")}\n` : "";
}

/** Text with one line replaced by its suggestion. */
export function corrected(text: string, line: number, to: string): string {
  return text
    .split("\n")
    .map((typed, i) => (i === line - 1 ? to : typed))
    .join("\n");
}

/** Text with each address on its own line. Addresses copied from a log or a mail are often on one line. */
export function linesOf(pasted: string): string {
  return pasted
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (areAddresses(partsOf(line)) ? partsOf(line).join("\n") : line))
    .join("\n");
}

function partsOf(line: string): readonly string[] {
  return line.split(/[\s,;|]+/).filter(Boolean);
}

/** Any other text between the addresses may be a duration or a reason. Such lines are not split. */
function areAddresses(parts: readonly string[]): boolean {
  return parts.length > 1 && parts.every((part) => parseAddress(part).ok);
}
