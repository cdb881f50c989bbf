import { at, madeOnce } from "../../at.ts";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { askLists } from "../../enforce/lists/lookup.ts";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { countsAddresses } from "../../enforce/policy/client.ts";
import { withLimits } from "../../enforce/policy/code-limits.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { calendarIn } from "../../enforce/policy/words.ts";
import { countedAs, fields, ruleNames } from "../../enforce/stats/fields.ts";
import { environment } from "../../env.ts";
import { blockOf, type Cidr, type Ip, parseAddress, readBlock } from "../../ip/parse.ts";
import { rangeList } from "../../ip/range-list.ts";
import { readAddressesOf, readOwners } from "../../observe/customers/owners.ts";
import type { TopClient } from "../../observe/stats/client-counts.ts";
import { readHighestCounters } from "../../observe/stats/counter-scan.ts";
import { readEvidence } from "../../observe/stats/evidence.ts";
import { type FeedItem, readEarlierFeed, toolOf } from "../../observe/stats/feed.ts";
import {
  type ClientReading,
  type RankedClient,
  rankClients,
  readClientReadings,
  splitByOwner,
} from "../../observe/stats/offenders.ts";
import { sumOf } from "../../observe/stats/series.ts";
import {
  mostDenied,
  type Offender,
  type OffenderReading,
  type OffendersReply,
} from "../../queries/offenders.ts";
import { type ListName, listNames } from "../../redis/keys.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { readNetworks } from "../networks/network-reads.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { countersStatus } from "../status/latency.ts";

/** How many clients are looked at closely. */
const mostCandidates = 100;
/** Samples of a client, denials and others each, that may name its tool. */
const mostSamples = 4;
/** Paths of a client, and characters of each. */
const mostPaths = 4;
const longestPath = 120;
/** Youngest seconds, which nodes have not reported yet, in ms. */
const incompleteMs = 2_000;
const rateSeconds = 60;

/** The clients with most denials, and those nearest to a limit. */
export async function readOffenders(app: string | undefined, most: number): Promise<OffendersReply> {
  const { redis } = theConsole();
  const [asOf, areCountersUp] = await Promise.all([redisNowMs(), doCountersAnswer()]);
  const policy = await withLimits(redis, (await readPolicy(redis)).policy, asOf);
  const [hitters, highest, buckets] = await Promise.all([
    candidates(app, policy, asOf),
    app === undefined ? readHighestCounters(redis) : undefined,
    theStatistics().series.read(1, rateSeconds, asOf - incompleteMs),
  ]);
  const { known, foreign } = splitByOwner(highest?.counters ?? [], policy, asOf);
  const all = [...new Map([...known, ...hitters].map((one) => [JSON.stringify(one.name), one])).values()];
  const { readings, isComplete } = await readClientReadings(redis, theStatistics().scales, policy, all);
  const shown = rankClients(all, readings, foreign).slice(0, most).map(asClient(policy));
  const isCounted = isComplete && areCountersUp;
  const tell = await teller(shown, policy.edge.tools, asOf);
  const denials = [fields.outcome("throttled"), fields.outcome("blocked")];
  return {
    asOf,
    isCounted,
    clients: shown.map(tell),
    denied: Math.min(mostDenied, hitters.filter(({ lastMinute }) => lastMinute.denied > 0).length),
    deniedPerSecond: denials.reduce((sum, field) => sum + sumOf(buckets, field, app), 0) / rateSeconds,
    over: isCounted ? overLimit(readings) : null,
    foreignAgeMs: highest ? Math.max(0, asOf - highest.at) : null,
  };
}

/** Asked also when there is no client to read: without an answer, no count is known. */
async function doCountersAnswer(): Promise<boolean> {
  const { redisUrl: url, counters } = theConsole();
  const { countersRedisUrl: countersUrl = url } = environment();
  return (await countersStatus(counters, { url, countersUrl }, 0)).isUp;
}

