import { type Block, covers } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { flag } from "./rows.ts";
import type { Shelf } from "./shelf.ts";
import type { Compare } from "./sort-in-pieces.ts";

/** By what a list can be sorted. */
export type Sort = "address" | "reason" | "by" | "at" | "expires";

/** Rows of a shelf in the order of a column; what is equal there goes by address. */
export function comparison(shelf: Shelf, sort: Sort): Compare {
  const { rows, texts } = shelf;
  const byAddress: Compare = (x, y) => compareAddresses(shelf, x, y);
  const byNumber = (column: "at" | "endsAt"): Compare => {
    return (x, y) => {
      const left = rows.columns[column][x] ?? 0;
      const right = rows.columns[column][y] ?? 0;
      if (left === right) return byAddress(x, y);
      return left < right ? -1 : 1;
    };
  };
  const byText = (column: "reason" | "by"): Compare => {
    return (x, y) => {
      const p = rows.columns[column][x] ?? 0;
      const q = rows.columns[column][y] ?? 0;
      if (p === q) return byAddress(x, y);
      const left = texts.folded(p);
      const right = texts.folded(q);
      if (left === right) return byAddress(x, y);
      return left < right ? -1 : 1;
    };
  };
  return {
    address: byAddress,
    reason: byText("reason"),
    by: byText("by"),
    at: byNumber("at"),
    expires: byNumber("endsAt"),
  }[sort];
}

/** IPv4 before IPv6, each by number; then what is no address, by its text. */
function compareAddresses(shelf: Shelf, x: number, y: number): number {
  if (x === y) return 0;
  const { rows } = shelf;
  const kinds = flag.isV6 | flag.isStray;
  const left = rows.flags(x) & kinds;
  const right = rows.flags(y) & kinds;
  // The flag of what is no address is the higher one.
  if (left !== right) return left - right;
  if ((left & flag.isStray) !== 0) return shelf.address(x) < shelf.address(y) ? -1 : 1;
  const { a, b, c, d, length } = rows.columns;
  return (
    compareWords(a[x], a[y]) ||
    compareWords(b[x], b[y]) ||
    compareWords(c[x], c[y]) ||
    compareWords(d[x], d[y]) ||
    (length[x] ?? 0) - (length[y] ?? 0)
  );
}

function compareWords(x = 0, y = 0): number {
  return (x >>> 0) - (y >>> 0);
}

/** Does a row come before or at the place of this text in the order of addresses? */
export function isUpTo(shelf: Shelf, text: string): (row: number) => boolean {
  const { rows } = shelf;
  const block = readBlock(text);
  if (!block) return (row) => rows.block(row) !== undefined || shelf.address(row) <= text;
  return (row) => {
    const other = rows.block(row);
    return other !== undefined && compareBlocks(other, block) <= 0;
  };
}

/** Does a row come before everything inside of the range, or before its end? */
export function isBefore(shelf: Shelf, range: Block, edge: "inside" | "end"): (row: number) => boolean {
  return (row) => {
    const block = shelf.rows.block(row);
    if (!block) return false;
    if (edge === "end" && covers(range, block)) return true;
    return compareBlocks(block, range) <= 0;
  };
}

function compareBlocks(x: Block, y: Block): number {
  return (
    x.family - y.family ||
    compareWords(x.a, y.a) ||
    compareWords(x.b, y.b) ||
    compareWords(x.c, y.c) ||
    compareWords(x.d, y.d) ||
    x.length - y.length
  );
}
