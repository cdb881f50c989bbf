import { type Block, coverings, format, masked, widestEntry } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { keys, type ListName } from "../../redis/keys.ts";

type AddressText = Ip | Cidr;

/** Each address and every range that covers it and may be an entry, the most specific first. */
export type CoveringRanges = ReadonlyMap<AddressText, readonly AddressText[]>;

/** The most costly part of a long list. Neighbours share most of their covering ranges, so those of IPv4 are made once. */
export function coveringRangesOf(addresses: readonly AddressText[]): CoveringRanges {
  const ofRanges = new Map<number, readonly AddressText[]>();
  return new Map(
    addresses.map((address) => {
      const block = blockOf(address);
      if (block.family === 6) return [address, coverings(block)];
      return [address, [address, ...rangesAround(block, ofRanges)]];
    }),
  );
}

function rangesAround(block: Block, made: Map<number, readonly AddressText[]>): readonly AddressText[] {
  if (block.length <= widestEntry[4]) return [];
  const range = masked(block, block.length - 1);
  const place = (range.a >>> 0) * 64 + range.length;
  const known = made.get(place);
  if (known) return known;
  const ranges = [format(range), ...rangesAround(range, made)];
  made.set(place, ranges);
  return ranges;
}

/** The keys of all entries that may cover the addresses. */
export function coveringKeys(around: CoveringRanges, lists: readonly ListName[]): string[] {
  const found = new Set<string>();
  for (const list of lists)
    for (const ranges of around.values())
      for (const range of ranges) {
        const key = keys.entry(list, range);
        // Wider ranges were added with it.
        if (found.has(key)) break;
        found.add(key);
      }
  return [...found];
}

/** The addresses of the keys that are entries of the list. */
export function addressesIn(found: ReadonlyMap<string, string>, list: ListName): ReadonlySet<string> {
  const prefix = keys.entryPrefix(list);
  return new Set(
    [...found.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
  );
}