/** Those who came most and those who were denied most, in this minute and the last. */
export async function candidates(
  app: string | undefined,
  policy: Policy,
  nowMs: number,
): Promise<TopClient[]> {
  const minute = Math.floor(nowMs / 60_000);
  const wanted = {
    app,
    minutes: [minute - 1, minute],
    most: mostCandidates,
    rules: ruleNames(policy),
    nowMs,
  };
  const { clients } = theStatistics();
  const [all, denied] = await Promise.all([
    clients.top({ ...wanted, by: "requests" }),
    clients.top({ ...wanted, by: "denied" }),
  ]);
  const byName = new Map([...denied, ...all].map((hitter) => [JSON.stringify(hitter.name), hitter]));
  return [...byName.values()].slice(0, 2 * mostCandidates);
}

function overLimit(readings: readonly ClientReading[]): number {
  const over = readings.filter(({ reading, step }) => reading.isOver && !step.isShadowed);
  return new Set(over.map(({ name }) => JSON.stringify(name))).size;
}

/** What nodes kept of these addresses in the last 24 hours: denials of each first. */
async function samplesOf(clients: readonly string[], nowMs: number): Promise<FeedItem[]> {
  const { redis } = theConsole();
  const [evidence, earlier] = await Promise.all([
    readEvidence(redis, { kind: "ip", clients, nowMs, most: mostSamples }),
    readEarlierFeed(redis, () => true),
  ]);
  return [...evidence.flatMap(({ denied, passed }) => [...denied, ...passed]), ...earlier];
}

interface ToolAndPaths {
  /** The newest one. */
  tool?: string;
  readonly paths: Set<string>;
}

/** Tool and paths of each address, and of each network that is counted together. */
function habitsOf(seen: readonly FeedItem[], words: readonly string[]): ReadonlyMap<string, ToolAndPaths> {
  const habits = new Map<string, ToolAndPaths>();
  for (const { ip, userAgent, path } of seen) {
    const block = readBlock(ip);
    if (!block) continue;
    const one = madeOnce<string, ToolAndPaths>(habits, countedAs(block), () => ({ paths: new Set() }));
    const tool = one.tool ?? toolOf(userAgent, words);
    if (tool !== undefined) one.tool = tool;
    if (one.paths.size < mostPaths) one.paths.add(path.slice(0, longestPath));
  }
  return habits;
}

/** A network that a rule counts is shown as a client of the lists, which can be blocked, once all clients are ranked. */
function asClient({ rules }: Pick<Policy, "rules">): (one: RankedClient) => RankedClient {
  const counting = new Set(rules.filter(({ client }) => countsAddresses(client)).map(({ name }) => name));
  return (one) => {
    const { name } = one;
    const isNetwork = name.kind === "rule" && counting.has(name.rule) && readBlock(name.client) !== undefined;
    return isNetwork ? { ...one, name: { kind: "ip", client: name.client } } : one;
  };
}

async function teller(shown: readonly RankedClient[], words: readonly string[], nowMs: number) {
  const addresses = shown.flatMap(({ name }) => (name.kind === "ip" ? [name.client] : []));
  const [samples, listed, networks, owners, blocked] = await Promise.all([
    samplesOf(addresses, nowMs),
    listedOf(addresses),
    networksOf(addresses),
    customersOf(addresses),
    blockedAddressesOf(shown.flatMap(({ name }) => (name.kind === "customer" ? [name.client] : []))),
  ]);
  const habits = habitsOf(samples, words);
  return ({ name, app, requests, denied, lastMinute, ...ranked }: RankedClient): Offender => {
    const { client, kind } = name;
    const { tool, paths = [] } = habits.get(client) ?? {};
    const entry = listed.get(client);
    const ofCustomer = kind === "customer" ? blocked.get(client) : undefined;
    return {
      ...{ kind, client, app, requests, denied },
      requestsPerSecond: lastMinute.requests / rateSeconds,
      deniedPerSecond: lastMinute.denied / rateSeconds,
      counter: ranked.counter ? replyOf(ranked.counter) : null,
      estimate: ranked.estimate ? replyOf(ranked.estimate) : null,
      standing: ranked.standing,
      clearsMs: ranked.clearsMs ?? null,
      ...(tool !== undefined && { tool }),
      paths: [...paths],
      network: (kind === "ip" && networks.get(client)) || null,
      customers: kind === "customer" ? [client] : kind === "ip" ? (owners.get(client) ?? null) : [],
      ...(entry && { listed: entry }),
      ...(ofCustomer && { blockedAddresses: ofCustomer }),
    };
  };
}

