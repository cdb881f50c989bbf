import { z } from "zod";
import { at } from "../../at.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { fields, ruleNames } from "../../enforce/stats/fields.ts";
import { environment } from "../../env.ts";
import { type Cidr, type Ip, isCanonical, readBlock } from "../../ip/parse.ts";
import { readOwners } from "../../observe/customers/owners.ts";
import type { TopClient } from "../../observe/stats/client-counts.ts";
import { type LiveNode, listNodes } from "../../observe/stats/nodes.ts";
import { type Bucket, knownSeconds, sumOf } from "../../observe/stats/series.ts";
import { type DeniedClient, type SituationFacts, situationOf } from "../../observe/stats/situation.ts";
import { readUsual } from "../../observe/stats/usual.ts";
import type { SituationReply } from "../../queries/situation.ts";
import { theConsole } from "../console.ts";
import { loadedNetworks } from "../networks/network-reads.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";
import { countersStatus } from "../status/latency.ts";
import { modeSince } from "../status/read-status.ts";
import { readMarkers } from "./markers.ts";
import { listedOf } from "./read-offenders.ts";

const search = z.object({ app: z.string().min(1).max(64).optional() });
const freshMs = 1_900;

export const getSituation = read("read", search, ({ search: { app } }) =>
  shared(`situation ${app ?? ""}`, freshMs, () => readSituation(app)),
);

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** Clients that are looked at closely. */
const mostClients = 40;
/** Clients and customers that are read: a client may be among them as an address and as a customer. */
const mostRead = 100;
/** Reports of the last two seconds may be missing. */
const incompleteMs = 2_000;
/** A minute is known if nodes reported in at least so many of its seconds. */
const leastSeconds = 20;
/** Usual rates change once an hour. */
const usualFreshMs = 60_000;
const changesFreshMs = 5_000;
const mostScanned = 1_000;

/** What the last minutes were like, of all apps or of one. */
export async function readSituation(app: string | undefined): Promise<SituationReply> {
  const { redis } = theConsole();
  const { series } = theStatistics();
  const nowMs = await redisNowMs();
  const inForce = await readPolicy(redis);
  // The clients first: their denials cannot be more than all that are read after them.
  const { clients, customers, isAllCustomers } = await readDenied(app, inForce.policy, nowMs);
  const [nodes, seconds, minutes, usual, changes, areCountersUp, since] = await Promise.all([
    listNodes(redis),
    series.read(1, 60, nowMs - incompleteMs),
    series.read(60, 61, nowMs),
    readUsualOf(app, nowMs),
    readChanges(nowMs),
    doCountersAnswer(),
    inForce.policy.mode === "enforce" ? undefined : modeSince(redis, inForce),
  ]);
  const live = nodes.filter((node) => node.app !== consoleApp && (app === undefined || node.app === app));
  const rate = (outcome: string) => countOf(seconds, [outcome], app) / seconds.length;
  const [safelisted, pass] = [rate("safelisted"), rate("pass")];
  const [throttled, blocked] = [rate("throttled"), rate("blocked")];
  const facts: SituationFacts = {
    ...{ nowMs, mode: inForce.policy.mode, modeSince: since ?? undefined, areCountersUp },
    ...{ nodes: live.length, silentApps: silentApps(live, seconds), usual, clients, changes },
    minute: { requests: safelisted + pass + throttled + blocked, throttled, blocked },
    deniedMinutes: minutes.slice(0, -1).map((bucket) => ({
      at: bucket.at,
      perSecond: isKnown(bucket, app) ? countOf([bucket], denials, app) / 60 : undefined,
    })),
    recent: { from: at(minutes, minutes.length - 2).at, denied: countOf(minutes.slice(-2), denials, app) },
  };
  return {
    ...{ asOf: nowMs, situation: situationOf(facts), usual: usual ?? null },
    minute: { safelisted, pass, throttled, blocked },
    ...{ from: facts.recent.from, customers, isAllCustomers },
  };
}

export const denials = ["throttled", "blocked"] as const;

