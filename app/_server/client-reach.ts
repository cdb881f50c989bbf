import { covers, format, isWhole, masked } from "../../lib/ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../../lib/ip/parse.ts";
import type { Reach } from "../../lib/queries/client.ts";
import { readFeed } from "../../lib/stats/feed.ts";
import { clientsInside, readReached } from "../../lib/stats/reach.ts";
import { mostOf } from "./client-habits.ts";
import { theConsole } from "./console.ts";
import { theRates } from "./rates.ts";
import { redisNowMs } from "./statistics.ts";

const hourMs = 3_600_000;
const hourMinutes = 60;
const mostSeen = 5_000;
const mostClients = 500;
const mostTold = 6;
/** IPv6 addresses are counted together with their network. */
const networkLength = 64;

/** Whom an entry for this address or range would have hit in the last hour. */
export async function tellReach(address: Ip | Cidr): Promise<Reach> {
  const { redis } = theConsole();
  const asOf = await redisNowMs();
  const minute = Math.floor(asOf / 60_000);
  const minutes = Array.from({ length: hourMinutes }, (_, i) => minute - hourMinutes + 1 + i);
  const [clients, seen] = await Promise.all([clientsOf(address, asOf), readFeed(redis, { most: mostSeen })]);
  const reached = await readReached(redis, { clients: clients.slice(0, mostClients), minutes });
  const within = seen.filter(
    ({ ip, at, customerId }) => customerId && at > asOf - hourMs && isInside(address, ip),
  );
  const network = networkAround(address);
  return {
    ...{ asOf, address, clients: reached.length, busiest: reached.slice(0, mostTold) },
    requests: reached.reduce((sum, one) => sum + one.requests, 0),
    denied: reached.reduce((sum, one) => sum + one.denied, 0),
    customers: mostOf(within, ({ customerId }) => customerId).map(({ text, count }) => ({ text, count })),
    countedWith: network === address ? null : network,
  };
}

/** As reports name them. An address names itself; of a range only those are known that were busy. */
async function clientsOf(address: Ip | Cidr, nowMs: number): Promise<readonly string[]> {
  const network = networkAround(address);
  if (isWhole(blockOf(network)) || network !== address) return [network];
  const known = await theRates().read({ kind: "ip", periodMinutes: 1, windows: hourMinutes, nowMs });
  return clientsInside(known, address);
}

function networkAround(address: Ip | Cidr): Ip | Cidr {
  const block = blockOf(address);
  const isPart = block.family === 6 && block.length > networkLength;
  return isPart ? format(masked(block, networkLength)) : address;
}

function isInside(range: Ip | Cidr, text: string): boolean {
  const block = readBlock(text);
  return block !== undefined && covers(blockOf(range), block);
}
