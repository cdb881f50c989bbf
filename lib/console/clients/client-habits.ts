import { broadFingerprint, standardFingerprint } from "../../enforce/policy/fingerprint.ts";
import { rawPath } from "../../enforce/policy/request.ts";
import { parseIp } from "../../ip/parse.ts";
import { type FeedItem, toolOf } from "../../observe/stats/feed.ts";
import type { ClientReply } from "../../queries/client.ts";

const mostShown = 12;
/** What nodes cut a path to, which is then not the whole one. */
const cutTo = 200;

/** What a client asks for, and as what, by the requests that nodes kept. `tools` are the policy's. */
export function habitsOf(
  seen: readonly FeedItem[],
  tools: readonly string[],
): Pick<ClientReply, "apps" | "customers" | "requests" | "userAgents" | "fingerprints"> {
  const counted = (tell: (item: FeedItem) => string) =>
    mostOf(seen, tell)
      .filter(({ text }) => text !== "")
      .slice(0, mostShown);
  return {
    apps: counted(({ app }) => app).map(plain),
    customers: counted(({ customerId }) => customerId).map(plain),
    requests: counted(({ method, path }) => `${method} ${path}`).map(({ count, item }) => ({
      ...{ text: item.path, method: item.method, count },
    })),
    userAgents: mostOf(seen, ({ userAgent }) => userAgent)
      .slice(0, mostShown)
      .map(({ text, count }) => {
        const tool = toolOf(text, tools);
        return { text, count, ...(tool !== undefined && { tool }) };
      }),
    fingerprints: {
      standard: counted(standardOf).map(({ text, count, item }) => ({ text, count, isCut: isCut(item) })),
      broad: counted(broadOf).map(({ text, count }) => ({ text, count, isCut: false })),
    },
  };
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

const plain = ({ text, count }: { text: string; count: number }) => ({ text, count });

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
