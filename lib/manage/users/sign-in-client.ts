import { format, widened } from "../../ip/block.ts";
import { blockOf, type Ip, isCanonical } from "../../ip/parse.ts";
import { rangeList } from "../../ip/range-list.ts";

/** Loopback, private, carrier-grade NAT, link-local and unique local: the addresses of proxies in front of the console. */
const inside = rangeList(
  [
    ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"],
    ...["::1", "fc00::/7", "fe80::/10"],
  ].filter(isCanonical),
);

/** The client that is counted: IPv6 hands out whole /64s. Without an address, all are one: a setting to be corrected. */
export function signInClient(address: Ip | undefined): string {
  if (address === undefined) return "unknown";
  const block = blockOf(address);
  return block.family === 6 ? format(widened(block, 64)) : address;
}

/** The network that a tunnel or a site gets as a whole; undefined for IPv4. */
export function signInNetwork(address: Ip | undefined): string | undefined {
  if (address === undefined || isInside(address)) return undefined;
  const block = blockOf(address);
  return block.family === 6 ? format(widened(block, 48)) : undefined;
}

/** Whether many people may share this address: it is unknown, or of a proxy that the settings do not name. */
export function isShared(address: Ip | undefined): boolean {
  return address === undefined || isInside(address);
}

/** Whether no client from the internet can have this address. */
export function isInside(address: Ip): boolean {
  return inside.covering(blockOf(address)) !== undefined;
}
