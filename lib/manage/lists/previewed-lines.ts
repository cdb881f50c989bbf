/** What importing one line would do. */
export type LineStatus =
  | "new"
  | "extends"
  | "kept"
  /** A wider entry of the same list covers it for as long. */
  | "covered"
  | "safelisted"
  | "own"
  | "protected"
  | "too-wide"
  /** Wide: it must be typed again. */
  | "confirm"
  | "not-an-address"
  | "duplicate"
  /** A problem in another column: its life, its reason, its quotes. */
  | "unreadable"
  /** Any other problem; the message says which. */
  | "refused";

export interface PreviewedLine {
  readonly line: number;
  readonly text: string;
  readonly address?: string | undefined;
  readonly status: LineStatus;
  /** What to show beside the line. */
  readonly message: string;
  /** Safelist entries inside a range that would be blocked: they stay free. */
  readonly coversSafelisted?: number | undefined;
  /** What was probably meant. */
  readonly suggestion?: string | undefined;
}

export interface LinesPreview {
  readonly lines: readonly PreviewedLine[];
  readonly counts: {
    readonly add: number;
    readonly extend: number;
    readonly skip: number;
    readonly invalid: number;
  };
  /** What is written when this is confirmed. */
  readonly willWrite: readonly string[];
}

/** Lines of one preview; a longer text is previewed in pieces. */
export const mostPreviewed = 2_000;

const kinds: Partial<Record<LineStatus, keyof LinesPreview["counts"]>> = {
  new: "add",
  extends: "extend",
  "not-an-address": "invalid",
  unreadable: "invalid",
};

/** The sum of previewed lines. */
export function sumUp(lines: readonly PreviewedLine[]): Pick<LinesPreview, "counts" | "willWrite"> {
  const counts = { add: 0, extend: 0, skip: 0, invalid: 0 };
  const willWrite: string[] = [];
  for (const { status, address } of lines) {
    const kind = kinds[status] ?? "skip";
    counts[kind]++;
    if (address !== undefined && (kind === "add" || kind === "extend")) willWrite.push(address);
  }
  return { counts, willWrite };
}
