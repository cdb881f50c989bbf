import { madeOnce } from "../../at.ts";
import { countedAs, networkLength } from "../../enforce/stats/fields.ts";
import { covers, isWhole } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress, readBlock } from "../../ip/parse.ts";
import type { ClientCounts } from "../../observe/stats/client-counts.ts";
import { clientsWithEvidence, readEvidence } from "../../observe/stats/evidence.ts";
import { type FeedItem, queryFeed, readEarlierFeed } from "../../observe/stats/feed.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CountedSamples } from "./sample-weights.ts";

/** Addresses of a range whose samples are read. */
const mostInRange = 50;
/** Samples of a client without evidence: those of all clients are read for it. */
const mostInFeed = 100;

/** What nodes kept in the last 24 hours of an address, or of the addresses of a range, the newest first. */
export async function clientSamples(
  redis: Connection,
  address: Ip | Cidr,
  nowMs: number,
): Promise<FeedItem[]> {
  const counted = countedAs(blockOf(address));
  const clients = isOneClient(address) ? [counted] : await clientsWithEvidence(redis, address, mostInRange);
  const isOfIt = ({ ip }: FeedItem) => isInside(address, ip);
  const [evidence, earlier] = await Promise.all([
    readEvidence(redis, { kind: "ip", clients, nowMs }),
    readEarlierFeed(redis, isOfIt),
  ]);
  const kept = evidence.flatMap(({ denied, passed }) => [...denied, ...passed]).filter(isOfIt);
  const found = [...kept, ...earlier];
  if (found.length === 0 && isWhole(blockOf(address)))
    found.push(...(await queryFeed(redis, { most: mostInFeed, ip: address })).items);
  return found.sort((a, b) => b.at - a.at);
}

/** Clients of a range with samples of the last 24 hours, the latest first. */
export async function seenWithin(redis: Connection, range: Ip | Cidr, nowMs: number) {
  const clients = await clientsWithEvidence(redis, range, mostInRange);
  const found = await readEvidence(redis, { kind: "ip", clients, nowMs, most: 1 });
  return clients
    .flatMap((client, i) => {
      const times = [...(found[i]?.denied ?? []), ...(found[i]?.passed ?? [])].map(({ at }) => at);
      return times.length > 0 ? [{ client, lastAt: Math.max(...times) }] : [];
    })
    .sort((a, b) => b.lastAt - a.lastAt);
}

/** Minutes of a range whose counts are read: those of its newest samples. */
const mostCounted = 240;

interface SamplesOfClient extends CountedSamples {
  readonly address: Ip | Cidr;
}

/** Requests are counted by address: those of a range for each of its addresses with samples. */
export async function countedSamples(
  { clients }: { readonly clients: Pick<ClientCounts, "ofMany"> },
  { address, seen, minutes }: SamplesOfClient,
): Promise<CountedSamples[]> {
  if (isOneClient(address)) return [{ seen, minutes }];
  const byClient = new Map<string, FeedItem[]>();
  for (const item of seen) {
    const ip = readBlock(item.ip);
    if (ip) madeOnce(byClient, countedAs(ip), (): FeedItem[] => []).push(item);
  }
  const sampled = [...new Set(seen.map((item) => Math.floor(item.at / 60_000)))].slice(0, mostCounted);
  // Counts that cannot be read are unknown.
  const counts = await clients.ofMany([...byClient.keys()], sampled).catch(() => []);
  return [...byClient.values()].map((items, i) => ({ seen: items, minutes: counts[i] ?? [] }));
}

function isOneClient(address: Ip | Cidr): boolean {
  return isWhole(blockOf(address)) || countedAs(blockOf(address)) !== address || isNetwork(address);
}

/** Counted as one client. */
const isNetwork = (address: Ip | Cidr) => {
  const { family, length } = blockOf(address);
  return family === 6 && length === networkLength;
};

function isInside(range: Ip | Cidr, text: string): boolean {
  const parsed = parseAddress(text);
  return parsed.ok && covers(blockOf(range), blockOf(parsed.value));
}
