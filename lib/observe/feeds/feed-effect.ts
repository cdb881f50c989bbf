import { isOfFeed } from "../../enforce/lists/entry.ts";
import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { ruleNames } from "../../enforce/stats/fields.ts";
import type { Block } from "../../ip/block.ts";
import type { PackedRanges } from "../../ip/packed-ranges.ts";
import { blockOf, type Cidr, type Ip, isCanonical, readBlock } from "../../ip/parse.ts";
import { readFeeds } from "../../manage/feeds/definition.ts";
import { contentsOf } from "../../manage/feeds/feed-contents.ts";
import type { Connection } from "../../redis/connect.ts";
import type { ListName } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { readOwners } from "../customers/owners.ts";
import { scanList } from "../lists/scan.ts";
import type { ClientCounts } from "../stats/client-counts.ts";

/** What overlaps ranges of a feed, and wins over them. */
export interface FeedOverlaps {
  /** The first entries of the safelist, and how many there are. */
  readonly safelisted: readonly (Ip | Cidr)[];
  readonly safelistedCount: number;
  readonly protected: readonly ProtectedRange[];
  /** The same of the blocklist, without keys of feeds. */
  readonly blocklisted: readonly (Ip | Cidr)[];
  readonly blocklistedCount: number;
  /** Other feeds, by the number of ranges that they share addresses with. */
  readonly feeds: readonly { readonly feed: string; readonly ranges: number }[];
}

/** Clients of the last hour that are in a feed. */
export interface FeedClients {
  readonly requests: number;
  readonly denied: number;
  readonly clients: number;
  readonly customers: readonly string[];
  readonly areCustomersKnown: boolean;
  readonly busiest: readonly FeedClient[];
}

interface FeedClient {
  readonly client: string;
  readonly requests: number;
  readonly denied: number;
  readonly customers: readonly string[];
}

const mostNamed = 20;
const minutes = 60;
/** Busiest clients of each minute and app. */
const mostClients = 1_000;
const mostOwned = 500;

interface OverlapTerms {
  readonly protectedRanges: readonly ProtectedRange[];
  /** The address of the person who asks. */
  readonly own?: Ip | undefined;
  /** The feed itself: it is not compared with what it has. */
  readonly id?: string | undefined;
}

export async function readFeedOverlaps(
  redis: Connection,
  ranges: PackedRanges,
  { protectedRanges, own, id }: OverlapTerms,
): Promise<FeedOverlaps> {
  const safelist = await overlapsOf(redis, "safelist", ranges);
  const blocklist = await overlapsOf(redis, "blocklist", ranges);
  const neverBlock = await readNeverBlock(redis);
  const all = [...(own ? [{ range: own, why: "your own address" }] : []), ...protectedRanges, ...neverBlock];
  const met = all.filter(({ range }) => ranges.overlapping(blockOf(range)));
  return {
    ...{ safelisted: safelist.first, safelistedCount: safelist.count },
    ...{ blocklisted: blocklist.first, blocklistedCount: blocklist.count },
    protected: met.slice(0, mostNamed),
    feeds: await overlapsOfFeeds(redis, ranges, id),
  };
}

async function overlapsOf(redis: Connection, list: ListName, ranges: PackedRanges) {
  const first: (Ip | Cidr)[] = [];
  let count = 0;
  for await (const { text, kind, value } of scanList(redis, list)) {
    if (kind !== "string" || isOfFeed(value)) continue;
    if (!isCanonical(text) || !ranges.overlapping(blockOf(text))) continue;
    if (count++ < mostNamed) first.push(text);
  }
  return { first, count };
}

/** Ranges that are compared before other work may run: below 5 ms. */
const comparedAtOnce = 5_000;

async function overlapsOfFeeds(redis: Connection, ranges: PackedRanges, own: string | undefined) {
  const found: { feed: string; ranges: number }[] = [];
  const breathe = breathing();
  for (const { id, contents } of await readFeeds(redis)) {
    const others = id === own ? undefined : await contentsOf(redis, id, contents?.digest);
    let count = 0;
    let compared = 0;
    for (const block of others ? ranges : []) {
      if (others?.overlapping(block)) count++;
      if (++compared % comparedAtOnce === 0) await breathe();
    }
    if (count > 0) found.push({ feed: id, ranges: count });
  }
  return found;
}

/** The busiest clients of the last hour, with their customers. */
export async function readFeedClients(
  { redis, clients: counts }: { readonly redis: Connection; readonly clients: Pick<ClientCounts, "top"> },
  ranges: PackedRanges,
  nowMs: number,
): Promise<FeedClients> {
  const minute = Math.floor(nowMs / 60_000);
  const rules = ruleNames({ rules: [] });
  const top = await counts.top({
    minutes: Array.from({ length: minutes }, (_, i) => minute - minutes + 1 + i),
    ...{ most: mostClients, by: "requests", rules },
  });
  const breathe = breathing();
  const met: { client: string; requests: number; denied: number; block: Block }[] = [];
  for (const { name, requests, denied } of top) {
    await breathe();
    const block = name.kind === "ip" ? readBlock(name.client) : undefined;
    if (block && ranges.overlapping(block)) met.push({ client: name.client, requests, denied, block });
  }
  const asked = met
    .map(({ client }) => client)
    .filter(isCanonical)
    .slice(0, mostOwned);
  const owners = asked.length > 0 ? await readOwners(redis, asked) : undefined;
  const customersOf = new Map<string, string[]>(
    owners?.of.map(({ address, owners }) => [address, owners.map(({ customer }) => customer)]),
  );
  const sum = (of: (one: (typeof met)[number]) => number) => met.reduce((total, one) => total + of(one), 0);
  return {
    ...{ requests: sum((one) => one.requests), denied: sum((one) => one.denied), clients: met.length },
    customers: [...new Set([...customersOf.values()].flat())],
    areCustomersKnown: (owners === undefined || owners.knownSince !== undefined) && met.length <= mostOwned,
    busiest: met.slice(0, mostNamed).map(({ client, requests, denied }) => {
      return { client, requests, denied, customers: customersOf.get(client) ?? [] };
    }),
  };
}
