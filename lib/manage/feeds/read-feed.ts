import { mostAddresses } from "../../enforce/lists/feeds.ts";
import { DomainError } from "../../errors.ts";
import { type Block, scan } from "../../ip/block.ts";
import { extract } from "../../ip/extract.ts";
import { JsonStrings, looksLikeJson } from "../../ip/json-strings.ts";
import { type PackedRanges, RangeCollection } from "../../ip/packed-ranges.ts";
import { blockOf, readBlock } from "../../ip/parse.ts";
import { breathing } from "../../redis/loop-turn.ts";

/** A line of which no address was read. */
export interface UnreadLine {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** A range with the line that has it. */
export interface WideRange {
  readonly line: number;
  readonly block: Block;
}

/** What a text holds. */
export interface FeedContents {
  /** Without ranges that are wider than `widestOfFeed`. Wide ones are in it only if they were confirmed. */
  readonly ranges: PackedRanges;
  readonly format: "lines" | "json";
  /** Addresses and ranges as they are written, before they are merged. */
  readonly count: number;
  /** Ranges that a person confirms: wider than /24 (IPv6 /48). Up to 1,000, in the order of the text. */
  readonly wide: readonly WideRange[];
  readonly wideCount: number;
  /** Ranges that no feed may have. */
  readonly tooWide: readonly WideRange[];
  readonly tooWideCount: number;
  readonly unread: readonly UnreadLine[];
  readonly unreadCount: number;
}

export interface FeedTerms {
  /** Wide ranges are enforced, too. */
  readonly isWideConfirmed: boolean;
  /** For lines with several columns: which one has the address, from 1, or by its name in the first line. */
  readonly column?: number | string | undefined;
}

/** Ranges wider than this are confirmed by a person, once for each feed. */
export const widestUnconfirmed = { 4: 24, 6: 48 } as const;
/** Nothing wider is ever enforced: it is a mistake. Networks and countries have ranges that are wider than an entry may be. */
export const widestOfFeed = { 4: 8, 6: 16 } as const;

export const mostRanges = 2_000_000;
const longestLine = 2_000;
const mostKept = 1_000;
const mostUnreadKept = 50;

/** Reads what networks and lists publish: lines with addresses, or JSON. In turns, so that other work runs. */
export async function readFeed(
  pieces: AsyncIterable<string> | Iterable<string>,
  terms: FeedTerms,
): Promise<FeedContents> {
  const reader = new FeedReader(terms);
  const breathe = breathing();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += pieceSize) {
      reader.take(piece.slice(at, at + pieceSize));
      await breathe();
    }
  }
  const ranges = await inTurns(reader.end());
  if (ranges.addresses.v4 >= mostAddresses)
    throw new DomainError(
      "bad-input",
      "The feed has half of all IPv4 addresses, or more: nodes enforce none such.",
    );
  return reader.contents(ranges);
}

/** Characters that are read before other work may run: below 2 ms. */
const pieceSize = 8_192;

