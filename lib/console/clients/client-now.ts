import { at } from "../../at.ts";
import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { type Explanation, explain } from "../../enforce/guard/explain.ts";
import { readRules } from "../../enforce/guard/explain-rules.ts";
import { findCovering } from "../../enforce/lists/lookup.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { countedAs } from "../../enforce/stats/fields.ts";
import { DomainError } from "../../errors.ts";
import { format, isWhole, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { sessionOf } from "../../manage/customers/session-limits.ts";
import { appsOf, type KnownMinute, readLastMinutes } from "../../observe/stats/client-counts.ts";
import type { FeedItem } from "../../observe/stats/feed.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import type { ClientReply } from "../../queries/client.ts";
import { theConsole } from "../console.ts";
import { theFeedLists } from "../feeds/feed-lists.ts";
import { redisNowMs, theStatistics, theTrends, trendName } from "../statistics.ts";
import { habitsOf, mostOf } from "./client-habits.ts";
import { clientSamples, countedSamples, seenWithin } from "./client-samples.ts";

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

const dayMinutes = 1_440;
const minuteMs = 60_000;
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
  const counted = countedAs(block);
  // Statistics that cannot be read are unknown; why the client is treated as it is does not rest on them.
  const minutes = await dayOf(counted, asOf).catch(() => null);
  const seen = await clientSamples(redis, address, asOf);
  const samples = await countedSamples(theStatistics(), { address, seen, minutes: minutes ?? [] });
  const asked = askedOf(seen, wish, asOf);
  const ip = isWhole(block) ? address : (seen[0]?.ip ?? firstOf(address));
  const { scales, clients, series } = theStatistics();
  const source = { redis, scales, app: asked.app };
  const { customerId, ...plainly } = asked;
  const session = await sessionOf(redis, customerId);
  const headers = { "user-agent": usualAgentOf(seen, plainly) };
  const request = { ...plainly, headers, ...(customerId !== undefined && { customerId }), ...session };
  const explanation = await explain(
    {
      readEntries: (client) => findCovering(redis, client, protectedRanges),
      readFeeds: theFeedLists,
      readRules: (client, facts) => readRules({ ...source, facts }, request, client),
      readSlack: (rules) => readSlack({ redis, series }, rules),
    },
    { ip },
  );
  const minute = Math.floor(asOf / 60_000);
  const [earlier, around, { policy }] = await Promise.all([
    seenWithin(redis, neighbourhoodOf(address), asOf).catch(() => null),
    clients.within(neighbourhoodOf(address), [minute - 1, minute]).catch(() => null),
    readPolicy(redis),
  ]);
  const shown = new Set([counted, ...(around ?? []).map(({ client }) => client)]);
  const isOther = ({ client }: { client: string }) => !shown.has(client);
  return {
    ...{ asOf, client: address, asked },
    day: minutes && dayReply(minutes, seen),
    ...replyOf(explanation),
    ...habitsOf({ seen, clients: samples, appsCounted: appsOf(minutes ?? []) }, policy.edge.tools),
    estimates: estimatesOf(explanation, counted, asOf),
    neighbours: around?.filter(({ client }) => client !== counted).slice(0, mostListed) ?? null,
    earlierNeighbours: earlier?.filter(isOther).slice(0, mostListed) ?? null,
  };
}

function dayOf(counted: string, nowMs: number): Promise<readonly KnownMinute[]> {
  const { clients: counts, series } = theStatistics();
  return readLastMinutes({ counts, series }, { kind: "ip", client: counted }, { minutes: dayMinutes, nowMs });
}

/** A sample is a request at least: a minute in which the client was not among the busiest has as many as samples. */
function dayReply(minutes: readonly KnownMinute[], seen: readonly FeedItem[]): ClientReply["day"] {
  const kept = new Map<number, { requests: number; denied: number }>();
  for (const { at, outcome } of seen) {
    const minute = Math.floor(at / 60_000);
    const sum = kept.get(minute) ?? { requests: 0, denied: 0 };
    kept.set(minute, sum);
    sum.requests++;
    if (denials.has(outcome)) sum.denied++;
  }
  const known = minutes.flatMap(({ minute, requests, denied }) => {
    const least = kept.get(minute) ?? { requests: 0, denied: 0 };
    const all = Math.max(requests, least.requests);
    return all > 0 ? [{ at: minute * 60_000, requests: all, denied: Math.max(denied, least.denied) }] : [];
  });
  const [first, last] = [known[0]?.at, known.at(-1)?.at];
  const [firstKept, lastKept] = [seen.at(-1)?.at, seen[0]?.at];
  return {
    minutes: known,
    unknownMinutes: minutes.filter(({ isKnown }) => !isKnown).length,
    // A sample says the second, counts the minute.
    firstAt:
      first === undefined || (firstKept ?? 0) - first < minuteMs ? (firstKept ?? first ?? null) : first,
    lastAt: lastKept === undefined ? (last ?? null) : Math.max(lastKept, last ?? 0),
  };
}

function replyOf({
  outcome,
  status,
  trouble,
  says,
  steps,
}: Explanation): Pick<ClientReply, "outcome" | "status" | "isCertain" | "says" | "steps"> {
  return {
    ...{ outcome, status, isCertain: trouble === undefined, says },
    steps: steps.map(({ step, decides, says, entries, rules = [], slack = [] }) => ({
      ...{ step, decides, says },
      rules: rules.map(({ counts: _, rule: __, ...rule }) => rule),
      slack: slack.map(({ rule, says }) => ({ rule, says })),
      entries: entries.map(({ list, address, note, expiresAt, notEnforcedBecause }) => ({
        ...{ list, address, reason: note.reason, expiresAt },
        ...(note.by && { by: note.by }),
        ...(note.tags && { tags: note.tags }),
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

/** The user agent that such requests usually have. Undefined where none of them is known. */
function usualAgentOf(
  seen: readonly FeedItem[],
  { app, path }: Pick<ClientReply["asked"], "app" | "path">,
): string | undefined {
  const alike = seen.filter((item) => item.app === app && item.path === path);
  return mostOf(alike.length > 0 ? alike : seen, ({ userAgent }) => userAgent)[0]?.item.userAgent;
}

function neighbourhoodOf(address: Ip | Cidr): Ip | Cidr {
  const block = blockOf(address);
  const length = neighbourhood[block.family];
  if (block.length <= length) return address;
  return format(masked(block, length));
}

/** Of a range without recent requests. */
function firstOf(range: Ip | Cidr): string {
  return at(range.split("/", 1), 0);
}
