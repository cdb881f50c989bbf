import { at, madeOnce } from "../../at.ts";
import {
  clientOf,
  type HitterKind,
  type HitterName,
  hitterText,
  type RuleNames,
  readHitter,
} from "../../enforce/stats/fields.ts";
import { type Block, overlaps } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { listIn, type Pipeline, repliesOf } from "../../redis/script.ts";
import { knownSeconds, type Series } from "./series.ts";
import { SettledMinutes } from "./settled-minutes.ts";

interface ClientCount {
  readonly requests: number;
  readonly denied: number;
}

export interface ClientMinute extends ClientCount {
  /** Since the epoch. */
  readonly minute: number;
  /** Requests of each app. Undefined without requests. */
  readonly apps?: ReadonlyMap<string, number>;
}

export interface KnownMinute extends ClientMinute {
  /** False: no node reported anything of any client. */
  readonly isKnown: boolean;
}

export interface RangeClient extends ClientCount {
  readonly client: string;
}

export interface TopClient extends ClientCount {
  readonly name: HitterName;
  /** Of the last 60 s, if the query has a time. The part of them in the minute before is taken for evenly spread. */
  readonly lastMinute: ClientCount;
  /** The app that got most of the requests. */
  readonly app: string;
}

export interface TopQuery {
  readonly app?: string | undefined;
  /** Since the epoch. */
  readonly minutes: readonly number[];
  readonly most: number;
  readonly by: "requests" | "denied";
  /** Those of the policy in force. */
  readonly rules: RuleNames;
  /** For `lastMinute`: its end, within the last of the minutes. */
  readonly nowMs?: number;
}

export interface ClientQuery {
  readonly kind: HitterKind;
  readonly client: string;
}

export interface BusiestQuery {
  readonly kind: "ip" | "customer";
  readonly app?: string | undefined;
  readonly minutes: readonly number[];
  /** Clients of each app in each minute. */
  readonly most: number;
  readonly nowMs: number;
}

/** The clients of one app in one minute. */
interface AppMinute {
  readonly app: string;
  readonly minute: number;
}

/** Commands of one pipeline, so that a whole day delays neither Redis nor this process. */
const mostAtOnce = 4_000;
/** Names that the commands of one pipeline ask for, so that a turn stays short. */
const mostNamesAtOnce = 2_000;

/**
 * Counts of the busiest clients, which nodes report by app and minute. A client has counts in those minutes alone in which it
 * was among the busiest. A minute that is over is read once. What Redis fails to read is an error, and never 0.
 */
