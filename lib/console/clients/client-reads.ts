import { z } from "zod";
import { coverings, format, isWhole, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { readOwners } from "../../observe/customers/owners.ts";
import { entryHistory } from "../../observe/lists/entry-history.ts";
import { clientsWithin } from "../../observe/stats/client-counts.ts";
import { readRates } from "../../observe/stats/rates.ts";
import type { Listings, Reach } from "../../queries/client.ts";
import { mostOwned, type OwnersReply } from "../../queries/owners.ts";
import { listNames } from "../../redis/keys.ts";
import { theHistory } from "../audit/audit-watch.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { entryHits } from "../lists/entry-hits.ts";
import { decodedPart, read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";
import { requireAddress, tellOfClient } from "./client-now.ts";
import { lookUp } from "./look-up.ts";

type ClientParams = { client: string };

/** The client of a path; what cannot be decoded is taken as it is. */
function clientIn({ client }: ClientParams): Ip | Cidr {
  return requireAddress(decodedPart(client));
}

/** The client of a page's path, and the text that it is made of. */
export function clientOfPath(part: string) {
  const text = decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, "%25"));
  return { text, client: parseAddress(text) };
}

const clientSearch = z.object({
  app: z.string().min(1).max(64).optional(),
  path: z.string().max(300).optional(),
});
const clientFreshMs = 900;

export const getClient = read<typeof clientSearch, ClientParams>(
  "read",
  clientSearch,
  async ({ params, search }) => {
    const client = clientIn(params);
    return shared(`client ${JSON.stringify([client, search])}`, clientFreshMs, () =>
      tellOfClient(client, search),
    );
  },
);

export const getClientListings = read<z.ZodObject, ClientParams>("read", z.object({}), ({ params }) =>
  tellListings(clientIn(params)),
);

const reachFreshMs = 2_000;

export const getClientReach = read<z.ZodObject, ClientParams>("read", z.object({}), async ({ params }) => {
  const address = clientIn(params);
  return shared(`reach ${address}`, reachFreshMs, () => tellReach(address));
});

/** A token in a cookie may be that long. */
const longestLookUp = 4_096;

/** Posted, because what is looked up may be a credential, and proxies log URLs. */
export const postLookUp = read(
  "read",
  z.object({ q: z.string().max(longestLookUp) }),
  ({ console, who, search }) =>
    lookUp({ ...console, scales: theStatistics().scales }, { text: search.q, yours: who.address }),
);

/** Posted, because the addresses on a page are too many for a URL. */
export const postOwners = read(
  "read",
  z.object({ addresses: z.array(z.string().max(64)).min(1).max(mostOwned) }),
  async ({ console, search }) => {
    const parsed = search.addresses.map((text) => ({ text, address: parseAddress(text) }));
    const known = parsed.flatMap(({ address }) => (address.ok ? [address.value] : []));
    const { asOf, knownSince, of } = await readOwners(console.redis, known);
    const found = new Map(of.map((one) => [one.address, one]));
    return {
      ...{ asOf, knownSince: knownSince ?? null },
      // A list may hold texts of other programs that are no addresses.
      of: parsed.map(({ text, address }) => {
        const { owners = [], isAll = false } = (address.ok && found.get(address.value)) || {};
        return { address: text, owners: [...owners], isAll };
      }),
    } satisfies OwnersReply;
  },
);

const mostRecords = 50;

/** When an address was on a list, alone or within a range, by the audit log. */
async function tellListings(address: Ip | Cidr): Promise<Listings> {
  const { redis } = theConsole();
  const history = theHistory();
  await history.catchUp();
  const places = listNames.flatMap((list) =>
    coverings(blockOf(address)).map((place) => ({ list, address: place })),
  );
  const touched = places.filter((one) => history.records(one.list, one.address, 1).length > 0);
  const found = await Promise.all(
    touched.map(async (one) => {
      const records = await entryHistory(redis, history, one);
      return records.map((record) => ({ ...record, ...one }));
    }),
  );
  const catalogue = await loadedCatalogue();
  const held = places.filter((one) => catalogue.entry(one.list, one.address));
  const entries = await Promise.all(
    held.map(async (one) => {
      const hits = await entryHits(one.list);
      return hits && { ...one, hits: { ...hits.of(one.address), since: hits.known.since } };
    }),
  );
  const known = entries.flatMap((one) => one ?? []);
  return {
    ...(known.length === held.length && { entries: known }),
    listedBefore: listNames.reduce(
      (sum, list) => sum + history.listedBefore(list, catalogue.entry(list, address) ?? { address }),
      0,
    ),
    isWhole: history.isWhole,
    records: found
      .flat()
      .sort((a, b) => b.n - a.n)
      .slice(0, mostRecords),
  };
}

const hourMinutes = 60;
const mostClients = 500;
const mostShown = 6;
/** IPv6 addresses are counted together with their network. */
const networkLength = 64;

/** Clients that an entry for this address or range would have hit in the last hour. */
async function tellReach(address: Ip | Cidr): Promise<Reach> {
  const { redis } = theConsole();
  const asOf = await redisNowMs();
  const minute = Math.floor(asOf / 60_000);
  const minutes = Array.from({ length: hourMinutes }, (_, i) => minute - hourMinutes + 1 + i);
  const [clients, owned] = await Promise.all([
    clientsOf(address, asOf),
    // Unknown customers must not hide what an entry would hit.
    readOwners(redis, [address]).catch(() => undefined),
  ]);
  const reached = await theStatistics().clients.sumOf(clients, minutes);
  const network = networkAround(address);
  return {
    ...{ asOf, address, clients: reached.length, busiest: reached.slice(0, mostShown) },
    requests: reached.reduce((sum, one) => sum + one.requests, 0),
    denied: reached.reduce((sum, one) => sum + one.denied, 0),
    customers:
      owned?.of[0]?.owners.map(({ customer, requests }) => ({ text: customer, count: requests })) ?? null,
    customersKnownSince: owned?.knownSince ?? null,
    countedWith: network === address ? null : network,
  };
}

/** As reports name them. An address names itself; of a range only those are known that were busy. */
async function clientsOf(address: Ip | Cidr, nowMs: number): Promise<readonly string[]> {
  const network = networkAround(address);
  if (isWhole(blockOf(network)) || network !== address) return [network];
  const wanted = { kind: "ip", periodMinutes: 1, windows: hourMinutes, nowMs } as const;
  return clientsWithin(await readRates(theStatistics().clients, wanted), address, mostClients);
}

function networkAround(address: Ip | Cidr): Ip | Cidr {
  const block = blockOf(address);
  const isPart = block.family === 6 && block.length > networkLength;
  return isPart ? format(masked(block, networkLength)) : address;
}
