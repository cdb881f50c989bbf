import { at } from "../../at.ts";
import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { type Explanation, explain } from "../../enforce/guard/explain.ts";
import { readRules } from "../../enforce/guard/explain-rules.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { countedAs } from "../../enforce/stats/fields.ts";
import { DomainError } from "../../errors.ts";
import { covers, format, isWhole, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { type FeedItem, readFeed } from "../../observe/stats/feed.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import type { ClientReply } from "../../queries/client.ts";
import { theConsole } from "../console.ts";
import { redisNowMs, theStatistics, theTrends, trendName } from "../statistics.ts";
import { habitsOf, mostOf } from "./client-habits.ts";

/** An address or range that a reader names. */
export function requireAddress(text: string): Ip | Cidr {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `${parsed.reason}.`, { client: parsed.reason });
}

interface RequestPart {
  readonly app?: string | undefined;
  readonly path?: string | undefined;
}

const mostSeen = 5_000;
const mostListed = 12;
/** The question why a client is denied means now. */
const latelyMs = 60_000;
const denials: ReadonlySet<FeedItem["outcome"]> = new Set(["throttled", "blocked"]);
/** Counted together: an IPv4 address alone, an IPv6 address with its network. */
const neighbourhood = { 4: 24, 6: 48 } as const;

/** Everything that is known of a client, and why it is treated as it is. Nothing is counted by asking. */
export async function tellOfClient(text: string, wish: RequestPart): Promise<ClientReply> {
  const { redis, protectedRanges } = theConsole();
  const address = requireAddress(text);
  const block = blockOf(address);
  const asOf = await redisNowMs();
  const seen = (await readFeed(redis, { most: mostSeen })).filter(({ ip }) => isInside(address, ip));
  const asked = askedOf(seen, wish, asOf);
  const ip = isWhole(block) ? address : (seen[0]?.ip ?? firstOf(address));
  const { scales, clients, series } = theStatistics();
  const source = { redis, scales, app: asked.app };
  const { customerId, ...plainly } = asked;
  const request = { ...plainly, ...(customerId !== undefined && { customerId }) };
  const explanation = await explain(
    {
      ...{ redis, protectedRanges },
      readRules: (client) => readRules(source, request, client),
      readSlack: (rules) => readSlack({ redis, series }, rules),
    },
    { ip },
  );
  const minute = Math.floor(asOf / 60_000);
  const hour = Array.from({ length: 60 }, (_, i) => minute - 59 + i);
  const counted = countedAs(block);
  const [minutes, around, { policy }] = await Promise.all([
    // Statistics that cannot be read are unknown; why the client is treated as it is does not rest on them.
    clients.of({ kind: "ip", client: counted }, hour, asOf).catch(() => null),
    clients.within(neighbourhoodOf(address), [minute - 1, minute]).catch(() => null),
    readPolicy(redis),
  ]);
  return {
    ...{ asOf, client: address, asked },
    minutes:
      minutes?.map(({ minute, requests, denied }) => ({ at: minute * 60_000, requests, denied })) ?? null,
    ...replyOf(explanation),
    ...habitsOf(seen, policy.edge.tools),
    estimates: estimatesOf(explanation, counted, asOf),
    neighbours: around?.filter(({ client }) => client !== counted).slice(0, mostListed) ?? null,
  };
}

function replyOf({
  outcome,
  status,
  says,
  steps,
}: Explanation): Pick<ClientReply, "outcome" | "status" | "says" | "steps"> {
  return {
    ...{ outcome, status, says },
    steps: steps.map(({ step, decides, says, entries, rules = [], slack = [] }) => ({
      ...{ step, decides, says },
      rules: rules.map(({ counts: _, rule: __, ...rule }) => rule),
      slack: slack.map(({ rule, says }) => ({ rule, says })),
      entries: entries.map(({ list, address, note, expiresAt, notEnforcedBecause }) => ({
        ...{ list, address, reason: note.reason, expiresAt },
        ...(note.by && { by: note.by }),
        ...(notEnforcedBecause && { notEnforced: notEnforcedBecause }),
      })),
    })),
  };
}

/** As others read it before, on whatever page, and now. */
function estimatesOf({ steps }: Explanation, client: string, asOf: number): ClientReply["estimates"] {
  const level = steps.flatMap(({ rules = [] }) => rules).find(({ algorithm }) => isRate(algorithm));
  if (!level) return [];
  const { rule, periodSeconds, used } = level;
  const reads = theTrends().add(trendName({ kind: "ip", client, rule, periodSeconds }), used, asOf);
  return reads.map(({ at, value }) => ({ at, estimate: value }));
}

/** The request to explain: as wished, else like those that were denied lately, else like those it sends. */
function askedOf(seen: readonly FeedItem[], { app, path }: RequestPart, asOf: number): ClientReply["asked"] {
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
  return format(masked(block, length));
}

export function isInside(range: Ip | Cidr, text: string): boolean {
  const parsed = parseAddress(text);
  return parsed.ok && covers(blockOf(range), blockOf(parsed.value));
}

/** Of a range without recent requests. */
function firstOf(range: Ip | Cidr): string {
  return at(range.split("/", 1), 0);
}
