import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { askLists } from "../../enforce/lists/lookup.ts";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { countedAs, ruleNames } from "../../enforce/stats/fields.ts";
import { environment } from "../../env.ts";
import { blockOf, parseAddress, readBlock } from "../../ip/parse.ts";
import { rangeList } from "../../ip/range-list.ts";
import type { TopClient } from "../../observe/stats/client-counts.ts";
import { readHighestCounters } from "../../observe/stats/counter-scan.ts";
import { type FeedItem, readFeed, toolOf } from "../../observe/stats/feed.ts";
import {
  type ClientReading,
  readClientReadings,
  splitByOwner,
  worstFirst,
  worstOf,
} from "../../observe/stats/offenders.ts";
import type { Offender, OffendersReply } from "../../queries/offenders.ts";
import { listNames } from "../../redis/keys.ts";
import { theConsole } from "../console.ts";
import { redisNowMs, theStatistics, theTrends, trendName } from "../statistics.ts";
import { countersStatus } from "../status/latency.ts";

/** How many clients are looked at closely. */
const mostCandidates = 100;
const mostSeen = 1_000;
/** Points of a sparkline. */
const mostHistory = 60;

/** Who goes furthest over a limit, by counter and by estimate. */
export async function readOffenders(app: string | undefined, most: number): Promise<OffendersReply> {
  const { redis } = theConsole();
  const [asOf, areCountersUp] = await Promise.all([redisNowMs(), doCountersAnswer()]);
  const { policy } = await readPolicy(redis);
  const [hitters, seen, highest] = await Promise.all([
    candidates(app, policy, asOf),
    readFeed(redis, { most: mostSeen }),
    app === undefined ? readHighestCounters(redis) : undefined,
  ]);
  const { known, foreign } = splitByOwner(highest?.counters ?? [], policy, asOf);
  const all = [...new Map([...known, ...hitters].map((one) => [JSON.stringify(one.name), one])).values()];
  const { readings, isComplete } = await readClientReadings(redis, theStatistics().scales, policy, all);
  const counted = worstOf(readings, ({ algorithm }) => !isRate(algorithm));
  const byCounter = worstFirst([...counted, ...foreign]);
  const byEstimate = worstOf(readings, ({ algorithm }) => isRate(algorithm));
  const shown = [...byCounter.slice(0, most), ...byEstimate.slice(0, most)];
  const isCounted = isComplete && areCountersUp;
  const tell = await teller(shown, toolsOf(seen, policy.edge.tools), asOf);
  return {
    asOf,
    isCounted,
    byCounter: byCounter.slice(0, most).map(tell),
    byEstimate: byEstimate.slice(0, most).map(tell),
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
async function candidates(app: string | undefined, policy: Policy, nowMs: number): Promise<TopClient[]> {
  const minute = Math.floor(nowMs / 60_000);
  const wanted = { app, minutes: [minute - 1, minute], most: mostCandidates, rules: ruleNames(policy) };
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

/** The newest tool of each address, and of each network that is counted together. */
function toolsOf(seen: readonly FeedItem[], words: readonly string[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (const { ip, userAgent } of seen) {
    const [tool, block] = [toolOf(userAgent, words), readBlock(ip)];
    if (tool === undefined || !block) continue;
    const name = countedAs(block);
    if (!tools.has(name)) tools.set(name, tool);
  }
  return tools;
}

async function teller(shown: readonly ClientReading[], tools: ReadonlyMap<string, string>, nowMs: number) {
  const listed = await listedOf(shown.flatMap(({ name }) => (name.kind === "ip" ? [name.client] : [])));
  theTrends().forget(nowMs);
  return ({ name, app, requests, denied, step, reading }: ClientReading): Offender => {
    const { client, kind } = name;
    const tool = tools.get(client);
    const entry = listed.get(client);
    const trend = trendName({ kind, client, rule: step.rule, periodSeconds: step.periodSeconds });
    const history = theTrends().add(trend, reading.used, nowMs).slice(-mostHistory);
    return {
      ...{ kind, client, app, requests, denied },
      ...{ rule: step.rule, algorithm: step.algorithm, periodSeconds: step.periodSeconds },
      ...{
        isShadowed: step.isShadowed,
        limit: Number.isFinite(step.limit) ? step.limit : null,
        used: reading.used,
      },
      ...{ resetMs: reading.resetMs, isOver: reading.isOver },
      history: history.map(({ value }) => value),
      ...(tool !== undefined && { tool }),
      ...(entry && { listed: entry }),
    };
  };
}

/** The entries that cover these clients already. */
async function listedOf(clients: readonly string[]) {
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
        if (address) return [[client, { list, address: String(address) }] as const];
      }
      return [];
    }),
  );
  return new Map(found.flat());
}
