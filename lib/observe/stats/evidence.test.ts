import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Reporter } from "../../enforce/stats/reporter.ts";
import type { CountedDecision } from "../../enforce/stats/tally.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { Schedule } from "../../redis/schedule.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { Uplink } from "../../redis/uplink.ts";
import { ClientCounts } from "./client-counts.ts";
import { clientsWithEvidence, readEvidence } from "./evidence.ts";
import { queryFeed } from "./feed.ts";
import { SimulatedNode } from "./vitest.simulated-node.ts";

let server: TestRedis;
let redis: Connection;
beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
afterEach(() => server.client.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const attackers = [
  { ip: "203.0.113.64", userAgent: "sqlmap/1.8", rule: "req/ip/1", outcome: "throttled", a: "/login" },
  { ip: "203.0.113.81", userAgent: "ffuf/2.1", rule: "login", outcome: "throttled", a: "/admin" },
  { ip: "198.51.100.7", userAgent: "Scrapy/2.11", rule: "203.0.113.0/24", outcome: "blocked", a: "/items" },
] as const;

it("shows an attack an hour later, with 2,000 requests a second of others since", async () => {
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 3_700_000;
  const node = new SimulatedNode(redis);
  for (let second = 0; second < 8; second++) {
    for (const [i, { a, ...attacker }] of attackers.entries())
      for (let n = 0; n < 5 * (i + 1); n++)
        node.check({
          ...attacker,
          path: `${a}/${(second + n) % 3}`,
          customerId: i === 2 ? "acme" : undefined,
        });
    node.check({ ip: attackers[0].ip, path: "/start" });
    await node.report(start + 1_000 * (second + 1));
  }
  const hour = 3_600;
  // One second of thirty shows the same, in less time.
  for (let second = 0; second < hour; second += 30) {
    for (let n = 0; n < 2_000; n++) {
      const client = (second * 2_000 + n) % 2_000_000;
      const ip = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
      if (n % 10 === 0) node.check({ ip, outcome: "throttled", rule: "req/ip/1" });
      else node.check({ ip });
    }
    await node.report(start + 1_000 * (second + 9));
  }
  const nowMs = start + 1_000 * (hour + 9);

  const found = await readEvidence(redis, { kind: "ip", clients: attackers.map(({ ip }) => ip), nowMs });
  for (const [i, { ip, userAgent, rule, outcome, a }] of attackers.entries()) {
    const { denied } = found[i] ?? { denied: [] };
    expect(new Set(denied.map(({ path }) => path))).toEqual(new Set([`${a}/0`, `${a}/1`, `${a}/2`]));
    for (const one of denied) expect(one).toMatchObject({ ip, userAgent, rule, outcome, app: "shop" });
    expect(Math.min(...denied.map(({ at }) => at))).toBe(start + 1_000);
    expect(denied.length).toBeLessThanOrEqual(40);
    const minute = Math.floor(start / 60_000);
    const [first] = await new ClientCounts(redis).of({ kind: "ip", client: ip }, [minute], nowMs);
    expect(first).toMatchObject({ denied: 40 * (i + 1) });
  }
  expect(found[0]?.passed.map(({ path }) => path)).toContain("/start");
  const [acme] = await readEvidence(redis, { kind: "customer", clients: ["acme"], nowMs });
  expect(new Set(acme?.denied.map(({ ip }) => ip))).toEqual(new Set(["198.51.100.7"]));
  expect(await clientsWithEvidence(redis, "203.0.113.0/24" as never, 9)).toEqual([
    "203.0.113.81",
    "203.0.113.64",
  ]);
}, 120_000);

it("keeps a bounded number of clients, the most denied, in memory that does not grow", async () => {
  const start = Date.now();
  const node = new SimulatedNode(redis);
  // The first request of each report is always kept, later ones by chance.
  for (let second = -1; second <= 0; second++) {
    for (let n = 0; n < 30; n++)
      node.check({ ip: "203.0.113.64", outcome: "blocked", rule: "x", path: `/${n}` });
    await node.report(start + second * 1_000);
  }
  const used: number[] = [];
  for (let second = 1; second <= 400; second++) {
    for (let n = 0; n < 250; n++)
      node.check({ ip: `10.0.${second}.${n}`, outcome: n % 2 ? "blocked" : "pass", rule: "x" });
    await node.report(start + second * 1_000);
    if (second === 200 || second === 400) used.push(await memoryOf());
  }
  expect(await redis.zcard(keys.evidenceIndex("denied", "ip"))).toBe(2_000);
  expect(await redis.zcard(keys.evidenceIndex("passed", "ip"))).toBe(1_000);
  expect((await redis.keys("sluice:evidence:denied:ip:*")).length).toBe(2_000);
  expect((await redis.keys("sluice:evidence:passed:ip:*")).length).toBe(1_000);
  expect(used[1]).toBeLessThan(1.02 * (used[0] ?? 0));
  const [known] = await readEvidence(redis, { kind: "ip", clients: ["203.0.113.64"], nowMs: start });
  expect(known?.denied.length).toBeGreaterThan(1);
});

/** Of the evidence alone. */
async function memoryOf(): Promise<number> {
  const all = await redis.keys("sluice:evidence:*");
  const pipeline = redis.pipeline();
  for (const key of all) pipeline.memory("USAGE", key, "SAMPLES", 0);
  const sizes = (await pipeline.exec()) ?? [];
  return sizes.reduce((sum, [, size]) => sum + Number(size), 0);
}

it("fills a client's list at once, then ever more slowly, and keeps the first request", async () => {
  const node = new SimulatedNode(redis);
  const start = Date.now() - 7_200_000;
  for (let second = 0; second <= 7_200; second++) {
    node.check({ ip: "203.0.113.64", outcome: "blocked", rule: "x", path: `/${second}` });
    await node.report(start + second * 1_000);
  }
  const query = { kind: "ip", clients: ["203.0.113.64"], nowMs: start + 7_200_000 } as const;
  const [found] = await readEvidence(redis, query);
  const times = found?.denied.map(({ at }) => (at - start) / 1_000) ?? [];
  expect(times).toHaveLength(40);
  expect(times.at(-1)).toBe(0);
  expect(times[0]).toBeGreaterThan(7_200 - 61);
  expect(times.at(-2)).toBeLessThan(7_200 - 38 * 59);
}, 60_000);

it("keeps denials of the feed apart from passes, filters them where they are, and says how far back they reach", async () => {
  const node = new SimulatedNode(redis);
  const start = Date.now();
  node.check({ ip: "203.0.113.64", outcome: "blocked", rule: "x", path: "/admin/login" });
  node.check({ ip: "203.0.113.65", outcome: "throttled", rule: "login", path: "/login" });
  await node.report(start);
  for (let second = 0; second < 150; second++) {
    for (let n = 0; n < 60; n++) node.check({ ip: `10.0.${second}.${n}` });
    await node.report(start + second);
  }
  expect(await redis.xlen(keys.samples("passed"))).toBeLessThan(2_700);
  const paths = async (query: Omit<Parameters<typeof queryFeed>[1], "most">) =>
    (await queryFeed(redis, { most: 9, ...query })).items.map(({ path }) => path);
  expect(await paths({ streams: ["throttled", "blocked", "shadow"] })).toHaveLength(2);
  expect(await paths({ streams: ["blocked"] })).toEqual(["/admin/login"]);
  expect(await paths({ rule: "login" })).toEqual(["/login"]);
  expect(await paths({ ip: "203.0.113.64" })).toEqual(["/admin/login"]);
  expect(await paths({ path: "login", streams: ["throttled"] })).toEqual(["/login"]);
  expect(await paths({ path: "/login", app: "shop" })).toHaveLength(2);
  expect(await paths({ path: "/login", app: "docs" })).toEqual([]);
  await redis.xadd(keys.samples("blocked"), "*", "sample", '"/admin" no JSON');
  expect(await paths({ streams: ["blocked"], path: "/admin" })).toEqual(["/admin/login"]);
  expect(await paths({ streams: ["blocked"] })).toEqual(["/admin/login"]);
  const [oldest] = await redis.xrange(keys.samples("passed"), "-", "+", "COUNT", 1);
  const { since } = await queryFeed(redis, { most: 9, streams: ["passed"] });
  expect(since).toBe(Number(oldest?.[0].split("-")[0]));
  expect((await queryFeed(redis, { most: 9, streams: ["shadow"] })).since).toBeUndefined();
});

it("puts samples into the one stream of earlier versions where the account may write no evidence", async () => {
  const rights =
    "-@all +eval +evalsha +time +hincrby +hsetnx +expire +zincrby +zcard +sadd +xadd +info +ping";
  const prefixes = ["series", "totals", "hitters", "apps", "feed", "nodes"].map((name) => `~sluice:${name}*`);
  const words = ["on", ">pass", ...prefixes, ...`${rights} +client +hello +select`.split(" ")];
  await server.client.call("ACL", "SETUSER", "earlier", ...words);
  const url = server.url.replace("redis://", "redis://earlier:pass@");
  const earlier = connectControl(url, "patiently");
  const schedule = new Schedule();
  const reporter = new Reporter(new Uplink(earlier, schedule), { app: "shop", node: "n" });
  const decision: CountedDecision = {
    ...{ outcome: "blocked", rule: "x", deniedBy: undefined, shadowed: [], isUnsure: false, tookMs: 1 },
    ...{ network: "203.0.113.64", customerId: undefined, isCustomerUnknown: false },
  };
  const text = { ip: "203.0.113.64", method: "GET", host: "", path: "/x", userAgent: "" };
  await earlier.ping();
  for (let turn = 0; turn < 2; turn++) {
    reporter.note(decision, () => text);
    await reporter.send();
  }
  expect(await redis.xlen(keys.feed())).toBe(1);
  expect(await redis.hgetall(keys.totals())).toMatchObject({ "shop\0blocked": "2" });
  expect((await queryFeed(redis, { most: 9, streams: ["blocked"] })).items).toMatchObject([{ path: "/x" }]);
  earlier.disconnect();
});
