import { type Block, covers } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import type { ListTable } from "./list-table.ts";
import type { Compare } from "./order.ts";
import { flag, noRow } from "./rows.ts";

/** The columns of a list's own by which it can be sorted. */
export type Column = "address" | "reason" | "by" | "at" | "expires";
/** Hits are counted elsewhere, for the busiest entries alone. */
export type Sort = Column | "hits";

/** Rows of a table in the order of a column; equal rows go by address. */
export function comparison(table: ListTable, sort: Column): Compare {
  const { rows, texts } = table;
  const byAddress: Compare = (x, y) => compareAddresses(table, x, y);
  const byNumber = (column: "at" | "endsAt"): Compare => {
    return (x, y) => {
      const left = rows.columns[column][x] ?? noRow(x);
      const right = rows.columns[column][y] ?? noRow(y);
      if (left === right) return byAddress(x, y);
      return left < right ? -1 : 1;
    };
  };
  const byText = (column: "reason" | "by"): Compare => {
    return (x, y) => {
      const p = rows.columns[column][x] ?? noRow(x);
      const q = rows.columns[column][y] ?? noRow(y);
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

/** IPv4 before IPv6, each by number; then texts that are not addresses. */
function compareAddresses(table: ListTable, x: number, y: number): number {
  if (x === y) return 0;
  const { rows } = table;
  const kinds = flag.isV6 | flag.isStray;
  const left = rows.flags(x) & kinds;
  const right = rows.flags(y) & kinds;
  // The flag of a text that is not an address is the higher one.
  if (left !== right) return left - right;
  if ((left & flag.isStray) !== 0) return table.address(x) < table.address(y) ? -1 : 1;
  const { a, b, c, d, length } = rows.columns;
  return (
    compareWords(a[x], a[y]) ||
    compareWords(b[x], b[y]) ||
    compareWords(c[x], c[y]) ||
    compareWords(d[x], d[y]) ||
    (length[x] ?? noRow(x)) - (length[y] ?? noRow(y))
  );
}

function compareWords(x = 0, y = 0): number {
  return (x >>> 0) - (y >>> 0);
}

/** Does a row come before or at the place of this text in the order of addresses? */
export function isUpTo(table: ListTable, text: string): (row: number) => boolean {
  const { rows } = table;
  const block = readBlock(text);
  if (!block) return (row) => rows.block(row) !== undefined || table.address(row) <= text;
  return (row) => {
    const other = rows.block(row);
    return other !== undefined && compareBlocks(other, block) <= 0;
  };
}

/** Does a row come before everything inside of the range, or before its end? */
export function isBefore(table: ListTable, range: Block, edge: "inside" | "end"): (row: number) => boolean {
  return (row) => {
    const block = table.rows.block(row);
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
