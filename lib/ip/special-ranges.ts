import { type Block, covers } from "./block.ts";
import { blockOf, isCanonical } from "./parse.ts";

/**
 * Ranges that no network of the internet has, or that embed another address, by the IANA registries of special-purpose addresses
 * (RFC 6890 and its updates) and of multicast. A narrower range is before the one around it.
 */
const special: readonly (readonly [range: string, is: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private range"],
  ["100.64.0.0/10", "carrier NAT"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private range"],
  // PCP and TURN anycast are global.
  ["192.0.0.9", "anycast of a protocol"],
  ["192.0.0.10", "anycast of a protocol"],
  ["192.0.0.0/24", "protocol assignment"],
  ["192.0.2.0/24", "documentation range"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private range"],
  ["198.18.0.0/15", "benchmark range"],
  ["198.51.100.0/24", "documentation range"],
  ["203.0.113.0/24", "documentation range"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["240.0.0.0/4", "reserved range"],
  ["::", "unspecified address"],
  ["::1", "loopback"],
  ["::/96", "IPv4-compatible address"],
  ["::ffff:0:0:0/96", "translated IPv4 address"],
  ["64:ff9b::/96", "NAT64"],
  ["64:ff9b:1::/48", "local NAT64"],
  ["100::/64", "discard-only range"],
  ["2001::/32", "Teredo"],
  ["2001:2::/48", "benchmark range"],
  ["2001:20::/28", "ORCHID"],
  ["2001:10::/28", "ORCHID"],
  ["2001:db8::/32", "documentation range"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation range"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "private range"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
];

const ranges = special.map(([range, is]) => {
  if (!isCanonical(range)) throw new TypeError(`${range} is not in canonical form`);
  return { block: blockOf(range), is };
});

/** What a special range is that covers the whole block. Undefined: it is an ordinary part of the internet. */
export function specialRange(block: Block): string | undefined {
  return ranges.find((range) => covers(range.block, block))?.is;
}
