import { covers, format, isWhole, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../../ip/parse.ts";
import { clientsWithin } from "../../observe/stats/client-counts.ts";
import { readFeed } from "../../observe/stats/feed.ts";
import { readRates } from "../../observe/stats/rates.ts";
import type { Reach } from "../../queries/client.ts";
import { theConsole } from "../console.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { mostOf } from "./client-habits.ts";

const hourMs = 3_600_000;
const hourMinutes = 60;
const mostSeen = 5_000;
const mostClients = 500;
const mostShown = 6;
/** IPv6 addresses are counted together with their network. */
const networkLength = 64;

/** Clients that an entry for this address or range would have hit in the last hour. */
export async function tellReach(address: Ip | Cidr): Promise<Reach> {
  const { redis } = theConsole();
  const asOf = await redisNowMs();
  const minute = Math.floor(asOf / 60_000);
  const minutes = Array.from({ length: hourMinutes }, (_, i) => minute - hourMinutes + 1 + i);
  const [clients, seen] = await Promise.all([clientsOf(address, asOf), readFeed(redis, { most: mostSeen })]);
  const reached = await theStatistics().clients.sumOf(clients, minutes);
  const within = seen.filter(
    ({ ip, at, customerId }) => customerId && at > asOf - hourMs && isInside(address, ip),
  );
  const network = networkAround(address);
  return {
    ...{ asOf, address, clients: reached.length, busiest: reached.slice(0, mostShown) },
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
  const wanted = { kind: "ip", periodMinutes: 1, windows: hourMinutes, nowMs } as const;
  return clientsWithin(await readRates(theStatistics().clients, wanted), address, mostClients);
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
