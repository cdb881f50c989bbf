import { at } from "../../at.ts";
import { staffLimit } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { covers } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { breathing, loopTurn } from "../../redis/loop-turn.ts";
import { sayDuration } from "../audit/time-words.ts";
import { type AddOutcome, checkTtl, type RefusedEntry } from "./admission.ts";
import { foreseeEntries, type ListContext } from "./change-entries.ts";
import { importOf } from "./import.ts";
import { type BadLine, type ImportLine, isBad, readLines } from "./import-lines.ts";
import { chunksOf } from "./in-chunks.ts";
import { isForAdmins, isLater, lifeOf } from "./life.ts";
import {
  type Conflict,
  type LineOwner,
  type LinesPreview,
  mostPreviewed,
  type PreviewedLine,
  sumUp,
} from "./previewed-lines.ts";

/** Longest preview. Beyond it, Redis or the console is busy. */
const patienceMs = 4_000;

export interface PreviewInput {
  readonly list: ListName;
  readonly text: string;
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly (Ip | Cidr)[];
  /** For all lines, besides the tags of their own. */
  readonly tags?: readonly string[] | undefined;
  /** Addresses of customers that were chosen. Undefined: customers are not asked for. */
  readonly withCustomers?: readonly (Ip | Cidr)[] | undefined;
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
  /** The entry in force that decides for the address: the most specific of those that cover it. */
  deciding(
    list: ListName,
    address: Ip | Cidr,
  ): { readonly address: string; readonly reason: string } | undefined;
  /** How many entries lie inside of a range. */
  inside(list: ListName, range: Ip | Cidr): number;
}

/** Requests of the last hour that entries of the blocklist decided. */
export interface DecidedRequests {
  /** False: an entry may have decided more, or without being named. */
  readonly isAll: boolean;
  readonly of: ReadonlyMap<string, number>;
}

/** The customers of addresses, in their order. */
export interface OwnersOfLines {
  /** False: an address without an owner may be a customer's. */
  readonly isKnown: boolean;
  readonly of: readonly (readonly LineOwner[])[];
}

interface PreviewReads {
  lookAround(): Promise<EntriesAround>;
  readOwners(addresses: readonly (Ip | Cidr)[]): Promise<OwnersOfLines>;
  /** Undefined if it is not known. */
  readDecided(): Promise<DecidedRequests | undefined>;
}

/** What adding these lines would do, line by line. Writes nothing. */
export async function previewLines(
  ctx: ListContext,
  input: PreviewInput,
  { lookAround, readOwners, readDecided }: PreviewReads,
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
    const saysMore =
      !isBad(line) && [line.life, line.reason, line.tags].some((column) => column !== undefined);
    const text = at(texts, line.line - firstLine);
    lines.push({ line: line.line, text, ...judged, ...(saysMore && { saysMore }) });
  }
  const { withCustomers, list } = input;
  if (list === "safelist") return { lines: await withDecided(lines, around, readDecided), ...sumUp(lines) };
  if (withCustomers === undefined) return { lines, ...sumUp(lines) };
  const { owned, isKnown } = await withOwners(lines, new Set<string>(withCustomers), readOwners);
  return { lines: owned, ...sumUp(owned), ...(!isKnown && { areCustomersUnknown: true }) };
}

/** Lines that conflict with the blocklist, with the requests of the last hour that their entries there denied. */
async function withDecided(
  lines: readonly PreviewedLine[],
  around: EntriesAround,
  readDecided: PreviewReads["readDecided"],
): Promise<readonly PreviewedLine[]> {
  if (!lines.some(({ conflict }) => conflict)) return lines;
  const decided = await readDecided();
  if (!decided) return lines;
  const { isAll } = decided;
  const entries = [...decided.of].flatMap(([address, requests]) =>
    isCanonical(address) && around.endOf("blocklist", address) !== undefined
      ? [{ block: blockOf(address), requests }]
      : [],
  );
  const breathe = breathing();
  const counted: PreviewedLine[] = [];
  for (const line of lines) {
    await breathe();
    const { address, conflict } = line;
    // An entry around it denies other clients, too.
    const isWithin = conflict && (conflict.by === undefined || conflict.by.address === address);
    if (!isWithin || address === undefined || !isCanonical(address)) {
      counted.push(line);
      continue;
    }
    const range = blockOf(address);
    const requests = entries.reduce(
      (sum, entry) => sum + (covers(range, entry.block) ? entry.requests : 0),
      0,
    );
    counted.push({ ...line, conflict: { ...conflict, decided: { requests, isAll } } });
  }
  return counted;
}

