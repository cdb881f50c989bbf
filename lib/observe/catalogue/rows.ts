import { type Note, readNote, readUsualNote, type SignedNote } from "../../enforce/lists/entry.ts";
import { type Block, isWhole, widestEntry } from "../../ip/block.ts";
import type { Contents } from "../../redis/copy.ts";

/** What is known of a row at a glance, as bits. */
export const flag = {
  isAlive: 1,
  isV6: 2,
  isRange: 4,
  /** Its text is not an address as Sluice writes it. */
  isStray: 8,
  isTooWide: 16,
  /** Not a string in Redis. */
  isNoEntry: 32,
  /** Not written by Sluice: its author, time and source are missing. */
  isForeign: 64,
  /** It overlaps a protected range. The only flag that changes while the row lives. */
  isGuarded: 128,
} as const;

/** Why nodes do not enforce an entry. */
export const unenforcedFlags = flag.isStray | flag.isTooWide | flag.isNoEntry | flag.isGuarded;

/** Why an entry should be checked. */
export const oddFlags = unenforcedFlags | flag.isForeign;

/** One entry as a row of columns. Texts are numbers of `Texts`. */
export interface EntryRow {
  readonly block: Block | undefined;
  readonly flags: number;
  /** Ms on the process' monotonic clock; Infinity for never. */
  readonly endsAt: number;
  /** Ms; -Infinity when unknown. */
  readonly at: number;
  readonly reason: number;
  readonly by: number;
  readonly via: number;
  /** A number of `TagSets`. */
  readonly tags: number;
}

const columnsOf = (capacity: number) => ({
  a: new Int32Array(capacity),
  b: new Int32Array(capacity),
  c: new Int32Array(capacity),
  d: new Int32Array(capacity),
  length: new Uint8Array(capacity),
  flags: new Uint8Array(capacity),
  endsAt: new Float64Array(capacity),
  at: new Float64Array(capacity),
  reason: new Uint32Array(capacity),
  by: new Uint32Array(capacity),
  via: new Uint32Array(capacity),
  tags: new Uint32Array(capacity),
  /** The load that saw the row last. */
  seen: new Uint32Array(capacity),
});

export type Columns = ReturnType<typeof columnsOf>;

/** For a cell that the caller knows to exist. Written in place: a million cells are read at once, and `at` is far slower. */
export function noRow(row: number): never {
  throw new RangeError(`No row ${row}.`);
}

/**
 * Entries in columns, because a million objects would weigh three times as much. A row is written once and never changed
 * until it is removed; while `hold` is in force, removed rows stay readable, so that a sort in pieces stays right.
 */
export class EntryRows {
  columns: Columns = columnsOf(1_024);
  /** Rows from here on were never used. */
  end = 0;
  size = 0;
  readonly #free: number[] = [];
  readonly #removed: number[] = [];
  readonly #recycle: (row: number) => void;
  #holds = 0;

  /** @param recycle called with each removed row before its place is reused */
  constructor(recycle: (row: number) => void) {
    this.#recycle = recycle;
  }

  add({ block, flags, endsAt, at, reason, by, via, tags }: EntryRow, seen: number): number {
    const row = this.#free.pop() ?? this.end++;
    if (row >= this.columns.flags.length) this.#grow();
    const { columns } = this;
    columns.a[row] = block?.a ?? 0;
    columns.b[row] = block?.b ?? 0;
    columns.c[row] = block?.c ?? 0;
    columns.d[row] = block?.d ?? 0;
    columns.length[row] = block?.length ?? 0;
    columns.flags[row] = flags | flag.isAlive;
    columns.endsAt[row] = endsAt;
    columns.at[row] = at;
    columns.reason[row] = reason;
    columns.by[row] = by;
    columns.via[row] = via;
    columns.tags[row] = tags;
    columns.seen[row] = seen;
    this.size++;
    return row;
  }

