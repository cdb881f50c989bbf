import type { LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";

export interface TypedLine {
  readonly text: string;
  /** Verdicts of the line: several for a range `a-b`. None while loading, and for a line without an address. */
  readonly judged: readonly PreviewedLine[];
  readonly isWaiting: boolean;
}

const comment = /^\s*(?:[#;]|\/\/)/;

/** A line keeps its verdict while its text and its position are the same. */
export function typedLines(
  text: string,
  preview: LinesPreview | undefined,
  of: string,
): readonly TypedLine[] {
  const before = of.split("\n");
  const judged = byLine(preview?.lines ?? []);
  return text.split("\n").map((line, i) => {
    const isSame = before[i]?.trim() === line.trim();
    const isWaiting = line.trim() !== "" && !comment.test(line) && !isSame;
    return { text: line, judged: (isSame && judged.get(i + 1)) || [], isWaiting };
  });
}

function byLine(lines: readonly PreviewedLine[]): ReadonlyMap<number, readonly PreviewedLine[]> {
  const judged = new Map<number, PreviewedLine[]>();
  for (const line of lines) {
    const others = judged.get(line.line);
    if (others) others.push(line);
    else judged.set(line.line, [line]);
  }
  return judged;
}

/** What becomes of a line, as the filter above the field has it. */
export const lineKinds = ["ready", "suggestions", "customers", "skipped", "none"] as const;
export type LineKind = (typeof lineKinds)[number];

/** Undefined for an empty line, and while it is checked. */
export function kindOf({ text, judged, isWaiting }: TypedLine): LineKind | undefined {
  if (isWaiting || text.trim() === "") return undefined;
  const has = (...statuses: readonly PreviewedLine["status"][]) =>
    judged.some(({ status }) => statuses.includes(status));
  if (has("customer")) return "customers";
  if (has("new", "extends", "tags")) return "ready";
  if (judged.some(({ suggestions = [] }) => suggestions.length > 0)) return "suggestions";
  return judged.length === 0 || has("no-address", "not-an-address") ? "none" : "skipped";
}

/** A comment or a header, which the preview does not name. */
export function isLeftOut({ text, judged, isWaiting }: TypedLine): boolean {
  return judged.length === 0 && !isWaiting && text.trim() !== "";
}

/** Numbers of lines by kind. Every line that is not empty counts once. */
export function countKinds(lines: readonly TypedLine[]): Readonly<Record<LineKind | "all", number>> {
  const counts = { all: 0, ready: 0, suggestions: 0, customers: 0, skipped: 0, none: 0 };
  for (const line of lines) {
    const kind = kindOf(line);
    if (kind) counts[kind]++;
    if (line.text.trim() !== "") counts.all++;
  }
  return counts;
}

/** Lines to write instead of this one. */
export function suggestionsOf({ judged }: Pick<TypedLine, "judged">): readonly string[] {
  return judged.flatMap(({ suggestions = [] }) => suggestions);
}

/** Text with the suggestions in place of their lines. */
export function withSuggestions(lines: readonly TypedLine[]): string {
  return lines
    .flatMap((line) => {
      const suggested = suggestionsOf(line);
      return suggested.length > 0 ? suggested : [line.text];
    })
    .join("\n");
}

/** What the user can fix, or decide. */
const correctable: readonly PreviewedLine["status"][] = [
  "customer",
  "no-address",
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
  const kept = [...new Set(left.map(({ line }) => line))].map((line) => typed[line - 1] ?? "");
  return kept.length > 0 ? `${kept.join("\n")}\n` : "";
}

/** Text with one line replaced: by a suggestion, or as it was edited. */
export function corrected(text: string, line: number, to: string): string {
  return text
    .split("\n")
    .map((typed, i) => (i === line - 1 ? to : typed))
    .join("\n");
}