export function countOf(
  buckets: readonly Bucket[],
  outcomes: readonly string[],
  app: string | undefined,
): number {
  return outcomes.reduce((sum, outcome) => sum + sumOf(buckets, fields.outcome(outcome), app), 0);
}

/** The console's own reports say nothing of the apps. */
function isKnown(bucket: Bucket, app: string | undefined): boolean {
  const apps = app === undefined ? [...bucket.apps.keys()].filter((name) => name !== consoleApp) : [app];
  return apps.some((name) => knownSeconds(bucket, 60, name) >= leastSeconds);
}

/** An idle node of an earlier version sends no counts, but says that it is idle. */
function silentApps(live: readonly LiveNode[], seconds: readonly Bucket[]): string[] {
  const busy = live.filter(({ requestsPerSecond }) => requestsPerSecond !== 0);
  const apps = [...new Set(busy.map(({ app }) => app))];
  return apps.filter((app) => seconds.every((second) => knownSeconds(second, 1, app) === 0)).sort();
}

/** Most denied addresses and customers in this minute and the last. */
export async function readDenied(app: string | undefined, policy: Policy, nowMs: number) {
  const minute = Math.floor(nowMs / minuteMs);
  const wanted = { app, minutes: [minute - 1, minute], most: mostRead, rules: ruleNames(policy) };
  const found = await theStatistics().clients.top({ ...wanted, by: "denied" });
  const denied = found.filter((one) => one.denied > 0);
  const addresses = denied.filter(({ name }) => name.kind === "ip").slice(0, mostClients);
  return {
    clients: await knownClients(addresses),
    customers: denied.flatMap(({ name, denied }) =>
      name.kind === "customer" ? [{ customer: name.client, denied }] : [],
    ),
    isAllCustomers: denied.length < mostRead,
  };
}

/** What is known of each address. One that is safelisted by now is denied no more. */
async function knownClients(found: readonly TopClient[]): Promise<DeniedClient[]> {
  if (found.length === 0) return [];
  const names = found.map(({ name }) => name.client);
  const [entries, networks, customers] = await Promise.all([
    listedOf(names),
    loadedNetworks(),
    readCustomersOf(names),
  ]);
  const deniable = found.filter(({ name }) => entries.get(name.client)?.list !== "safelist");
  return deniable.map(({ name: { client }, requests, denied, app }) => {
    const block = readBlock(client);
    const { asn, asName } = block ? networks.find(block) : {};
    return {
      ...{ client, requests, denied, app },
      network: asn === undefined ? undefined : { asn, name: asName },
      customers: customers.get(client),
      isBlocked: entries.get(client)?.list === "blocklist",
    };
  });
}

/** Without an owner and with a node that does not report them, the customers of an address are unknown. */
async function readCustomersOf(names: readonly string[]): Promise<Map<string, string[]>> {
  const addresses = names.filter((name): name is Ip | Cidr => isCanonical(name));
  const { of, knownSince } = await readOwners(theConsole().redis, addresses);
  return new Map(
    of.flatMap(({ address, owners }) =>
      owners.length > 0 || knownSince !== undefined
        ? [[address, owners.map(({ customer }) => String(customer))] as const]
        : [],
    ),
  );
}

export function readUsualOf(app: string | undefined, nowMs: number) {
  const hour = Math.floor(nowMs / 3_600_000);
  return shared(`usual ${hour} ${app ?? ""}`, usualFreshMs, async () => {
    const { off } = await shared("times off", usualFreshMs, () =>
      readMarkers(theConsole().redis, { from: nowMs - weekMs - dayMs, mostScanned }),
    );
    return readUsual(theStatistics().series, { app, nowMs, off });
  });
}

export function readChanges(nowMs: number) {
  return shared("changes of the hour", changesFreshMs, async () => {
    const from = nowMs - 60 * minuteMs;
    const { markers } = await readMarkers(theConsole().redis, { from, mostScanned });
    return markers.map(({ at, action, text }) => ({ at, action, text }));
  });
}

async function doCountersAnswer(): Promise<boolean> {
  const { redisUrl: url, counters } = theConsole();
  const { countersRedisUrl: countersUrl = url } = environment();
  return (await countersStatus(counters, { url, countersUrl }, 0)).isUp;
}
