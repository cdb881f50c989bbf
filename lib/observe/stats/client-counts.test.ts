import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { freshInstall } from "../../enforce/policy/stored.ts";
import { ruleNames } from "../../enforce/stats/fields.ts";
import { sendReport } from "../../enforce/stats/report.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { ClientCounts, clientsWithin, readLastMinutes } from "./client-counts.ts";
import { readRates } from "./rates.ts";
import { Series } from "./series.ts";

let server: TestRedis;
let redis: Connection;
let counts: ClientCounts;
const minuteMs = 60_000;
const midnight = 1_700_006_400_000;
const firstMinute = midnight / minuteMs;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await server.client.flushall();
  counts = new ClientCounts(redis);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function send(app: string, minute: number, hitters: Record<string, [count: number, denied: number]>) {
  const report = {
    counts: new Map([["pass", 1]]),
    hitters: Object.entries(hitters).map(([name, [count, denied]]) => ({ name, count, denied })),
    seen: [],
  };
  await sendReport(redis, { app, node: "n", report, nowMs: midnight + minute * minuteMs });
}

const address = (text: string): Ip | Cidr => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};

describe("one client and a range", () => {
  const minutes = [100, 101];
  const rules = ruleNames(freshInstall.policy);

  beforeEach(async () => {
    for (const minute of minutes) await server.client.sadd(keys.activeApps(minute), "shop");
    await server.client.zadd(keys.hitters("all", "shop", 100), 7, "ip 203.0.113.9");
    await server.client.zadd(keys.hitters("denied", "shop", 100), 3, "ip 203.0.113.9");
  });

  const readers: [of: string, read: () => Promise<unknown>][] = [
    ["one client", () => counts.of({ kind: "ip", client: "203.0.113.9" }, minutes, 102 * minuteMs)],
    ["a range", () => counts.within(address("203.0.113.0/24"), minutes)],
    ["several clients", () => counts.sumOf(["203.0.113.9", "203.0.113.10"], minutes)],
    ["the top clients", () => counts.top({ minutes, most: 5, by: "denied", rules })],
  ];

  it("adds up the reports, minute by minute and client by client", async () => {
    const [ofClient, ...ofRange] = await Promise.all(readers.map(([, read]) => read()));
    expect(ofClient).toEqual([
      { minute: 100, requests: 7, denied: 3, apps: new Map([["shop", 7]]) },
      { minute: 101, requests: 0, denied: 0 },
    ]);
    for (const found of ofRange) expect(found).toMatchObject([{ requests: 7, denied: 3 }]);
    expect(ofRange[0]).toEqual([{ client: "203.0.113.9", requests: 7, denied: 3 }]);
  });

  it.each(readers)("throws where part of the counts of %s cannot be read: it is not 0", async (_, read) => {
    await server.client.set(keys.hitters("denied", "shop", 100), "not a sorted set");
    await expect(read()).rejects.toThrow(/^WRONGTYPE/);
  });

  it.each([
    ...readers,
    ["the busiest clients", () => counts.busiest({ kind: "ip", minutes, most: 5, nowMs: 102 * minuteMs })],
  ] as const)("throws where the requests of %s, or the apps, cannot be read", async (_, read) => {
    await server.client.set(keys.hitters("all", "shop", 101), "not a sorted set");
    await expect(read()).rejects.toThrow(/^WRONGTYPE/);
    await server.client.del(keys.hitters("all", "shop", 101));
    await server.client.set(keys.activeApps(101), "not a set");
    await expect(read()).rejects.toThrow(/^WRONGTYPE/);
  });
});

describe("the last minute of the top clients", () => {
  const rules = ruleNames(freshInstall.policy);
  const top = (second: number) =>
    counts.top({ minutes: [100, 101], most: 5, by: "denied", rules, nowMs: 101 * minuteMs + second * 1_000 });

  it("has the running minute, and the part of the minute before that is within 60 s", async () => {
    for (const minute of [100, 101]) await server.client.sadd(keys.activeApps(minute), "shop");
    await server.client.zadd(keys.hitters("all", "shop", 100), 600, "ip 203.0.113.9");
    await server.client.zadd(keys.hitters("denied", "shop", 100), 300, "ip 203.0.113.9");
    await server.client.zadd(keys.hitters("all", "shop", 101), 40, "ip 203.0.113.9");
    await server.client.zadd(keys.hitters("denied", "shop", 101), 20, "ip 203.0.113.9");
    const lastMinutes = async (second: number) => (await top(second)).map(({ lastMinute }) => lastMinute);
    expect(await lastMinutes(0)).toEqual([{ requests: 640, denied: 320 }]);
    expect(await lastMinutes(15)).toEqual([{ requests: 490, denied: 245 }]);
    expect(await lastMinutes(60)).toEqual([{ requests: 40, denied: 20 }]);
    expect(await top(15)).toMatchObject([{ requests: 640, denied: 320 }]);
  });
});