/** Lines that would be written, with the customers of their addresses. */
async function withOwners(
  lines: readonly PreviewedLine[],
  chosen: ReadonlySet<string>,
  readOwners: PreviewReads["readOwners"],
): Promise<{ owned: PreviewedLine[]; isKnown: boolean }> {
  const addresses = sumUp(lines).willWrite.filter(isCanonical);
  const found = await readOwners(addresses).catch(() => undefined);
  const owners = new Map(addresses.map((address, i) => [address.toString(), found?.of[i] ?? []]));
  const owned = lines.map((line): PreviewedLine => {
    const { address } = line;
    const of = (address !== undefined && kindIsWritten(line) && owners.get(address)) || [];
    if (address === undefined || of.length === 0) return line;
    if (chosen.has(address)) return { ...line, owners: of };
    const who = of.map(({ customer }) => customer);
    const named =
      who.length > 3 ? `${who.slice(0, 3).join(", ")} and ${who.length - 3} more` : who.join(", ");
    const message = `Used by ${who.length === 1 ? "customer" : "customers"} ${named}. Not blocked unless you choose it.`;
    return { ...line, status: "customer", message, owners: of };
  });
  return { owned, isKnown: found?.isKnown ?? false };
}

function kindIsWritten({ status }: PreviewedLine): boolean {
  return status === "new" || status === "extends";
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
function judgeBad({ fault, message, suggestions }: BadLine): LineJudgement {
  // What was typed is quoted as it is.
  const says = fault === "unreadable" ? sentence(message) : ended(message);
  return { status: fault, message: says, ...(suggestions && { suggestions }) };
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
  if (outcome.outcome === "refused") {
    const conflict = outcome.why === "safelisted" ? conflictWith("safelist", address, around) : undefined;
    return { address, status: outcome.why ?? "refused", message: outcome.message, ...conflict };
  }
  if (outcome.outcome === "kept")
    return { address, status: "kept", message: `On the ${list} already ${howLong(outcome.expiresAt)}.` };
  if (!mayForever && isForAdmins(line.life ?? lifeOf(input.ttlMs), Date.now()))
    return { address, status: "refused", message: `${staffLimit}.` };
  if (outcome.outcome === "tagged") {
    const message = `On the ${list} already ${howLong(outcome.expiresAt)}. Its tags will change.`;
    return { address, status: "tags", message };
  }
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
  // A client that the safelist covers already passes.
  const conflict = list === "safelist" && !cover ? conflictWith("blocklist", address, around) : undefined;
  return { address, status: "new", ...withInside([says, shorter], address, list, around), ...conflict };
}

/** Entries of the other list that cover the address, or lie inside of it. */
function conflictWith(
  other: ListName,
  address: ImportLine["address"],
  around: EntriesAround,
): { readonly conflict: Conflict } | undefined {
  const by = around.deciding(other, address);
  const inside = address.includes("/") ? around.inside(other, address) : 0;
  return by || inside > 0 ? { conflict: { ...(by && { by }), inside } } : undefined;
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
  return `for ${sayDuration(left < 90_000 ? left : Math.round(left / 60_000) * 60_000)}`;
}

function sentence(text: string): string {
  return ended(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

function ended(text: string): string {
  return text.endsWith("?") ? text : `${text}.`;
}
