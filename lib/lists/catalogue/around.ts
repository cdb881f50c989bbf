import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Around } from "../preview.ts";
import type { Shelf } from "./shelf.ts";

/** What a preview wants to know of the places around. */
export function aroundOf(
  shelves: Readonly<Record<ListName, Shelf>>,
  counters: Readonly<Record<ListName, (range: Ip | Cidr) => number>>,
  now: () => number,
  ofDay: (ms: number) => number,
): Around {
  const endOf = (shelf: Shelf, row: number) => {
    const endsAt = shelf.rows.endsAt(row);
    return endsAt === Number.POSITIVE_INFINITY ? null : Math.round(ofDay(endsAt));
  };
  return {
    endOf(list, address) {
      const shelf = shelves[list];
      const row = shelf.find(address);
      return row !== undefined && shelf.isHeld(row, now()) ? endOf(shelf, row) : undefined;
    },
    cover(list, address) {
      const shelf = shelves[list];
      const longest = longestCover(shelf, address, now());
      return longest === undefined
        ? undefined
        : { address: shelf.address(longest), expiresAt: endOf(shelf, longest) };
    },
    inside: (list, range) => counters[list](range),
  };
}

function longestCover(shelf: Shelf, address: Ip | Cidr, now: number): number | undefined {
  const covers = shelf
    .covering(blockOf(address), now)
    .filter((row) => shelf.isObeyed(row) && shelf.address(row) !== address)
    .sort((x, y) => shelf.rows.endsAt(y) - shelf.rows.endsAt(x));
  return covers[0];
}
