import { z } from "zod";
import { at } from "../../at.ts";
import { scanners } from "../../enforce/policy/edge-rules.ts";
import { sampleFields } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type SampleStream, sampleStreams } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";

const sample = z.object({
  /** When it was reported. Undefined in the stream of earlier versions. */
  at: z.number().optional(),
  ip: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  userAgent: z.string(),
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled", "shadow"]),
  rule: z.string(),
  customerId: z.string(),
  /** The tier or the levels that the app's session gave, as the node wrote them. */
  session: z.string().nullish(),
  standsFor: z.number(),
  app: z.string(),
  node: z.string(),
});

/** A request that a node has kept, and when it was reported. */
export type FeedItem = Omit<z.output<typeof sample>, "at"> & { readonly id: string; readonly at: number };

/** A sample as nodes write it. Undefined for any other text. */
export function readSample(text: string, id: string): FeedItem | undefined {
  const values = readJson(text);
  if (!Array.isArray(values)) return undefined;
  return itemOf(Object.fromEntries(sampleFields.map((name, i) => [name, values[i]])), id);
}

function itemOf(value: unknown, id: string, reportedAt?: number): FeedItem | undefined {
  const parsed = sample.safeParse(value);
  if (!parsed.success) return undefined;
  const { at = reportedAt, ...fields } = parsed.data;
  return at === undefined ? undefined : { ...fields, id, at };
}

export interface FeedQuery {
  readonly most: number;
  /** Without it, those of all. */
  readonly streams?: readonly SampleStream[] | undefined;
  readonly app?: string | undefined;
  readonly rule?: string | undefined;
  readonly ip?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
}

export interface Feed {
  /** The newest first. */
  readonly items: readonly FeedItem[];
  /** The samples reach back to this time, those of each stream at least. Undefined without samples. */
  readonly since: number | undefined;
}

/** A stream with fewer entries has lost none. lua/evidence.lua trims them to that length. */
const streamLength = 2_500;
type StreamReply = [
  length: number,
  oldest: string,
  found: [id: string, fields: [name: string, text: string]][],
];

const filterFields = ["app", "rule", "ip", "path"] as const;

const findSamples = defineScript({
  lua: lua.samples,
  keys: ({ streams = sampleStreams }: FeedQuery) => streams.map((of) => keys.samples(of)),
  args: (query) => {
    const filters = filterFields.flatMap((name) => {
      const value = query[name];
      // Lua counts from 1.
      return value === undefined
        ? []
        : [[1 + sampleFields.indexOf(name), JSON.stringify(value), name === "path"]];
    });
    return [query.most, JSON.stringify(filters)];
  },
  reply: (streams: StreamReply[]) => streams,
});

/** Requests that nodes kept recently, filtered where they are stored. */
export async function queryFeed(redis: Connection, query: FeedQuery): Promise<Feed> {
  const streams = query.streams ?? sampleStreams;
  const [found, earlier] = await Promise.all([findSamples.run(redis, query), readEarlier(redis, query)]);
  const items: FeedItem[] = [];
  const breathe = breathing();
  for (const [i, [, , entries]] of found.entries())
    for (const [id, [, text]] of entries) {
      await breathe();
      const item = readSample(text, `${at(streams, i)} ${id}`);
      if (item) items.push(item);
    }
  items.push(...earlier.items);
  items.sort((a, b) => b.at - a.at);
  const full = found.filter(([length]) => length >= streamLength).map(([, oldest]) => timeOf(oldest));
  const all = found.filter(([, oldest]) => oldest !== "").map(([, oldest]) => timeOf(oldest));
  const oldest = earlier.since === undefined ? all : [...all, earlier.since];
  return {
    items: items.slice(0, query.most),
    since: full.length > 0 ? Math.max(...full) : oldest.length > 0 ? Math.min(...oldest) : undefined,
  };
}

/** Requests that nodes kept recently, of all verdicts, newest first. */
export async function readFeed(redis: Connection, { most }: { readonly most: number }): Promise<FeedItem[]> {
  return [...(await queryFeed(redis, { most })).items];
}

const mostEarlier = 5_000;
const earlierForMs = 3_600_000;

/** Samples of nodes that keep no evidence, for a client that `isWanted` tells. */
export async function readEarlierFeed(
  redis: Connection,
  isWanted: (item: FeedItem) => boolean,
): Promise<FeedItem[]> {
  return (await readEarlier(redis, { most: mostEarlier })).items.filter(isWanted);
}

/** The samples of nodes of earlier versions, and of those whose account may not write evidence: one stream for all. */
async function readEarlier(redis: Connection, query: FeedQuery): Promise<Feed> {
  const { streams = sampleStreams, app, rule, ip, path = "" } = query;
  const [newest] = await redis.xrevrange(keys.feed(), "+", "-", "COUNT", 1);
  if (!newest) return { items: [], since: undefined };
  const from = timeOf(newest[0]) - earlierForMs;
  const entries = await redis.xrevrange(keys.feed(), "+", Math.max(0, from), "COUNT", mostEarlier);
  const items: FeedItem[] = [];
  const breathe = breathing();
  for (const [id, fields] of entries) {
    await breathe();
    const item = itemOf(readJson(at(fields, 1)), id, timeOf(id));
    if (!item) continue;
    const isWanted =
      streams.includes(streamOf(item)) &&
      (app === undefined || item.app === app) &&
      (rule === undefined || item.rule === rule) &&
      (ip === undefined || item.ip === ip) &&
      item.path.includes(path);
    if (isWanted) items.push(item);
  }
  return { items, since: timeOf(at(entries, entries.length - 1)[0]) };
}

const streamOf = ({ outcome }: FeedItem): SampleStream =>
  outcome === "pass" || outcome === "safelisted" ? "passed" : outcome;

const timeOf = (id: string) => Number(at(id.split("-", 1), 0));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * One customer's requests, of those that nodes kept recently, that were denied, or would have been by a rule in shadow, latest
 * first.
 *
 * @param items of all customers, newest first
 */
export function denialsOf(
  items: readonly FeedItem[],
  { customer, most }: { customer: string; most: number },
): FeedItem[] {
  return items
    .filter(({ customerId, outcome }) => customerId === customer && denied.has(outcome))
    .slice(0, most);
}

const denied: ReadonlySet<FeedItem["outcome"]> = new Set(["throttled", "blocked", "shadow"]);

/** HTTP clients of scripts, good ones too: the client is no browser. */
const scriptClients: readonly (readonly [mark: string, name: string])[] = [
  ["python-requests", "python-requests"],
  ["python-urllib", "urllib"],
  ["python-httpx", "python-httpx"],
  ["aiohttp", "aiohttp"],
  ["go-http-client", "Go"],
  ["libwww-perl", "libwww-perl"],
  ["curl/", "curl"],
  ["wget/", "Wget"],
];

const marks = [...scanners, ...scriptClients];

/**
 * The tool that a user agent names; undefined for browsers, and for crawlers, feed readers and monitors, which name their
 * owner. Some tools, such as wrk, send no user agent at all.
 *
 * @param others words by which the policy knows further ones
 */
export function toolOf(userAgent: string, others: readonly string[] = []): string | undefined {
  if (userAgent === "") return "no user agent";
  const text = userAgent.toLowerCase();
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? others.find((word) => text.includes(word));
}