export class ClientCounts {
  readonly #redis: Connection;
  readonly #apps = new SettledMinutes<readonly string[]>(1);
  /** Those read most recently; a day of each is some ten kilobytes. */
  readonly #ofClient = new SettledMinutes<ClientMinute>(200);
  readonly #busiest = new SettledMinutes<ReadonlyMap<string, number>>(8);

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** The clients with the most requests, or the most denials, in these minutes. */
  async top({ app, minutes, most, by, rules, nowMs }: TopQuery): Promise<TopClient[]> {
    const appMinutes = await this.#appMinutes(minutes, { app });
    const sums = new Map<string, ClientSum>();
    const sumOf = (text: string, first: number): ClientSum | undefined => {
      const name = readHitter(text, rules);
      if (!name) return undefined;
      // A client that nodes of two versions name differently is one.
      return madeOnce(sums, JSON.stringify(name), () => ({
        name,
        requests: first,
        denied: 0,
        lastMinute: zero(),
        apps: new Map(),
      }));
    };
    for (const [i, { all, denied }] of (await this.#heaviest(appMinutes, 2 * most + 1)).entries()) {
      const { app, minute } = at(appMinutes, i);
      const share = nowMs === undefined ? 0 : shareInLastMinute(minute, nowMs);
      for (const [text, count] of all) {
        const sum = sumOf(text, 0);
        if (!sum) continue;
        sum.requests += count;
        sum.lastMinute.requests += count * share;
        sum.apps.set(app, (sum.apps.get(app) ?? 0) + count);
      }
      for (const [text, count] of denied) {
        const sum = sumOf(text, count);
        if (!sum) continue;
        sum.denied += count;
        sum.lastMinute.denied += count * share;
        if (sum.apps.size === 0) sum.apps.set(app, count);
      }
    }
    return [...sums.values()]
      .map(({ apps, ...sum }) => ({ ...sum, app: at([...apps].sort(highestFirst), 0)[0] }))
      .sort((a, b) => b[by] - a[by] || b.requests - a.requests)
      .slice(0, most);
  }

  /** One client, minute by minute. */
  of({ kind, client }: ClientQuery, minutes: readonly number[], nowMs: number): Promise<ClientMinute[]> {
    const name = hitterText(kind, client);
    return this.#ofClient.read(name, minutes, nowMs, async (missing) => {
      const sums = new Map<number, MinuteSum>(missing.map((minute) => [minute, zero()]));
      const appMinutes = await this.#appMinutes(missing, { nowMs });
      for (const { app, minute, counts } of await this.#scores(appMinutes, [name])) {
        const sum: MinuteSum = madeOnce(sums, minute, zero);
        const count = at(counts, 0);
        add(sum, count);
        sum.apps = new Map([...(sum.apps ?? []), [app, count.requests]]);
      }
      return [...sums].map(([minute, sum]) => ({ minute, ...sum }));
    });
  }

  /** The busiest clients within an address or range, or around it: IPv6 is counted by network. */
  async within(range: Ip | Cidr, minutes: readonly number[]): Promise<RangeClient[]> {
    const [sums, block] = [new Map<string, Sum>(), blockOf(range)];
    const addWithin = (text: string, count: Partial<ClientCount>) => {
      const client = clientOf("ip", text);
      if (client !== undefined && isWithin(block, client)) add(madeOnce(sums, client, zero), count);
    };
    for (const { all, denied } of await this.#heaviest(await this.#appMinutes(minutes))) {
      for (const [text, requests] of all) addWithin(text, { requests });
      for (const [text, count] of denied) addWithin(text, { denied: count });
    }
    return busiestFirst([...sums].map(([client, sum]) => ({ client, ...sum })));
  }

  /** The sum of each of these addresses and networks that sent requests, the busiest first. */
  async sumOf(clients: readonly string[], minutes: readonly number[]): Promise<RangeClient[]> {
    if (clients.length === 0) return [];
    const sums = clients.map((client) => ({ client, ...zero() }));
    const names = clients.map((client) => hitterText("ip", client));
    for (const { counts } of await this.#scores(await this.#appMinutes(minutes), names))
      for (const [i, sum] of sums.entries()) add(sum, at(counts, i));
    return busiestFirst(sums.filter(({ requests }) => requests > 0));
  }

  /** Each of these addresses and networks, by the minutes in which it sent requests. */
  async ofMany(clients: readonly string[], minutes: readonly number[]): Promise<ClientMinute[][]> {
    const found = clients.map(() => new Map<number, ClientMinute & Sum>());
    if (clients.length === 0) return [];
    const names = clients.map((client) => hitterText("ip", client));
    for (const { minute, counts } of await this.#scores(await this.#appMinutes(minutes), names))
      for (const [i, sums] of found.entries())
        add(
          madeOnce(sums, minute, () => ({ minute, ...zero() })),
          at(counts, i),
        );
    return found.map((sums) => [...sums.values()]);
  }

  /** Requests of the busiest clients of one kind, minute by minute. */
  busiest({ kind, app, minutes, most, nowMs }: BusiestQuery): Promise<ReadonlyMap<string, number>[]> {
    return this.#busiest.read(`${kind} ${most} ${app ?? ""}`, minutes, nowMs, async (missing) => {
      const appMinutes = await this.#appMinutes(missing, { app, nowMs });
      const answers = await this.#ask(appMinutes, (pipeline, one) =>
        pipeline.zrevrange(keys.hitters("all", one.app, one.minute), 0, most - 1, "WITHSCORES"),
      );
      const found = new Map(missing.map((minute) => [minute, new Map<string, number>()]));
      const breathe = breathing();
      for (const [i, { minute }] of appMinutes.entries()) {
        await breathe();
        const counts = madeOnce(found, minute, () => new Map());
        for (const [text, count] of readScores(answers[i])) {
          const client = clientOf(kind, text);
          if (client !== undefined) counts.set(client, (counts.get(client) ?? 0) + count);
        }
      }
      return [...found.values()];
    });
  }

  /** The minutes of one app, or of all that reported clients. Without `nowMs` no minute counts as over. */
  async #appMinutes(
    minutes: readonly number[],
    { app, nowMs = Number.NEGATIVE_INFINITY }: { app?: string | undefined; nowMs?: number } = {},
  ): Promise<AppMinute[]> {
    if (app !== undefined) return minutes.map((minute) => ({ app, minute }));
    const apps = await this.#apps.read("", minutes, nowMs, async (missing) => {
      const answers = await this.#ask(missing, (pipeline, minute) =>
        pipeline.smembers(keys.activeApps(minute)),
      );
      return answers.map((answer) => listIn(answer).map(String));
    });
    return minutes.flatMap((minute, i) => at(apps, i).map((app) => ({ app, minute })));
  }

  /** The names of each app's minute with their scores: all, or the `most` with the highest scores. */
  async #heaviest(appMinutes: readonly AppMinute[], most = 0) {
    const wanted = appMinutes.flatMap((one) =>
      (["all", "denied"] as const).map((what) => ({ what, ...one })),
    );
    const answers = await this.#ask(wanted, (pipeline, { what, app, minute }) =>
      pipeline.zrevrange(keys.hitters(what, app, minute), 0, most - 1, "WITHSCORES"),
    );
    return appMinutes.map((_, i) => ({
      all: readScores(answers[2 * i]),
      denied: readScores(answers[2 * i + 1]),
    }));
  }

  /** The counts of these names, in their order, for each app's minute in which one of them sent requests. */
  async #scores(appMinutes: readonly AppMinute[], names: readonly string[]) {
    const ask = (what: "all" | "denied", of: readonly AppMinute[]) =>
      this.#ask(
        of,
        (pipeline, { app, minute }) => pipeline.zmscore(keys.hitters(what, app, minute), ...names),
        Math.max(1, Math.floor(mostNamesAtOnce / names.length)),
      );
    const all = (await ask("all", appMinutes)).map(listIn);
    const busy = appMinutes.flatMap(({ app, minute }, i) => {
      const requests = at(all, i);
      return requests.some((count) => count !== null) ? [{ app, minute, requests }] : [];
    });
    const denied = (await ask("denied", busy)).map(listIn);
    return busy.map(({ app, minute, requests }, i) => ({
      ...{ app, minute },
      counts: requests.map((count, n) => ({ requests: Number(count), denied: Number(at(at(denied, i), n)) })),
    }));
  }

  async #ask<T>(
    items: readonly T[],
    add: (pipeline: Pipeline, item: T) => unknown,
    most = mostAtOnce,
  ): Promise<unknown[]> {
    const answers: unknown[] = [];
    const breathe = breathing();
    for (let from = 0; from < items.length; from += most) {
      await breathe();
      const pipeline = this.#redis.pipeline();
      for (const item of items.slice(from, from + most)) add(pipeline, item);
      answers.push(...(await repliesOf(pipeline)));
    }
    return answers;
  }
}