describe("a client's last day", () => {
  const nowMs = midnight + 1_439 * minuteMs + 30_000;
  const client = { kind: "customer", client: "1042" } as const;
  let series: Series;
  const day = () => readLastMinutes({ counts, series }, client, { minutes: 1_440, nowMs });

  beforeEach(() => {
    series = new Series(redis);
  });

  it("adds up the reports of all apps, and knows the minutes without any report", async () => {
    await send("shop", 0, { "customer 1042": [9, 2], "customer 104": [50, 50], "ip 1042": [7, 7] });
    await send("docs", 0, { "customer 1042": [5, 0] });
    await send("shop", 3, { "customer 2210": [4, 4] });
    await send("shop", 1_439, { "customer 1042": [1, 1] });
    const found = await day();
    expect(found).toHaveLength(1_440);
    expect(found.filter(({ isKnown }) => isKnown)).toMatchObject([
      { minute: firstMinute, requests: 14, denied: 2, isKnown: true },
      { minute: firstMinute + 3, requests: 0, denied: 0, isKnown: true },
      { minute: firstMinute + 1_439, requests: 1, denied: 1, isKnown: true },
    ]);
    expect(found[1]).toEqual({ minute: firstMinute + 1, requests: 0, denied: 0, isKnown: false });
  });

  it("knows a minute whose reports say that there was no request", async () => {
    const report = { counts: new Map(), hitters: [], seen: [] };
    await sendReport(redis, { app: "shop", node: "n", report, nowMs: midnight });
    expect((await day())[0]).toMatchObject({ requests: 0, isKnown: true });
  });

  it("reads a day once, and then what is new", async () => {
    for (let minute = 0; minute < 1_440; minute += 10)
      await send("shop", minute, { "customer 1042": [2, 1] });
    const first = await day();
    await send("shop", 1_439, { "customer 1042": [6, 0] });
    await server.client.config("RESETSTAT");
    const second = await day();
    expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(second.at(-1)).toMatchObject({ requests: 6, denied: 0 });
    const commands = await server.client.info("commandstats");
    const callsOf = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(commands)?.[1]);
    expect(callsOf("zmscore")).toBeLessThanOrEqual(4);
    expect(callsOf("smembers")).toBeLessThanOrEqual(2);
  });
});

describe("the clients of a range", () => {
  const minutes = [0, 1, 2].map((n) => firstMinute + n);
  const known = () =>
    readRates(counts, { kind: "ip", periodMinutes: 1, windows: 3, nowMs: midnight + 2 * minuteMs });

  beforeEach(async () => {
    await send("shop", 0, {
      "ip 203.0.113.7": [10, 4],
      "ip 203.0.113.8": [3, 0],
      "ip 198.51.100.1": [99, 99],
    });
    await send("docs", 0, { "ip 203.0.113.7": [5, 0], "customer 203.0.113.7": [50, 50] });
    await send("shop", 2, { "ip 203.0.113.7": [1, 1], "ip 2001:db8:1:2::/64": [8, 2] });
    await send("shop", 3, { "ip 203.0.113.7": [1_000, 0] });
  });

  it("are added up over apps and minutes, the busiest first", async () => {
    const clients = await clientsWithin(await known(), address("203.0.113.0/24"), 500);
    const sums = [
      { client: "203.0.113.7", requests: 16, denied: 5 },
      { client: "203.0.113.8", requests: 3, denied: 0 },
    ];
    expect(await counts.sumOf(clients, minutes)).toEqual(sums);
    expect(await counts.within(address("203.0.113.0/24"), minutes)).toEqual(sums);
  });

  it("include an IPv6 address by its network, and in a wider range the networks in it", async () => {
    for (const range of ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"])
      expect(await clientsWithin(await known(), address(range), 500)).toEqual(["2001:db8:1:2::/64"]);
    expect(await clientsWithin(await known(), address("2001:db8:1:3::/64"), 500)).toEqual([]);
  });

  it("are no more than are wanted, the busiest first", async () => {
    expect(await clientsWithin(await known(), address("203.0.113.0/24"), 1)).toEqual(["203.0.113.7"]);
  });

  it("are read in pieces when they are many", async () => {
    const apps = Array.from({ length: 8 }, (_, i) => `app${i}`);
    const many = Array.from({ length: 60 }, (_, i) => 1_000 + i);
    const pipeline = redis.pipeline();
    for (const minute of many) {
      pipeline.sadd(keys.activeApps(minute), ...apps);
      for (const app of apps) pipeline.zadd(keys.hitters("all", app, minute), 2, "ip 192.0.2.9");
    }
    await pipeline.exec();
    const began = vi.spyOn(redis, "pipeline");
    const clients = Array.from({ length: 500 }, (_, i) => `192.0.${2 + (i >> 8)}.${i & 255}`);
    const sums = await counts.sumOf(clients, many);
    const largest = began.mock.results.slice(1).map(({ value }) => value.length);
    began.mockRestore();
    expect(sums).toEqual([{ client: "192.0.2.9", requests: 960, denied: 0 }]);
    expect(Math.max(...largest)).toBeLessThanOrEqual(4);
  });

  it("are none that sent no request", async () => {
    expect(await counts.sumOf(["192.0.2.1"], minutes)).toEqual([]);
    expect(await counts.sumOf([], minutes)).toEqual([]);
  });
});
