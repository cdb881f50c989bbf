import { overlaps } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { ClientRates } from "./rates.ts";
import { hitterKinds } from "./tally.ts";

export interface Reached {
  readonly client: string;
  readonly requests: number;
  readonly denied: number;
}

/** Those of the clients that lie in the address or range, or around it: IPv6 is counted by network. */
export function clientsInside(known: readonly ClientRates[], range: Ip | Cidr): string[] {
  const block = blockOf(range);
  return known.flatMap(({ client }) => {
    const other = readBlock(client);
    return other && overlaps(block, other) ? [client] : [];
  });
}

/** What these clients asked for in these minutes and what of it was denied, the busiest first. */
export async function readReached(
  redis: Connection,
  { clients, minutes }: { readonly clients: readonly string[]; readonly minutes: readonly number[] },
): Promise<Reached[]> {
  if (clients.length === 0) return [];
  const names = clients.map((client) => hitterKinds.ip + client);
  const apps = await Promise.all(minutes.map((minute) => redis.smembers(keys.activeApps(minute))));
  const places = minutes.flatMap((minute, i) => (apps[i] ?? []).map((app) => ({ app, minute })));
  const [requests, denied] = await Promise.all(
    (["all", "denied"] as const).map(async (what) => {
      const pipeline = redis.pipeline();
      for (const { app, minute } of places) pipeline.zmscore(keys.hitters(what, app, minute), ...names);
      return sumUp((await pipeline.exec()) ?? [], names.length);
    }),
  );
  return clients
    .map((client, i) => ({ client, requests: requests?.[i] ?? 0, denied: denied?.[i] ?? 0 }))
    .filter((one) => one.requests > 0)
    .sort((a, b) => b.requests - a.requests);
}

function sumUp(answers: readonly [error: Error | null, result: unknown][], length: number): number[] {
  const sums = new Array<number>(length).fill(0);
  for (const [error, scores] of answers) {
    if (error) throw error;
    if (!Array.isArray(scores)) continue;
    for (const [i, score] of scores.entries()) sums[i] = (sums[i] ?? 0) + Number(score ?? 0);
  }
  return sums;
}
