import { blockOf, parseAddress, readBlock } from "../../lib/ip/parse.ts";
import { rangeList } from "../../lib/ip/range-list.ts";
import { askLists } from "../../lib/lists/ask.ts";
import { readNeverBlock } from "../../lib/lists/never-block.ts";
import { readPolicy } from "../../lib/policy/versions.ts";
import type { Offender, OffendersReply } from "../../lib/queries/offenders.ts";
import { listNames } from "../../lib/redis/keys.ts";
import { countedAs } from "../../lib/stats/counted-as.ts";
import { readHighestCounters } from "../../lib/stats/counter-scan.ts";
import { type FeedItem, readFeed } from "../../lib/stats/feed.ts";
import { sortCounters } from "../../lib/stats/foreign.ts";
import { readHitters, type TopHitter } from "../../lib/stats/hitters.ts";
import { readStandings, type Standing, worstFirst, worstOf } from "../../lib/stats/offenders.ts";
import { toolOf } from "../../lib/stats/tools.ts";
import { theConsole } from "./console.ts";
import { redisNowMs, theStatistics } from "./statistics.ts";
import { theTrends, trendName } from "./trends.ts";

/** How many clients are looked at closely. */
const mostCandidates = 100;
const mostSeen = 1_000;
/** Points of a sparkline. */
const mostHistory = 60;

/** Who goes furthest over a limit, by counter and by estimate. */
export async function readOffenders(app: string | undefined, most: number): Promise<OffendersReply> {
  const { redis } = theConsole();
  const asOf = await redisNowMs();
  const [hitters, { policy }, seen, highest] = await Promise.all([
    candidates(app, asOf),
    readPolicy(redis),
    readFeed(redis, { most: mostSeen }),
    app === undefined ? readHighestCounters(redis) : undefined,
  ]);
  const { known, foreign } = sortCounters(highest?.counters ?? [], policy, asOf);
  const all = [...new Map([...known, ...hitters].map((one) => [JSON.stringify(one.name), one])).values()];
  const standings = await readStandings(redis, theStatistics().scales, policy, all);
  const counted = worstOf(standings, ({ algorithm }) => algorithm !== "earrrl");
  const byCounter = worstFirst([...counted, ...foreign]);
  const byEstimate = worstOf(standings, ({ algorithm }) => algorithm === "earrrl");
  const told = [...byCounter.slice(0, most), ...byEstimate.slice(0, most)];
  const tell = await teller(told, toolsOf(seen, policy.edge.tools), asOf);
  return {
    asOf,
    byCounter: byCounter.slice(0, most).map(tell),
    byEstimate: byEstimate.slice(0, most).map(tell),
    over: overLimit(standings),
    foreignAgeMs: highest ? Math.max(0, asOf - highest.at) : null,
  };
}

/** Those who came most and those who were denied most, in this minute and the last. */
async function candidates(app: string | undefined, nowMs: number): Promise<TopHitter[]> {
  const minute = Math.floor(nowMs / 60_000);
  const wanted = { app, minutes: [minute - 1, minute], most: mostCandidates };
  const { redis } = theConsole();
  const [all, denied] = await Promise.all([
    readHitters(redis, { ...wanted, by: "all" }),
    readHitters(redis, { ...wanted, by: "denied" }),
  ]);
  const byName = new Map([...denied, ...all].map((hitter) => [JSON.stringify(hitter.name), hitter]));
  return [...byName.values()].slice(0, 2 * mostCandidates);
}

function overLimit(standings: readonly Standing[]): number {
  const over = standings.filter(({ reading, step }) => reading.isOver && !step.isShadowed);
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

async function teller(told: readonly Standing[], tools: ReadonlyMap<string, string>, nowMs: number) {
  const listed = await listedOf(told.flatMap(({ name }) => (name.kind === "ip" ? [name.client] : [])));
  theTrends().forget(nowMs);
  return ({ name, app, requests, denied, step, reading }: Standing): Offender => {
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
      const lists = await askLists(redis, block, ranges);
      for (const list of listNames) {
        const address = lists.match(list, block);
        if (address) return [[client, { list, address: String(address) }] as const];
      }
      return [];
    }),
  );
  return new Map(found.flat());
}
