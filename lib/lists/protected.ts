import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import { loopback, rangeList } from "../ip/range-list.ts";

/** A range that nobody may block, and what to call it in a message. */
export interface ProtectedRange {
  readonly range: Ip | Cidr;
  readonly why: string;
}

interface Settings {
  readonly trustedProxies?: readonly (Ip | Cidr)[];
  readonly neverBlock?: readonly (Ip | Cidr)[];
}

/** Loopback, and what the environment names. */
export function protectedRanges({
  trustedProxies = [],
  neverBlock = [],
}: Settings): readonly ProtectedRange[] {
  const named = (why: string) => (range: Ip | Cidr) => ({ range, why });
  return [
    ...loopback.ranges.map(named("loopback")),
    ...trustedProxies.map(named("a trusted proxy")),
    ...neverBlock.map(named("a never-block range of SLUICE_NEVER_BLOCK")),
  ];
}

/** A search among protected ranges for one that shares an address with what is asked for. */
export function protector(ranges: readonly ProtectedRange[]) {
  const list = rangeList(ranges.map(({ range }) => range));
  return (address: Ip | Cidr): ProtectedRange | undefined => {
    const found = list.overlapping(blockOf(address));
    return ranges.find(({ range }) => range === found);
  };
}
