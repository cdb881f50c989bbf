import { type Block, isWhole, maskOf } from "../../ip/block.ts";
import { blockOf, parseAddress } from "../../ip/parse.ts";
import { type PrefixTest, prefixTest } from "./address-prefix.ts";
import { flag } from "./rows.ts";
import type { Shelf } from "./shelf.ts";

/** What a search has found: everything, some rows, or what has to do with an address. */
export interface Found {
  /** 1 for each row that was found; all of them when there is none. */
  readonly marks?: Uint8Array;
  /** Entries that cover the address that was asked for, the most specific first. They are not marked. */
  readonly covering?: readonly number[];
}

/** For a row that has no block; none is asked for it. */
const nowhere: Block = { family: 4, a: 0, b: 0, c: 0, d: 0, length: 0 };

/** An address finds what covers it, a range also what is inside; other text a part of what entries say. */
export function find(shelf: Shelf, text: string, now: number): Found {
  const asked = text.trim().toLowerCase();
  if (asked === "") return {};
  const parsed = parseAddress(asked);
  return parsed.ok ? findAround(shelf, blockOf(parsed.value), now) : { marks: markText(shelf, asked) };
}

function findAround(shelf: Shelf, block: Block, now: number): Found {
  const covering = shelf.covering(block, now);
  return { covering, marks: isWhole(block) ? new Uint8Array(shelf.rows.end) : markInside(shelf, block) };
}

function markInside(shelf: Shelf, range: Block): Uint8Array {
  const { a, b, c, d, length, flags } = shelf.rows.columns;
  const marks = new Uint8Array(shelf.rows.end);
  const kind = range.family === 6 ? flag.isV6 : 0;
  const [maskA, maskB, maskC, maskD] = [0, 1, 2, 3].map((word) => maskOf(range.length, word));
  const isInside = (row: number) =>
    ((flags[row] ?? 0) & (flag.isV6 | flag.isStray)) === kind &&
    (length[row] ?? 0) > range.length &&
    (((a[row] ?? 0) ^ range.a) & (maskA ?? 0)) === 0 &&
    (((b[row] ?? 0) ^ range.b) & (maskB ?? 0)) === 0 &&
    (((c[row] ?? 0) ^ range.c) & (maskC ?? 0)) === 0 &&
    (((d[row] ?? 0) ^ range.d) & (maskD ?? 0)) === 0;
  for (let row = 0; row < marks.length; row++) if (isInside(row)) marks[row] = 1;
  return marks;
}

function markText(shelf: Shelf, part: string): Uint8Array {
  const { rows, texts } = shelf;
  const { reason, by, via } = rows.columns;
  const says = texts.containing(part);
  const begins = prefixTest(part);
  const marks = new Uint8Array(rows.end);
  for (let row = 0; row < marks.length; row++) {
    const isSaid = says[reason[row] ?? 0] === 1 || says[by[row] ?? 0] === 1 || says[via[row] ?? 0] === 1;
    if (isSaid || hasAddress(shelf, row, part, begins)) marks[row] = 1;
  }
  return marks;
}

function hasAddress(shelf: Shelf, row: number, part: string, { v4, v6 }: PrefixTest): boolean {
  const { rows } = shelf;
  const flags = rows.flags(row);
  if ((flags & flag.isStray) !== 0) return shelf.address(row).toLowerCase().includes(part);
  const block = () => rows.block(row) ?? nowhere;
  if ((flags & flag.isV6) === 0) return v4?.(rows.columns.a[row] ?? 0, block) === true;
  return v6?.(block()) === true;
}
