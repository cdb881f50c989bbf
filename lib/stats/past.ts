import { covers } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { readScores } from "./hitters.ts";
import { hitterKinds } from "./tally.ts";

export interface MinuteOf {
  /** In ms. */
  readonly at: number;
  readonly requests: number;
  readonly denied: number;
}

/** What nodes told of one client, minute by minute; only of minutes in which it was among the busiest. */
export async function readMinutes(
  redis: Connection,
  { kind, client, minutes }: { kind: keyof typeof hitterKinds; client: string; minutes: readonly number[] },
): Promise<MinuteOf[]> {
  const name = hitterKinds[kind] + client;
  const apps = await Promise.all(minutes.map((minute) => redis.smembers(keys.activeApps(minute))));
  const pipeline = redis.pipeline();
  minutes.forEach((minute, i) => {
    for (const app of apps[i] ?? [])
      for (const what of ["all", "denied"] as const) pipeline.zscore(keys.hitters(what, app, minute), name);
  });
  const answers = (await pipeline.exec()) ?? [];
  let next = 0;
  const count = () => Number(answers[next++]?.[1] ?? 0);
  return minutes.map((minute, i) => {
    const told = { at: minute * 60_000, requests: 0, denied: 0 };
    for (const _ of apps[i] ?? []) {
      told.requests += count();
      told.denied += count();
    }
    return told;
  });
}

export interface InRange {
  readonly client: string;
  readonly requests: number;
  readonly denied: number;
}

/** The busiest clients within an address or range. */
export async function readInside(
  redis: Connection,
  { range, minutes }: { range: Ip | Cidr; minutes: readonly number[] },
): Promise<InRange[]> {
  const block = blockOf(range);
  const apps = await Promise.all(minutes.map((minute) => redis.smembers(keys.activeApps(minute))));
  const places = minutes.flatMap((minute, i) => (apps[i] ?? []).map((app) => ({ app, minute })));
  const pipeline = redis.pipeline();
  for (const { app, minute } of places)
    for (const what of ["all", "denied"] as const)
      pipeline.zrevrange(keys.hitters(what, app, minute), 0, -1, "WITHSCORES");
  const answers = (await pipeline.exec()) ?? [];
  const found = new Map<string, { requests: number; denied: number }>();
  for (const [i, [, flat]] of answers.entries()) {
    for (const [name, count] of readScores(flat)) {
      if (!name.startsWith(hitterKinds.ip)) continue;
      const client = name.slice(hitterKinds.ip.length);
      const inside = readBlock(client);
      if (!inside || !(covers(block, inside) || covers(inside, block))) continue;
      const told = found.get(client) ?? { requests: 0, denied: 0 };
      found.set(client, told);
      if (i % 2 === 0) told.requests += count;
      else told.denied += count;
    }
  }
  return [...found]
    .map(([client, counts]) => ({ client, ...counts }))
    .sort((a, b) => b.requests - a.requests);
}
