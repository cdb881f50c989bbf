import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { EntriesAround } from "../../manage/lists/preview.ts";
import type { ListName } from "../../redis/keys.ts";
import type { ListTable } from "./list-table.ts";

/** What a preview reads about the entries around an address. */
export function entriesAround(
  tables: Readonly<Record<ListName, ListTable>>,
  counters: Readonly<Record<ListName, (range: Ip | Cidr) => number>>,
  now: () => number,
  ofDay: (ms: number) => number,
): EntriesAround {
  const endOf = (table: ListTable, row: number) => {
    const endsAt = table.rows.endsAt(row);
    return endsAt === Number.POSITIVE_INFINITY ? null : Math.round(ofDay(endsAt));
  };
  return {
    endOf(list, address) {
      const table = tables[list];
      const row = table.find(address);
      return row !== undefined && table.isHeld(row, now()) ? endOf(table, row) : undefined;
    },
    cover(list, address) {
      const table = tables[list];
      const longest = longestCover(table, address, now());
      return longest === undefined
        ? undefined
        : { address: table.address(longest), expiresAt: endOf(table, longest) };
    },
    deciding(list, address) {
      const table = tables[list];
      const row = table.inForce(blockOf(address), now());
      return row === undefined ? undefined : { address: table.address(row), reason: table.note(row).reason };
    },
    inside: (list, range) => counters[list](range),
  };
}

function longestCover(table: ListTable, address: Ip | Cidr, now: number): number | undefined {
  const covers = table
    .covering(blockOf(address), now)
    .filter((row) => table.isEnforced(row) && table.address(row) !== address)
    .sort((x, y) => table.rows.endsAt(y) - table.rows.endsAt(x));
  return covers[0];
}
