import { at } from "../../at.ts";
import { formatDuration, staffLimit } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { breathing, loopTurn } from "../../redis/loop-turn.ts";
import { type AddOutcome, checkTtl, type RefusedEntry } from "./admission.ts";
import { foreseeEntries, type ListContext } from "./change-entries.ts";
import { importOf } from "./import.ts";
import { type BadLine, type ImportLine, isBad, readLines } from "./import-lines.ts";
import { chunksOf } from "./in-chunks.ts";
import { isForAdmins, isLater, lifeOf } from "./life.ts";
import { type LinesPreview, mostPreviewed, type PreviewedLine, sumUp } from "./previewed-lines.ts";

/** Longest preview. Beyond it, Redis or the console is busy. */
const patienceMs = 4_000;

export interface PreviewInput {
  readonly list: ListName;
  readonly text: string;
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly (Ip | Cidr)[];
  /** Of a piece of a larger file: the number of its first line there. */
  readonly firstLine?: number;
  /** May the actor make entries that never end, or last longer than staff may choose? */
  readonly mayForever: boolean;
}

/** What the console's copy of the lists knows about the entries around an address. */
export interface EntriesAround {
  /** When the entry itself expires: null for never, undefined without an entry. */
  endOf(list: ListName, address: Ip | Cidr): number | null | undefined;
  /** The wider entry in force that covers the address for the longest. */
  cover(
    list: ListName,
    address: Ip | Cidr,
  ): { readonly address: string; readonly expiresAt: number | null } | undefined;
  /** How many entries lie inside of a range. */
  inside(list: ListName, range: Ip | Cidr): number;
}

/** What adding these lines would do, line by line. Writes nothing. */
export async function previewLines(
  ctx: ListContext,
  input: PreviewInput,
  lookAround: () => Promise<EntriesAround>,
): Promise<LinesPreview> {
  if (input.ttlMs !== null) checkTtl(input.ttlMs);
  const { firstLine = 1 } = input;
  const texts = input.text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  requireFew(texts);
  const read = [...readLines(input.text, firstLine)];
  const outcomes = await foreseeLines(ctx, input, read);
  let good = 0;
  const around = await lookAround();
  const breathe = breathing();
  const lines: PreviewedLine[] = [];
  for (const line of read) {
    await breathe();
    const judged = isBad(line) ? judgeBad(line) : judgeGood(line, at(outcomes, good++), input, around);
    lines.push({ line: line.line, text: at(texts, line.line - firstLine), ...judged });
  }
  return { lines, ...sumUp(lines) };
}

/** The last line end ends a line, and begins none. */
function requireFew(texts: readonly string[]): void {
  const count = texts.at(-1) === "" ? texts.length - 1 : texts.length;
  if (count <= mostPreviewed) return;
  const [has, most] = [count, mostPreviewed].map((lines) => lines.toLocaleString("en-US"));
  const message = `The text has ${has} lines. A preview takes ${most}: send the text in pieces.`;
  throw new DomainError("bad-input", message, { text: message });
}

/** The outcomes of the lines that can be read, in their order. */
async function foreseeLines(ctx: ListContext, input: PreviewInput, read: readonly (ImportLine | BadLine)[]) {
  const deadline = performance.now() + patienceMs;
  const outcomes: AddOutcome[] = [];
  const good = read.filter((line): line is ImportLine => !isBad(line));
  for (const chunk of chunksOf(good, ({ address }) => address)) {
    if (performance.now() > deadline) throw tooSlow();
    await loopTurn();
    outcomes.push(...(await foreseeEntries(ctx, importOf(ctx, input, chunk))));
  }
  return outcomes;
}

function tooSlow(): DomainError {
  const seconds = patienceMs / 1_000;
  const message = `The preview took longer than ${seconds} s. Redis or the console is busy. Try again in a moment.`;
  return new DomainError("redis-unavailable", message);
}

type LineJudgement = Omit<PreviewedLine, "line" | "text">;
type Accepted = Exclude<AddOutcome, RefusedEntry>;

/** A line that cannot be read, in words. */
function judgeBad({ fault, message, suggestion }: BadLine): LineJudgement {
  return { status: fault, message: sentence(message), ...(suggestion && { suggestion }) };
}

/** What would become of a line, in words. */
function judgeGood(
  line: ImportLine,
  outcome: AddOutcome,
  input: PreviewInput,
  around: EntriesAround,
): LineJudgement {
  const { address } = line;
  const { list, mayForever } = input;
  if (outcome.outcome === "refused")
    return { address, status: outcome.why ?? "refused", message: outcome.message };
  if (outcome.outcome === "kept")
    return { address, status: "kept", message: `On the ${list} already ${howLong(outcome.expiresAt)}.` };
  if (!mayForever && isForAdmins(line.life ?? lifeOf(input.ttlMs), Date.now()))
    return { address, status: "refused", message: `${staffLimit}.` };
  return outcome.outcome === "added"
    ? judgeNew(line, outcome, list, around)
    : judgeLonger(line, outcome, list, around);
}

function judgeNew(
  { address }: ImportLine,
  { expiresAt }: Accepted,
  list: ListName,
  around: EntriesAround,
): LineJudgement {
  const cover = around.cover(list, address);
  if (cover && !isLater(expiresAt, cover.expiresAt))
    return { address, status: "covered", message: `${cover.address} covers it ${howLong(cover.expiresAt)}.` };
  const shorter = cover ? `Outlasts ${cover.address}, which covers it ${howLong(cover.expiresAt)}.` : "";
  const says = address.includes("/")
    ? `Will be added, the whole /${address.split("/")[1]}.`
    : "Will be added.";
  return { address, status: "new", ...withInside([says, shorter], address, list, around) };
}

function judgeLonger(
  { address }: ImportLine,
  { expiresAt }: Accepted,
  list: ListName,
  around: EntriesAround,
): LineJudgement {
  const end = around.endOf(list, address);
  const now = end === undefined ? `On the ${list} already` : `On the ${list} ${howLong(end)}`;
  const says = `${now}; will stay ${howLong(expiresAt)}.`;
  return { address, status: "extends", ...withInside([says], address, list, around) };
}

/** Adds what an entry means for the entries of the other list. */
function withInside(says: string[], address: ImportLine["address"], list: ListName, around: EntriesAround) {
  const sentences = says.filter(Boolean);
  if (list === "safelist") {
    const block =
      around.endOf("blocklist", address) === undefined
        ? around.cover("blocklist", address)?.address
        : address;
    if (block !== undefined) sentences.push(`It wins over ${block} on the blocklist.`);
    return { message: sentences.join(" ") };
  }
  const coversSafelisted = address.includes("/") ? around.inside("safelist", address) : 0;
  if (coversSafelisted === 0) return { message: sentences.join(" ") };
  sentences.push(`${coversSafelisted} safelisted inside ${coversSafelisted === 1 ? "stays" : "stay"} free.`);
  return { message: sentences.join(" "), coversSafelisted };
}

/** To the minute, because it is shown a moment later. */
function howLong(expiresAt: number | null): string {
  if (expiresAt === null) return "permanently";
  const left = expiresAt - Date.now();
  return `for ${formatDuration(left < 90_000 ? left : Math.round(left / 60_000) * 60_000)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith("?") ? "" : "."}`;
}