/** Runs what pauses to its end, with other work in its pauses. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const breathe = breathing();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}

class FeedReader {
  readonly #terms: FeedTerms;
  readonly #collected = new RangeCollection();
  readonly #wide: WideRange[] = [];
  readonly #tooWide: WideRange[] = [];
  readonly #unread: UnreadLine[] = [];
  #wideCount = 0;
  #tooWideCount = 0;
  #unreadCount = 0;
  #count = 0;
  #json: JsonStrings | undefined;
  #hasBegun = false;
  #rest = "";
  #line = 0;
  /** The rest of a line that is too long is dropped. */
  #isSkipping = false;
  #column: number | undefined;

  constructor(terms: FeedTerms) {
    this.#terms = terms;
    if (typeof terms.column === "number") this.#column = terms.column - 1;
  }

  take(piece: string): void {
    if (this.#hasBegun) this.#continue(piece);
    else this.#begin((this.#rest + piece).replace(/^\ufeff/, ""));
  }

  /** The first characters say what the text is. */
  #begin(text: string): void {
    this.#rest = /\S\s*\S/.test(text) ? "" : text.slice(0, longestLine);
    if (this.#rest !== "" || text === "") return;
    this.#hasBegun = true;
    if (looksLikeJson(text)) this.#json = new JsonStrings();
    this.#continue(text);
  }

  #continue(text: string): void {
    if (this.#json) this.#takeJson(this.#json, text);
    else this.#takeLines(text);
  }

  end(): Generator<void, PackedRanges> {
    if (this.#json && !this.#json.isComplete)
      throw new DomainError("bad-input", "The feed's JSON ends in the middle: it was not read whole.");
    if (!this.#json && this.#rest !== "" && !this.#isSkipping) this.#takeLine(this.#rest);
    return this.#collected.sort();
  }

  contents(ranges: PackedRanges): FeedContents {
    return {
      ...{ ranges, format: this.#json ? "json" : "lines", count: this.#count },
      ...{ wide: this.#wide, wideCount: this.#wideCount },
      ...{ tooWide: this.#tooWide, tooWideCount: this.#tooWideCount },
      ...{ unread: this.#unread, unreadCount: this.#unreadCount },
    };
  }

  #takeJson(json: JsonStrings, text: string): void {
    for (const found of json.read(text)) {
      if (!isLikeAddress.test(found.text)) continue;
      const block = readBlock(found.text);
      if (block) this.#add(found.line, block);
      else if (scan(found.text)) this.#takeText(found.line, found.text);
    }
  }

  #takeLines(text: string): void {
    let at = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
      const line = this.#rest + text.slice(at, end);
      this.#rest = "";
      at = end + 1;
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#takeLine(line);
    }
    if (this.#isSkipping) return;
    this.#rest += text.slice(at);
    if (this.#rest.length <= longestLine) return;
    this.#takeLine(this.#rest);
    this.#isSkipping = true;
    this.#rest = "";
  }

  #takeLine(text: string): void {
    const line = ++this.#line;
    const trimmed = text.trim();
    if (trimmed === "" || isComment.test(trimmed) || isIpsetHeader.test(trimmed)) return;
    if (text.length > longestLine) this.#skip(line, text, tooLong);
    else if (this.#terms.column !== undefined) this.#takeColumn(line, trimmed);
    else this.#takeAddress(line, trimmed);
  }

  #takeAddress(line: number, text: string): void {
    const word = wordOf(text);
    const block = readBlock(word);
    if (block && isAloneOrAside(text, word)) this.#add(line, block);
    else this.#takeText(line, text);
  }

  #takeText(line: number, text: string): void {
    const found = extract(text);
    // The first line of a CSV names its columns.
    const isHeader = found.kind === "none" && this.#count === 0 && /[,\t]/.test(text);
    if (found.kind === "exact") for (const address of found.addresses) this.#add(line, blockOf(address));
    else if (!isHeader) this.#skip(line, text, found.reason);
  }

  #takeColumn(line: number, text: string): void {
    const cells = cellsOf(text);
    if (this.#column === undefined) {
      const { column } = this.#terms;
      this.#column = cells.findIndex((cell) => cell.toLowerCase() === String(column).toLowerCase());
      if (this.#column >= 0) return;
      throw new DomainError("bad-input", `The feed has no column ${String(column)}.`, {
        column: `is none of ${cells.slice(0, 20).join(", ").slice(0, 200)}`,
      });
    }
    const cell = cells[this.#column];
    // Above the first address may be the names of the columns.
    const isHeader = this.#count === 0 && cell !== undefined && !/\d/.test(cell);
    if (cell === undefined) this.#skip(line, text, `it has ${cells.length} columns`);
    else if (!isHeader) this.#takeText(line, cell);
  }

  #add(line: number, block: Block): void {
    if (this.#count++ === mostRanges)
      throw new DomainError(
        "bad-input",
        `The feed has more than ${mostRanges.toLocaleString("en-US")} ranges.`,
      );
    if (block.length < widestOfFeed[block.family]) {
      if (this.#tooWideCount++ < mostKept) this.#tooWide.push({ line, block });
      return;
    }
    if (block.length < widestUnconfirmed[block.family]) {
      if (this.#wideCount++ < mostKept) this.#wide.push({ line, block });
      if (!this.#terms.isWideConfirmed) return;
    }
    this.#collected.add(block);
  }

  #skip(line: number, text: string, reason: string): void {
    if (this.#unreadCount++ < mostUnreadKept) this.#unread.push({ line, text: text.slice(0, 200), reason });
  }
}

const tooLong = `the line has more than ${longestLine.toLocaleString("en-US")} characters`;
const isComment = /^(?:[#;]|\/\/)/;
/** `create blocklist hash:net family inet …`, as `ipset save` writes it. */
const isIpsetHeader = /^(?:create|flush|destroy)\s/;
/** Faster than reading what is none. */
const isLikeAddress = /^[\da-f]*[.:]/i;

/** The first word, or what `ipset save` adds: `add blocklist 192.0.2.0/24`. */
function wordOf(line: string): string {
  const added = /^add\s+\S{1,64}\s+(\S{1,64})/.exec(line)?.[1];
  return added ?? /^"?([\da-f.:/]{1,64})/i.exec(line)?.[1] ?? "";
}

/** Whether what follows the address is a count, a comment, or a column without an address. Otherwise the whole line decides. */
function isAloneOrAside(line: string, word: string): boolean {
  const rest = line.slice(line.indexOf(word) + word.length);
  return rest === "" || /^\t\d+$/.test(rest) || /^\s*[;#]/.test(rest) || /^add\s/.test(line);
}

/** Cells of a line with commas, tabs or semicolons. */
function cellsOf(line: string): string[] {
  const separator = line.includes("\t") ? "\t" : line.includes(",") ? "," : ";";
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
