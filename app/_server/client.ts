import { DomainError } from "../../lib/errors.ts";
import { type Explanation, explain } from "../../lib/guard/explain.ts";
import { readRules } from "../../lib/guard/explain-rules.ts";
import { covers, format, isWhole, masked } from "../../lib/ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../lib/ip/parse.ts";
import type { ClientReply } from "../../lib/queries/client.ts";
import { type FeedItem, readFeed } from "../../lib/stats/feed.ts";
import { readInside, readMinutes } from "../../lib/stats/past.ts";
import { toolOf } from "../../lib/stats/tools.ts";
import { theConsole } from "./console.ts";
import { redisNowMs, theStatistics } from "./statistics.ts";

interface Wish {
  readonly app?: string | undefined;
  readonly path?: string | undefined;
}

const mostSeen = 5_000;
const mostListed = 12;
/** Counted together: an IPv4 address by itself, an IPv6 address with its network. */
const networkLength = 64;
const neighbourhood = { 4: 24, 6: 48 } as const;

/** Everything that is known of a client, and why it is treated as it is. Nothing is counted by asking. */
export async function tellOfClient(text: string, wish: Wish): Promise<ClientReply> {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new DomainError("bad-input", `${parsed.reason}.`, { client: parsed.reason });
  const { redis, protectedRanges } = theConsole();
  const address = parsed.value;
  const block = blockOf(address);
  const asOf = await redisNowMs();
  const seen = (await readFeed(redis, { most: mostSeen })).filter(({ ip }) => isInside(address, ip));
  const asked = askedOf(seen, wish);
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
  const counted =
    block.family === 6 && block.length > networkLength ? format(masked(block, networkLength)) : address;
  const [minutes, around] = await Promise.all([
    readMinutes(redis, { kind: "ip", client: counted, minutes: hour }),
    readInside(redis, { range: neighbourhoodOf(address), minutes: [minute - 1, minute] }),
  ]);
  return {
    ...{ asOf, client: address, asked, minutes },
    ...told(explanation),
    ...habits(seen),
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

/** The request to explain: as wished, else like those it sends. */
function askedOf(seen: readonly FeedItem[], { app, path }: Wish): ClientReply["asked"] {
  const alike = app === undefined ? seen : seen.filter((item) => item.app === app);
  const usual = mostOf(alike, (item) => JSON.stringify([item.app, item.method, item.path]))[0]?.item;
  const customerId = alike[0]?.customerId;
  return {
    app: app ?? usual?.app ?? "",
    method: usual?.method ?? "GET",
    path: path ?? usual?.path ?? "/",
    ...(customerId && { customerId }),
  };
}

function habits(seen: readonly FeedItem[]) {
  const counted = (tell: (item: FeedItem) => string) =>
    mostOf(seen, tell)
      .filter(({ text }) => text !== "")
      .slice(0, mostListed);
  return {
    apps: counted(({ app }) => app).map(plain),
    customers: counted(({ customerId }) => customerId).map(plain),
    requests: counted(({ method, path }) => `${method} ${path}`).map(({ count, item }) => ({
      ...{ text: item.path, method: item.method, count },
    })),
    userAgents: mostOf(seen, ({ userAgent }) => userAgent)
      .slice(0, mostListed)
      .map(({ text, count }) => {
        const tool = toolOf(text);
        return { text, count, ...(tool !== undefined && { tool }) };
      }),
  };
}

const plain = ({ text, count }: { text: string; count: number }) => ({ text, count });

function mostOf(seen: readonly FeedItem[], tell: (item: FeedItem) => string) {
  const found = new Map<string, { text: string; count: number; item: FeedItem }>();
  for (const item of seen) {
    const text = tell(item);
    const sum = found.get(text) ?? { text, count: 0, item };
    found.set(text, sum);
    sum.count += item.standsFor;
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
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
