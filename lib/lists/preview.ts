import type { Cidr, Ip } from "../ip/parse.ts";
import type { ListName } from "../redis/keys.ts";
import { type AddOutcome, checkTtl } from "./add.ts";
import { foreseeEntries } from "./change.ts";
import { chunksOf } from "./chunks.ts";
import type { Context } from "./context.ts";
import { planOf } from "./import.ts";
import { type BadLine, type ImportLine, isBad, readLines } from "./import-lines.ts";
import { judgeBad, judgeGood } from "./judge-line.ts";

/** What would become of one line. */
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
  /** Wide: it wants to be typed again. */
  | "confirm"
  | "not-an-address"
  | "duplicate"
  /** Another column is at fault: its life, its reason, its quotes. */
  | "unreadable"
  /** Anything else that stands against it; the message says what. */
  | "refused";

export interface PreviewedLine {
  readonly line: number;
  readonly text: string;
  readonly address?: string;
  readonly status: LineStatus;
  /** What to show beside the line. */
  readonly message: string;
  /** Safelist entries inside a range that would be blocked: they stay free. */
  readonly coversSafelisted?: number;
  /** What was probably meant. */
  readonly suggestion?: string;
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

export interface PreviewInput {
  readonly list: ListName;
  readonly text: string;
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly (Ip | Cidr)[];
  /** Of a piece of a larger file: the number of its first line there. */
  readonly firstLine?: number;
  /** May the actor make entries that never end? */
  readonly mayForever: boolean;
}

/** What the console's copy of the lists knows of the places around. */
export interface Around {
  /** When the entry itself ends; nothing when there is none. */
  endOf(list: ListName, address: Ip | Cidr): number | null | undefined;
  /** The wider entry in force that covers the address for the longest. */
  cover(
    list: ListName,
    address: Ip | Cidr,
  ): { readonly address: string; readonly expiresAt: number | null } | undefined;
  /** How many entries lie inside of a range. */
  inside(list: ListName, range: Ip | Cidr): number;
}

/** What adding these lines would do, line by line; nothing is written. */
export async function previewLines(
  ctx: Context,
  input: PreviewInput,
  lookAround: () => Promise<Around>,
): Promise<LinesPreview> {
  if (input.ttlMs !== null) checkTtl(input.ttlMs);
  const { firstLine = 1 } = input;
  const read = [...readLines(input.text, firstLine)];
  const outcomes = await foreseeLines(ctx, input, read);
  const around = await lookAround();
  const texts = input.text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  const lines = read.map((line): PreviewedLine => {
    const outcome = outcomes.get(line);
    const judged = isBad(line) || !outcome ? judgeBad(line) : judgeGood(line, outcome, input, around);
    return { line: line.line, text: texts[line.line - firstLine] ?? "", ...judged };
  });
  return { lines, ...sumUp(lines) };
}

async function foreseeLines(ctx: Context, input: PreviewInput, read: readonly (ImportLine | BadLine)[]) {
  const outcomes = new Map<ImportLine | BadLine, AddOutcome>();
  const good = read.filter((line): line is ImportLine => !isBad(line));
  for (const chunk of chunksOf(good, ({ address }) => address)) {
    const foreseen = await foreseeEntries(ctx, planOf(ctx, input, chunk));
    for (const [i, line] of chunk.entries()) if (foreseen[i]) outcomes.set(line, foreseen[i]);
  }
  return outcomes;
}

function sumUp(lines: readonly PreviewedLine[]): Pick<LinesPreview, "counts" | "willWrite"> {
  const counts = { add: 0, extend: 0, skip: 0, invalid: 0 };
  const willWrite: string[] = [];
  for (const { status, address } of lines) {
    const kind = kinds[status] ?? "skip";
    counts[kind]++;
    if (address !== undefined && (kind === "add" || kind === "extend")) willWrite.push(address);
  }
  return { counts, willWrite };
}

const kinds: Partial<Record<LineStatus, keyof LinesPreview["counts"]>> = {
  new: "add",
  extends: "extend",
  "not-an-address": "invalid",
  unreadable: "invalid",
};
