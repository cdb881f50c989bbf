import { type Explanation, explain } from "../../lib/guard/explain.ts";
import { readRules } from "../../lib/guard/explain-rules.ts";
import { covers, format, isWhole, masked } from "../../lib/ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../lib/ip/parse.ts";
import { readPolicy } from "../../lib/policy/versions.ts";
import type { ClientReply } from "../../lib/queries/client.ts";
import { countedAs } from "../../lib/stats/counted-as.ts";
import { type FeedItem, readFeed } from "../../lib/stats/feed.ts";
import { readInside, readMinutes } from "../../lib/stats/past.ts";
import { habitsOf, mostOf } from "./client-habits.ts";
import { theConsole } from "./console.ts";
import { requireAddress } from "./required-address.ts";
import { redisNowMs, theStatistics } from "./statistics.ts";
import { theTrends, trendName } from "./trends.ts";

interface Wish {
  readonly app?: string | undefined;
  readonly path?: string | undefined;
}

const mostSeen = 5_000;
const mostListed = 12;
/** Whoever asks why somebody is stopped means now. */
const latelyMs = 60_000;
const denials: ReadonlySet<FeedItem["outcome"]> = new Set(["throttled", "blocked"]);
/** Counted together: an IPv4 address by itself, an IPv6 address with its network. */
const neighbourhood = { 4: 24, 6: 48 } as const;

/** Everything that is known of a client, and why it is treated as it is. Nothing is counted by asking. */
export async function tellOfClient(text: string, wish: Wish): Promise<ClientReply> {
  const { redis, protectedRanges } = theConsole();
  const address = requireAddress(text);
  const block = blockOf(address);
  const asOf = await redisNowMs();
  const seen = (await readFeed(redis, { most: mostSeen })).filter(({ ip }) => isInside(address, ip));
  const asked = askedOf(seen, wish, asOf);
  const ip = isWhole(block) ? address : (seen[0]?.ip ?? firstOf(address));
  const { scales } = theStatistics();
  const source = { redis, scales, app: asked.app };
  const { customerId, ...plainly } = asked;
  const request = { ...plainly, ...(customerId !== undefined && { customerId }) };
  const explanation = await explain(
    { redis, protectedRanges, readRules: (client) => readRules(source, request, client) },
    { ip },
  );
  const minute = Math.floor(asOf / 60_000);
  const hour = Array.from({ length: 60 }, (_, i) => minute - 59 + i);
  const counted = countedAs(block);
  const [minutes, around, { policy }] = await Promise.all([
    readMinutes(redis, { kind: "ip", client: counted, minutes: hour }),
    readInside(redis, { range: neighbourhoodOf(address), minutes: [minute - 1, minute] }),
    readPolicy(redis),
  ]);
  return {
    ...{ asOf, client: address, asked, minutes },
    ...told(explanation),
    ...habitsOf(seen, policy.edge.tools),
    estimates: estimatesOf(explanation, counted, asOf),
    neighbours: around.filter(({ client }) => client !== counted).slice(0, mostListed),
  };
}

function told({ outcome, status, steps }: Explanation): Pick<ClientReply, "outcome" | "status" | "steps"> {
  return {
    outcome,
    status,
    steps: steps.map(({ step, decides, says, entries, rules = [] }) => ({
      ...{ step, decides, says },
      rules: rules.map(({ counts: _, ...rule }) => rule),
      entries: entries.map(({ list, address, note, expiresAt, disobeyed }) => ({
        ...{ list, address, reason: note.reason, expiresAt },
        ...(note.by && { by: note.by }),
        ...(disobeyed && { disobeyed }),
      })),
    })),
  };
}

/** As others read it before, on whatever page, and now. */
function estimatesOf({ steps }: Explanation, client: string, asOf: number): ClientReply["estimates"] {
  const level = steps.flatMap(({ rules = [] }) => rules).find(({ algorithm }) => algorithm === "earrrl");
  if (!level) return [];
  const { name: rule, periodSeconds, used } = level;
  const reads = theTrends().add(trendName({ kind: "ip", client, rule, periodSeconds }), used, asOf);
  return reads.map(({ at, value }) => ({ at, estimate: value }));
}

/** The request to explain: as wished, else like those that were denied lately, else like those it sends. */
function askedOf(seen: readonly FeedItem[], { app, path }: Wish, asOf: number): ClientReply["asked"] {
  const alike = app === undefined ? seen : seen.filter((item) => item.app === app);
  const denied = alike.filter(({ at, outcome }) => at > asOf - latelyMs && denials.has(outcome));
  const usual = mostOf(denied.length > 0 ? denied : alike, (item) =>
    JSON.stringify([item.app, item.method, item.path, item.customerId]),
  )[0]?.item;
  return {
    app: app ?? usual?.app ?? "",
    method: usual?.method ?? "GET",
    path: path ?? usual?.path ?? "/",
    ...(usual?.customerId && { customerId: usual.customerId }),
  };
}

function neighbourhoodOf(address: Ip | Cidr): Ip | Cidr {
  const block = blockOf(address);
  const length = neighbourhood[block.family];
  if (block.length <= length) return address;
  const parsed = parseAddress(format(masked(block, length)));
  return parsed.ok ? parsed.value : address;
}

function isInside(range: Ip | Cidr, text: string): boolean {
  const parsed = parseAddress(text);
  return parsed.ok && covers(blockOf(range), blockOf(parsed.value));
}

/** Of a range that nobody came from lately. */
function firstOf(range: Ip | Cidr): string {
  return range.split("/", 1)[0] ?? range;
}