  remove(row: number): void {
    this.columns.flags[row] = this.flags(row) & ~flag.isAlive;
    this.size--;
    if (this.#holds > 0) this.#removed.push(row);
    else this.#release(row);
  }

  /** Keeps removed rows readable until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    return () => {
      if (--this.#holds > 0) return;
      for (const row of this.#removed.splice(0)) this.#release(row);
    };
  }

  flags(row: number): number {
    return this.columns.flags[row] ?? noRow(row);
  }

  isAlive(row: number): boolean {
    return (this.flags(row) & flag.isAlive) !== 0;
  }

  endsAt(row: number): number {
    return this.columns.endsAt[row] ?? noRow(row);
  }

  /** Undefined for a row whose text is not an address. */
  block(row: number): Block | undefined {
    return (this.flags(row) & flag.isStray) === 0 ? this.blockAt(row) : undefined;
  }

  /** @param row one whose text is an address */
  blockAt(row: number): Block {
    const { a, b, c, d, length } = this.columns;
    return {
      family: (this.flags(row) & flag.isV6) === 0 ? 4 : 6,
      a: a[row] ?? noRow(row),
      b: b[row] ?? noRow(row),
      c: c[row] ?? noRow(row),
      d: d[row] ?? noRow(row),
      length: length[row] ?? noRow(row),
    };
  }

  #release(row: number): void {
    this.#recycle(row);
    this.#free.push(row);
  }

  #grow(): void {
    const roomier = columnsOf(Math.ceil(this.columns.flags.length * 1.5));
    const { columns } = this;
    roomier.a.set(columns.a);
    roomier.b.set(columns.b);
    roomier.c.set(columns.c);
    roomier.d.set(columns.d);
    roomier.length.set(columns.length);
    roomier.flags.set(columns.flags);
    roomier.endsAt.set(columns.endsAt);
    roomier.at.set(columns.at);
    roomier.reason.set(columns.reason);
    roomier.by.set(columns.by);
    roomier.via.set(columns.via);
    roomier.tags.set(columns.tags);
    roomier.seen.set(columns.seen);
    this.columns = roomier;
  }
}

/** An unknown moment: before all others. */
export const unknown = Number.NEGATIVE_INFINITY;
/** The longest part of a foreign text that is shown and searched. */
const longestText = 500;

interface EntryContents {
  readonly reason: string;
  readonly by: string | undefined;
  readonly via: string | undefined;
  readonly tags: readonly string[];
  /** Ms, or `unknown`. */
  readonly at: number;
  /** Whether these are certainly all of the value. */
  readonly isWhole: boolean;
}

/** Reads the value of an entry's key, as far as columns hold it. A million are read: each makes one object. */
export function readContents(contents: Contents): EntryContents {
  const usual = typeof contents === "string" ? readUsualNote(contents) : undefined;
  const note = usual ?? (typeof contents === "string" ? readNote(contents) : nothing);
  const at = momentOf(note.at);
  return {
    reason: cut(note.reason),
    by: note.by === undefined ? undefined : cut(note.by),
    via: note.via === undefined ? undefined : cut(note.via),
    tags: note.tags ?? noTags,
    at,
    isWhole: usual !== undefined && isHeldBy(usual, at),
  };
}

const nothing: Note = { reason: "" };
const noTags: readonly string[] = [];

export function flagsOf(
  text: string,
  block: Block | undefined,
  contents: Contents,
  { by, via, at }: EntryContents,
): number {
  const isSigned = by !== undefined && via !== undefined && at !== unknown;
  const isRange = block ? !isWhole(block) : text.includes("/");
  const isTooWide = block !== undefined && block.length < widestEntry[block.family];
  return (
    (block?.family === 6 ? flag.isV6 : 0) |
    (isRange ? flag.isRange : 0) |
    (block ? 0 : flag.isStray) |
    (isTooWide ? flag.isTooWide : 0) |
    (typeof contents === "string" ? 0 : flag.isNoEntry) |
    (isSigned ? 0 : flag.isForeign)
  );
}

function momentOf(at: string | undefined): number {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? unknown : ms;
}

/** Of a day that no calendar has, another one would be made. */
function isHeldBy({ reason, by, at, via }: SignedNote, ms: number): boolean {
  const isShort = reason.length <= longestText && by.length <= longestText && via.length <= longestText;
  const isOfAnyMonth = at.slice(8, 10) <= "28" && at.slice(11, 13) < "24";
  return isShort && ms !== unknown && (isOfAnyMonth || at === new Date(ms).toISOString());
}

function cut(text: string): string {
  return text.length <= longestText ? text : text.slice(0, longestText);
}
