import { type Note, writeNote } from "../../enforce/lists/entry.ts";
import { type Block, coverings, format, widestEntry } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { PrefixTable } from "../../ip/prefix-table.ts";
import type { Contents } from "../../redis/copy.ts";
import type { ListName } from "../../redis/keys.ts";
import { EntryRows, flag, flagsOf, noRow, readContents, unenforcedFlags, unknown } from "./rows.ts";
import { TagSets } from "./tag-sets.ts";
import { Texts } from "./texts.ts";

const anyWidth = { 4: 0, 6: 0 } as const;

/** One list with the notes of its entries. */
export class ListTable {
  readonly list: ListName;
  readonly texts = new Texts();
  readonly tagSets = new TagSets();
  readonly rows = new EntryRows((row) => this.#recycle(row));
  /** Grows with every change. */
  version = 0;
  /** Called for each row that comes or goes. */
  readonly followers = new Set<(row: number) => void>();
  readonly #table = new PrefixTable();
  /** Rows that a prefix table cannot hold: other spellings than Sluice's, and ranges that are too wide. */
  readonly #others = new Map<string, number>();
  readonly #spellings = new Map<number, string>();
  /** Values that the columns do not hold wholly; the type, for a key that is not a string. */
  readonly #values = new Map<number, string>();
  #isGuarded: (block: Block) => boolean = () => false;
  #load = 1;

  constructor(list: ListName) {
    this.list = list;
  }

  get size(): number {
    return this.rows.size;
  }

  beginLoad(): void {
    this.#load++;
  }

  /** Rows that the load has seen. */
  *seen(): Generator<number> {
    const { rows } = this;
    for (let row = 0; row < rows.end; row++)
      if (rows.columns.seen[row] === this.#load && rows.isAlive(row)) yield row;
  }

  *unseen(): Generator<number> {
    const { rows } = this;
    for (let row = 0; row < rows.end; row++)
      if (rows.columns.seen[row] !== this.#load && rows.isAlive(row)) yield row;
  }

  /** Removes expired rows from a part of the table. */
  sweep(from: number, share: number, now: number): void {
    const { rows } = this;
    const end = Math.ceil((from + share) * rows.end);
    for (let row = Math.floor(from * rows.end); row < end; row++)
      if (rows.isAlive(row) && rows.endsAt(row) <= now) this.remove(row);
  }

  /**
   * An entry as Redis holds it: its value, or its type in brackets for a key that is not a string.
   * @param toleranceMs an end that differs by less is taken for the same, and the row stays as it is
   */
  put(text: string, contents: Contents, endsAt: number, toleranceMs = 0): void {
    const block = canonicalBlock(text);
    const found = this.#find(text, block);
    if (found !== undefined && this.#isSame(found, contents, endsAt, toleranceMs)) {
      this.rows.columns.seen[found] = this.#load;
      return;
    }
    if (found !== undefined) this.#forget(found);
    const row = this.#add(text, block, contents, endsAt);
    if (!block || !this.#table.set(block, row)) this.#others.set(text, row);
    this.#announce(row);
  }

  delete(text: string): void {
    const row = this.#find(text, canonicalBlock(text));
    if (row !== undefined) this.remove(row);
  }

  remove(row: number): void {
    const block = this.rows.block(row);
    if (!block || !this.#table.delete(block)) this.#others.delete(this.address(row));
    this.#forget(row);
  }

  find(text: string): number | undefined {
    return this.#find(text, canonicalBlock(text));
  }

  /** Entries that cover all of the block, the most specific first, also those that are not enforced. */
  covering(block: Block, now: number): number[] {
    const found: number[] = [];
    this.#table.match(block, (row) => {
      found.push(row);
      return false;
    });
    const widest = Math.min(block.length, widestEntry[block.family] - 1);
    for (const wide of coverings(block, anyWidth).slice(block.length - widest)) {
      const row = this.#others.get(wide);
      if (row !== undefined) found.push(row);
    }
    return found.filter((row) => this.rows.endsAt(row) > now);
  }

  /** The most specific entry in force that covers the block. */
  inForce(block: Block, now: number): number | undefined {
    return this.#table.match(block, (row) => this.rows.endsAt(row) > now && this.isEnforced(row))?.value;
  }

  /** Do nodes enforce it, until it expires? */
  isEnforced(row: number): boolean {
    return (this.rows.flags(row) & unenforcedFlags) === 0;
  }

  isHeld(row: number, now: number): boolean {
    return this.rows.isAlive(row) && this.rows.endsAt(row) > now;
  }

  /** As it is spelled in Redis, without the list's prefix. Empty for a removed row that was not an address. */
  address(row: number): string {
    const block = this.rows.block(row);
    return block ? format(block) : (this.#spellings.get(row) ?? "");
  }

  note(row: number): Note {
    const { reason, by, via, at, tags } = this.rows.columns;
    const words = this.tagSets.at(tags[row] ?? noRow(row));
    const [byText, viaText] = [by, via].map((column) => this.texts.at(column[row] ?? noRow(row)));
    const ms = at[row] ?? noRow(row);
    return {
      reason: this.texts.at(reason[row] ?? noRow(row)) ?? "",
      ...(byText !== undefined && { by: byText }),
      ...(viaText !== undefined && { via: viaText }),
      ...(ms !== unknown && { at: new Date(ms).toISOString() }),
      ...(words !== undefined && { tags: words }),
    };
  }

  /** As it was put here. */
  contents(row: number): Contents {
    const kind = this.kind(row);
    return kind === "string" ? this.value(row) : [kind];
  }

  /** The type in Redis. */
  kind(row: number): string {
    return (this.rows.flags(row) & flag.isNoEntry) === 0 ? "string" : (this.#values.get(row) ?? noRow(row));
  }

  /** The value in Redis, at least its first 4096 bytes. */
  value(row: number): string {
    const kept = this.#values.get(row);
    if (kept !== undefined) return kept;
    const { reason, by = "", at = "", via = "", tags = [] } = this.note(row);
    const isForeign = (this.rows.flags(row) & flag.isForeign) !== 0;
    return isForeign ? reason : writeNote({ reason, by, at, via, tags });
  }

  /** Marks again which entries overlap a protected range, a slice of rows at a time. */
  guard(isGuarded: (block: Block) => boolean): Generator<void> {
    this.#isGuarded = isGuarded;
    return this.#guardAll();
  }

  *#guardAll(): Generator<void> {
    const { rows } = this;
    for (let row = 0; row < rows.end; row++) {
      if (row % 4_096 === 4_095) yield;
      const block = rows.isAlive(row) ? rows.block(row) : undefined;
      if (!block) continue;
      const others = rows.flags(row) & ~flag.isGuarded;
      rows.columns.flags[row] = others | (this.#isGuarded(block) ? flag.isGuarded : 0);
    }
    this.version++;
  }

  #add(text: string, block: Block | undefined, contents: Contents, endsAt: number): number {
    const read = readContents(contents);
    const guarded = block && this.#isGuarded(block) ? flag.isGuarded : 0;
    const row = this.rows.add(
      {
        block,
        flags: flagsOf(text, block, contents, read) | guarded,
        endsAt,
        at: read.at,
        reason: this.texts.take(read.reason),
        by: this.texts.take(read.by),
        via: this.texts.take(read.via),
        tags: this.tagSets.take(read.tags),
      },
      this.#load,
    );
    if (!block) this.#spellings.set(row, text);
    const value = typeof contents === "string" ? contents : (contents[0] ?? "");
    if (!read.isWhole && this.value(row) !== value) this.#values.set(row, value);
    return row;
  }

  #isSame(row: number, contents: Contents, endsAt: number, toleranceMs: number): boolean {
    const before = this.rows.endsAt(row);
    if (before !== endsAt && !(Math.abs(before - endsAt) < toleranceMs)) return false;
    const kind = this.kind(row);
    return typeof contents === "string"
      ? kind === "string" && this.value(row) === contents
      : kind === (contents[0] ?? "");
  }

  #find(text: string, block: Block | undefined): number | undefined {
    return (block && this.#table.get(block)) ?? this.#others.get(text);
  }

  #forget(row: number): void {
    this.rows.remove(row);
    this.#announce(row);
  }

  #announce(row: number): void {
    this.version++;
    for (const follower of this.followers) follower(row);
  }

  #recycle(row: number): void {
    const { reason, by, via, tags } = this.rows.columns;
    for (const column of [reason, by, via]) this.texts.drop(column[row] ?? noRow(row));
    this.tagSets.drop(tags[row] ?? noRow(row));
    this.#spellings.delete(row);
    this.#values.delete(row);
  }
}

/** The block of an address exactly as Sluice writes it. */
function canonicalBlock(text: string): Block | undefined {
  const block = readBlock(text);
  return block && format(block) === text ? block : undefined;
}
