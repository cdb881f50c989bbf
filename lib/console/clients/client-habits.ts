import { broadFingerprint, standardFingerprint } from "../../enforce/policy/fingerprint.ts";
import { rawPath } from "../../enforce/policy/request.ts";
import { parseIp } from "../../ip/parse.ts";
import { type FeedItem, toolOf } from "../../observe/stats/feed.ts";
import type { ClientReply } from "../../queries/client.ts";
import { type CountedSamples, isDenied, type WeighedSamples, weighSamples } from "./sample-weights.ts";

const mostShown = 12;
/** What nodes cut a path to, which is then not the whole one. */
const cutTo = 200;

type ClientHabits = Pick<
  ClientReply,
  | ("apps" | "customers" | "requests" | "userAgents" | "outcomes" | "denyingRules")
  | ("fingerprints" | "samples")
>;

interface ClientSamples {
  /** The newest first. */
  readonly seen: readonly FeedItem[];
  /** The same with what was counted, one by one for the addresses of a range. */
  readonly clients: readonly CountedSamples[];
  readonly appsCounted: ReadonlyMap<string, number>;
}

/** What a client asks for, and as what, by the requests that nodes kept. `tools` are the policy's. */
export function habitsOf(
  { seen, clients, appsCounted }: ClientSamples,
  tools: readonly string[],
): ClientHabits {
  const weighed = clients.map(weighSamples);
  const items = weighed.flatMap(({ denied, others }) => [...denied.items, ...others.items]);
  const total = items.reduce((sum, { standsFor }) => sum + standsFor, 0);
  const share = (count: number, of = total) => (of === 0 ? 0 : count / of);
  const shares = (tell: (item: FeedItem) => string) =>
    mostOf(items, tell)
      .filter(({ text }) => text !== "")
      .slice(0, mostShown)
      .map(({ text, count, item }) => ({ text, share: share(count), item }));
  const denials = items.filter(isDenial);
  const allDenials = denials.reduce((sum, { standsFor }) => sum + standsFor, 0);
  return {
    apps: appsOf(appsCounted, shares),
    customers: shares(({ customerId }) => customerId).map(plain),
    requests: shares(({ method, path }) => `${method} ${path}`).map(({ share, item }) => ({
      ...{ text: item.path, method: item.method, share },
    })),
    userAgents: mostOf(items, ({ userAgent }) => userAgent)
      .slice(0, mostShown)
      .map(({ text, count }) => {
        const tool = toolOf(text, tools);
        return { text, share: share(count), ...(tool !== undefined && { tool }) };
      }),
    outcomes: outcomesOf(weighed),
    denyingRules: mostOf(denials, ({ rule }) => rule)
      .slice(0, mostShown)
      .map(({ text, count }) => ({ text, share: share(count, allDenials) })),
    fingerprints: {
      standard: shares(standardOf).map(({ text, share, item }) => ({ text, share, isCut: isCut(item) })),
      broad: shares(broadOf).map(({ text, share }) => ({ text, share, isCut: false })),
    },
    samples: samplesOf(seen),
  };
}

/** Empty where requests were not counted. A kind of which no sample says more is named as it was counted. */
function outcomesOf(weighed: readonly WeighedSamples[]): ClientHabits["outcomes"] {
  const counts = new Map<ClientHabits["outcomes"][number]["text"], number>();
  const add = (text: ClientHabits["outcomes"][number]["text"], count: number) =>
    counts.set(text, (counts.get(text) ?? 0) + count);
  let all = 0;
  for (const { denied, others, isCounted } of weighed) {
    if (!isCounted) continue;
    all += denied.requests + others.requests;
    if (denied.items.length === 0) add("denied", denied.requests);
    // Requests that a rule in shadow would have denied have samples of their own, and are counted among those that passed.
    const isMixed = others.items.length === 0 || others.items.some(({ outcome }) => outcome === "shadow");
    if (isMixed) add("not-denied", others.requests);
    for (const { outcome, standsFor } of [...denied.items, ...(isMixed ? [] : others.items)])
      if (outcome !== "shadow") add(outcome, standsFor);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([text, count]) => ({ text, share: count / all }));
}

const isDenial = (item: FeedItem) => isDenied(item) || item.outcome === "shadow";

/** As counted, or by samples where the client was not among the busiest of any minute. */
function appsOf(
  counted: ReadonlyMap<string, number>,
  shares: (tell: (item: FeedItem) => string) => { text: string; share: number }[],
): ClientHabits["apps"] {
  const sampled = shares(({ app }) => app).map(plain);
  if (counted.size === 0) return sampled;
  const all = [...counted.values()].reduce((sum, count) => sum + count, 0);
  const apps = [...counted].map(([text, count]) => ({ text, share: count / all }));
  const others = sampled.filter(({ text }) => !counted.has(text)).map(({ text }) => ({ text, share: 0 }));
  return [...apps, ...others].sort((a, b) => b.share - a.share);
}

const mostLatest = 12;

function samplesOf(seen: readonly FeedItem[]): ClientReply["samples"] {
  if (seen.length === 0) return null;
  const times = seen.map(({ at }) => at);
  const latest = [...seen.filter(isDenial), ...seen.filter((item) => !isDenial(item))].slice(0, mostLatest);
  return { count: seen.length, from: Math.min(...times), until: Math.max(...times), latest };
}

/** As rules and edges count it; "" where no address is known. */
function standardOf(item: FeedItem): string {
  const ip = parseIp(item.ip);
  if (!ip.ok) return "";
  return standardFingerprint(item.host, rawPath(item), item.method, ip.value, item.userAgent);
}

function broadOf({ ip: text, userAgent }: FeedItem): string {
  const ip = parseIp(text);
  return ip.ok ? broadFingerprint(ip.value, userAgent) : "";
}

/** A path that was cut behind its "?" is whole without the query. */
const isCut = (item: FeedItem) => rawPath(item).length >= cutTo;

const plain = ({ text, share }: { text: string; share: number }) => ({ text, share });

/** Values of the requests with their counts, the highest first. */
export function mostOf(seen: readonly FeedItem[], tell: (item: FeedItem) => string) {
  const found = new Map<string, { text: string; count: number; item: FeedItem }>();
  for (const item of seen) {
    const text = tell(item);
    const sum = found.get(text) ?? { text, count: 0, item };
    found.set(text, sum);
    sum.count += item.standsFor;
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
