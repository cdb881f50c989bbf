import { z } from "zod";
import { at } from "../../at.ts";
import { scanners } from "../../enforce/policy/edge-rules.ts";
import { countedAs } from "../../enforce/stats/fields.ts";
import { readBlock } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";

const seen = z.object({
  ip: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  userAgent: z.string(),
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled", "shadow"]),
  rule: z.string(),
  customerId: z.string(),
  standsFor: z.number(),
  app: z.string(),
  node: z.string(),
});

/** A request that a node has kept, and when it was reported. */
export type FeedItem = z.output<typeof seen> & { readonly id: string; readonly at: number };

/** Requests that nodes kept recently, newest first. @param after the newest id that the caller knows */
export async function readFeed(
  redis: Connection,
  { most, after }: { readonly most: number; readonly after?: string | undefined },
): Promise<FeedItem[]> {
  const entries = await redis.xrevrange(
    keys.feed(),
    "+",
    after === undefined ? "-" : `(${after}`,
    "COUNT",
    most,
  );
  const items: FeedItem[] = [];
  const breathe = breathing();
  for (const [id, fields] of entries) {
    await breathe();
    const parsed = seen.safeParse(readJson(at(fields, 1)));
    if (parsed.success) items.push({ ...parsed.data, id, at: Number(id.split("-", 1)[0]) });
  }
  return items;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface CustomerAddress {
  readonly ip: string;
  /** As nodes count it: IPv6 by its network. */
  readonly countedAs: string;
  readonly lastAt: number;
}

/** One customer's requests, of those that nodes kept recently. */
export interface CustomerTraffic {
  /** Its addresses, latest first. */
  readonly addresses: readonly CustomerAddress[];
  /** Requests that were denied, or would have been by a rule in shadow, latest first. */
  readonly denials: readonly FeedItem[];
}

/** @param items of all customers, newest first */
export function trafficOf(
  items: readonly FeedItem[],
  { customer, mostAddresses, mostDenials }: { customer: string; mostAddresses: number; mostDenials: number },
): CustomerTraffic {
  const own = items.filter(({ customerId }) => customerId === customer);
  const addresses = new Map<string, CustomerAddress>();
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

/** HTTP clients of scripts, good ones too: the client is no browser. */
const scriptClients: readonly (readonly [mark: string, name: string])[] = [
  ["python-requests", "python-requests"],
  ["python-urllib", "urllib"],
  ["python-httpx", "python-httpx"],
  ["aiohttp", "aiohttp"],
  ["go-http-client", "Go"],
  ["libwww-perl", "libwww-perl"],
  ["curl/", "curl"],
  ["wget/", "Wget"],
];

const marks = [...scanners, ...scriptClients];

/**
 * The tool that a user agent names; undefined for browsers, and for crawlers, feed readers and monitors, which name their
 * owner. Some tools, such as wrk, send no user agent at all.
 *
 * @param others words by which the policy knows further ones
 */
export function toolOf(userAgent: string, others: readonly string[] = []): string | undefined {
  if (userAgent === "") return "no user agent";
  const text = userAgent.toLowerCase();
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? others.find((word) => text.includes(word));
}
