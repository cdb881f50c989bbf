import { type Block, isWhole, maskOf } from "../../ip/block.ts";
import { blockOf, parseAddress } from "../../ip/parse.ts";
import { type PrefixTest, prefixTest } from "./address-prefix.ts";
import type { ListTable } from "./list-table.ts";
import { flag, noRow } from "./rows.ts";

/** The rows that a search matches: all, some, or those around an address. */
export interface RowMatches {
  /** 1 for each row that matches. Undefined when all rows match. */
  readonly marks?: Uint8Array;
  /** Entries that cover the searched address, the most specific first. They are not marked. */
  readonly covering?: readonly number[];
}

/** An address matches the entries that cover it, a range also those inside. Other text matches notes, tags and addresses. */
export function find(table: ListTable, text: string, now: number): RowMatches {
  const asked = text.trim().toLowerCase();
  if (asked === "") return {};
  const parsed = parseAddress(asked);
  return parsed.ok ? findAround(table, blockOf(parsed.value), now) : { marks: markText(table, asked) };
}

function findAround(table: ListTable, block: Block, now: number): RowMatches {
  const covering = table.covering(block, now);
  return { covering, marks: isWhole(block) ? new Uint8Array(table.rows.end) : markInside(table, block) };
}

function markInside(table: ListTable, range: Block): Uint8Array {
  const { rows } = table;
  const { a, b, c, d, length } = rows.columns;
  const marks = new Uint8Array(rows.end);
  const kind = range.family === 6 ? flag.isV6 : 0;
  const mask = (word: number) => maskOf(range.length, word);
  const [maskA, maskB, maskC, maskD] = [mask(0), mask(1), mask(2), mask(3)];
  const isInside = (row: number) =>
    (rows.flags(row) & (flag.isV6 | flag.isStray)) === kind &&
    (length[row] ?? noRow(row)) > range.length &&
    (((a[row] ?? noRow(row)) ^ range.a) & maskA) === 0 &&
    (((b[row] ?? noRow(row)) ^ range.b) & maskB) === 0 &&
    (((c[row] ?? noRow(row)) ^ range.c) & maskC) === 0 &&
    (((d[row] ?? noRow(row)) ^ range.d) & maskD) === 0;
  for (let row = 0; row < marks.length; row++) if (isInside(row)) marks[row] = 1;
  return marks;
}

function markText(table: ListTable, part: string): Uint8Array {
  const { rows, texts, tagSets } = table;
  const { reason, by, via, tags } = rows.columns;
  const says = texts.containing(part);
  const isTagged = tagSets.containing(part);
  const begins = prefixTest(part);
  const marks = new Uint8Array(rows.end);
  for (let row = 0; row < marks.length; row++) {
    const isSaid =
      says[reason[row] ?? noRow(row)] === 1 ||
      says[by[row] ?? noRow(row)] === 1 ||
      says[via[row] ?? noRow(row)] === 1 ||
      isTagged[tags[row] ?? noRow(row)] === 1;
    if (isSaid || hasAddress(table, row, part, begins)) marks[row] = 1;
  }
  return marks;
}

function hasAddress(table: ListTable, row: number, part: string, { v4, v6 }: PrefixTest): boolean {
  const { rows } = table;
  const flags = rows.flags(row);
  if ((flags & flag.isStray) !== 0) return table.address(row).toLowerCase().includes(part);
  if ((flags & flag.isV6) !== 0) return v6?.(rows.blockAt(row)) === true;
  return v4?.(rows.columns.a[row] ?? noRow(row), () => rows.blockAt(row)) === true;
}