/** Requests of each app in these minutes. */
export function appsOf(minutes: readonly ClientMinute[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { apps = [] } of minutes)
    for (const [app, count] of apps) sums.set(app, (sums.get(app) ?? 0) + count);
  return sums;
}

/** The last minutes of one client, oldest first; the last of them is running. */
export async function readLastMinutes(
  { counts, series }: { readonly counts: ClientCounts; readonly series: Pick<Series, "read"> },
  client: ClientQuery,
  { minutes, nowMs }: { readonly minutes: number; readonly nowMs: number },
): Promise<KnownMinute[]> {
  const buckets = await series.read(60, minutes, nowMs);
  const wanted = buckets.map((bucket) => Math.round(bucket.at / 60_000));
  const found = await counts.of(client, wanted, nowMs);
  return found.map((one, i) => ({ ...one, isKnown: knownSeconds(at(buckets, i), 60) > 0 }));
}

/** The first of the clients that are in the address or range, or around it. */
export async function clientsWithin(
  clients: readonly { readonly client: string }[],
  range: Ip | Cidr,
  most: number,
): Promise<string[]> {
  const block = blockOf(range);
  const breathe = breathing();
  const found: string[] = [];
  for (const { client } of clients) {
    if (found.length === most) break;
    await breathe();
    if (isWithin(block, client)) found.push(client);
  }
  return found;
}

function isWithin(range: Block, text: string): boolean {
  const client = readBlock(text);
  return client !== undefined && overlaps(range, client);
}

type Sum = { -readonly [field in keyof ClientCount]: number };

interface MinuteSum extends Sum {
  apps?: ReadonlyMap<string, number>;
}

const zero = (): Sum => ({ requests: 0, denied: 0 });

function add(sum: Sum, { requests = 0, denied = 0 }: Partial<ClientCount>): void {
  sum.requests += requests;
  sum.denied += denied;
}

/** The part of a minute of the clock that is within the 60 s before this time. */
function shareInLastMinute(minute: number, nowMs: number): number {
  const end = (minute + 1) * 60_000;
  return Math.min(1, Math.max(0, (end - (nowMs - 60_000)) / 60_000));
}

interface ClientSum extends Sum {
  readonly name: HitterName;
  readonly lastMinute: Sum;
  readonly apps: Map<string, number>;
}

/** Members with their scores: pairs in RESP3, one flat list in RESP2. */
export function readScores(answer: unknown): [string, number][] {
  const flat = listIn(answer);
  if (Array.isArray(flat[0])) return flat.map((pair) => [String(listIn(pair)[0]), Number(listIn(pair)[1])]);
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), Number(flat[2 * i + 1])]);
}

const highestFirst = (a: readonly [string, number], b: readonly [string, number]): number => b[1] - a[1];

const busiestFirst = (clients: readonly RangeClient[]): RangeClient[] =>
  clients.toSorted((a, b) => b.requests - a.requests);
