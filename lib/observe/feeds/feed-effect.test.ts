import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendOwners } from "../../enforce/stats/report.ts";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import { blockOf, isCanonical, parseIp } from "../../ip/parse.ts";
import { type FeedDefinition, writeFeed } from "../../manage/feeds/definition.ts";
import { factsOf } from "../../manage/feeds/feed-contents.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import type { TopClient } from "../stats/client-counts.ts";
import { readFeedClients, readFeedOverlaps } from "./feed-effect.ts";

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const rangesOf = (...texts: string[]) => PackedRanges.of(texts.filter(isCanonical).map(blockOf));
const feed = rangesOf("203.0.113.0/24", "198.51.100.7", "2001:db8:7::/48");

const other: FeedDefinition = {
  ...{ id: "other", name: "Other", list: "blocklist", source: { kind: "as", asn: 64500 }, mode: "shadow" },
  ...{ isPaused: false, everyMs: 3_600_000, keepMs: null, holdPercent: 50, isWideConfirmed: false },
  ...{ exempt: [], by: "ada@example.org", at: "2026-11-20T00:00:00.000Z" },
};

function top(client: string, requests: number, kind: "ip" | "customer" = "ip"): TopClient {
  const name = { kind, client } as TopClient["name"];
  return { name, requests, denied: 1, app: "shop", lastMinute: { requests: 0, denied: 0 } };
}

describe("what a feed would do", () => {
  it("names the clients of the last hour that it has, with their customers, and no others", async () => {
    const { client: redis } = server;
    await redis.zadd(keys.nodes(), Date.now(), "one");
    await redis.hset(keys.node("one"), { id: "one", ownersFormat: "1" });
    const use = (customer: string, address: string) => ({ customer, address, requests: 1 });
    await sendOwners(redis, [
      ...[use("acme", "203.0.113.9"), use("initech", "203.0.113.9"), use("globex", "192.0.2.1")],
      use("acme", "2001:db8:7:1::/64"),
    ]);
    const asked: number[][] = [];
    const clients = {
      top: async ({ minutes }: { minutes: readonly number[] }) => {
        asked.push([minutes.length, minutes.at(-1) ?? 0]);
        return [
          ...[top("203.0.113.9", 40), top("192.0.2.1", 30), top("2001:db8:7:1::/64", 20)],
          ...[top("203.0.113.9", 10, "customer"), top("198.51.100.7", 5)],
        ];
      },
    };
    const found = await readFeedClients({ redis, clients }, feed, 100 * 60_000 + 1);
    expect(asked).toEqual([[60, 100]]);
    expect(found).toMatchObject({ clients: 3, requests: 65, denied: 3, areCustomersKnown: true });
    expect([...found.customers].sort()).toEqual(["acme", "initech"]);
    expect(found.busiest.map(({ client, customers }) => [client, [...customers].sort()])).toEqual([
      ["203.0.113.9", ["acme", "initech"]],
      ["2001:db8:7:1::/64", ["acme"]],
      ["198.51.100.7", []],
    ]);
  });

  it("names what wins over it: entries, protected ranges, the person who asks, and other feeds", async () => {
    const { client: redis } = server;
    await redis.set("safelist:203.0.113.4", "a partner");
    await redis.set("blocklist:203.0.113.0/25", "by hand");
    await redis.set("blocklist:192.0.2.4", "elsewhere");
    await redis.hset(keys.neverBlock(), "198.51.100.0/28", "an office");
    const { facts, bytes } = await factsOf(rangesOf("203.0.113.200", "192.0.2.9"), undefined, 0);
    await redis.set(keys.feedContents("other", facts.digest), Buffer.from(bytes));
    await redis.hset(keys.feeds(), "other", writeFeed({ ...other, contents: facts }));
    const own = parseIp("203.0.113.77");
    const found = await readFeedOverlaps(redis, feed, {
      protectedRanges: [],
      own: own.ok ? own.value : undefined,
    });
    expect(found).toMatchObject({
      ...{ safelisted: ["203.0.113.4"], safelistedCount: 1 },
      ...{ blocklisted: ["203.0.113.0/25"], blocklistedCount: 1 },
      feeds: [{ feed: "other", ranges: 1 }],
    });
    expect(found.protected.map(({ range }) => range)).toEqual(["203.0.113.77", "198.51.100.0/28"]);
  });
});