function replyOf({ step, reading }: ClientReading): OffenderReading {
  const { rule, algorithm, periodSeconds, isShadowed, limit } = step;
  const { used, resetMs, isOver } = reading;
  return {
    ...{ rule, algorithm, periodSeconds, ...calendarIn(step), isShadowed, used, resetMs, isOver },
    limit: Number.isFinite(limit) ? limit : null,
  };
}

async function networksOf(addresses: readonly string[]) {
  const { of } = await readNetworks(addresses);
  const known = of.filter(({ asn, country }) => asn !== null || country !== null);
  return new Map(known.map(({ address, asn, asName, country }) => [address, { asn, asName, country }]));
}

/** Customers by address. An address of which they are unknown has none here. */
async function customersOf(addresses: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const parsed = addresses.flatMap((text) => {
    const address = parseAddress(text);
    return address.ok ? [address.value] : [];
  });
  // Offenders are shown without their customers rather than not at all.
  const found = parsed.length > 0 && (await readOwners(theConsole().redis, parsed).catch(() => undefined));
  if (!found) return new Map();
  const known = found.of.filter(({ owners }) => owners.length > 0 || found.knownSince !== undefined);
  return new Map(known.map(({ address, owners }) => [address, owners.map(({ customer }) => customer)]));
}

/** Addresses of customers that are looked up in the lists, and those of one customer. */
const mostLookedUp = 128;
const mostOfCustomer = 8;

/** Customers by id, of which an address is blocked. Limits decide only what the lists let through. */
async function blockedAddressesOf(customers: readonly string[]) {
  const found = new Map<string, NonNullable<Offender["blockedAddresses"]>>();
  const ids = customers.flatMap((text) => {
    const id = parseCustomerId(text);
    return id.ok ? [id.value] : [];
  });
  if (ids.length === 0) return found;
  // Without their addresses, customers are shown by their limits.
  const owned = await readAddressesOf(theConsole().redis, ids).catch(() => []);
  const most = Math.min(mostOfCustomer, Math.floor(mostLookedUp / ids.length));
  const latest = owned.map(({ addresses }) => addresses.slice(0, most).map(({ address }) => address));
  const listed = await listedOf(latest.flat());
  for (const [i, { addresses }] of owned.entries()) {
    const entries = at(latest, i).flatMap((address) => {
      const entry = listed.get(address);
      return entry?.list === "blocklist" ? [entry] : [];
    });
    if (entries.length === 0) continue;
    const distinct = [...new Map(entries.map((entry) => [entry.address, entry])).values()];
    found.set(at(ids, i), { blocked: entries.length, total: addresses.length, entries: distinct });
  }
  return found;
}

/** The entries that cover these clients already. */
export async function listedOf(clients: readonly string[]) {
  const { redis, protectedRanges } = theConsole();
  const neverBlock = await readNeverBlock(redis);
  const ranges = rangeList([...protectedRanges, ...neverBlock].map(({ range }) => range));
  const found = await Promise.all(
    [...new Set(clients)].map(async (client) => {
      const parsed = parseAddress(client);
      if (!parsed.ok) return [];
      const block = blockOf(parsed.value);
      const lists = await askLists(redis, block, () => ranges);
      for (const list of listNames) {
        const address = lists.match(list, block);
        if (address) return [[client, listedAs(list, address)] as const];
      }
      return [];
    }),
  );
  return new Map(found.flat());
}

/** An entry with what the console's copy of the lists knows of it. */
function listedAs(list: ListName, address: Ip | Cidr): NonNullable<Offender["listed"]> {
  const entry = theCatalogue().entry(list, address);
  return {
    ...{ list, address, reason: entry?.reason ?? "" },
    ...(entry && { expiresAt: entry.expiresAt }),
  };
}
