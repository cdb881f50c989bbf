import { readBlock } from "../ip/parse.ts";
import { countedAs } from "./counted-as.ts";
import type { FeedItem } from "./feed.ts";

export interface SeenAddress {
  readonly ip: string;
  /** As nodes count it: IPv6 by its network. */
  readonly countedAs: string;
  readonly lastAt: number;
}

/** What nodes kept lately of one customer's requests. */
export interface CustomerSeen {
  /** Where it came from, latest first. */
  readonly addresses: readonly SeenAddress[];
  /** What of it was denied, or would be by a rule in shadow, latest first. */
  readonly denials: readonly FeedItem[];
}

/** @param items of all customers, newest first */
export function seenOf(
  items: readonly FeedItem[],
  { customer, mostAddresses, mostDenials }: { customer: string; mostAddresses: number; mostDenials: number },
): CustomerSeen {
  const own = items.filter(({ customerId }) => customerId === customer);
  const addresses = new Map<string, SeenAddress>();
  for (const { ip, at } of own)
    if (!addresses.has(ip)) addresses.set(ip, { ip, countedAs: nameOf(ip), lastAt: at });
  return {
    addresses: [...addresses.values()].slice(0, mostAddresses),
    denials: own.filter(({ outcome }) => denied.has(outcome)).slice(0, mostDenials),
  };
}

const denied: ReadonlySet<FeedItem["outcome"]> = new Set(["throttled", "blocked", "shadow"]);

function nameOf(ip: string): string {
  const block = readBlock(ip);
  return block ? countedAs(block) : ip;
}
