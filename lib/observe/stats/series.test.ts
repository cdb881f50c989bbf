import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { Reporter } from "../../enforce/stats/reporter.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { Schedule } from "../../redis/schedule.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { Uplink } from "../../redis/uplink.ts";
import { type Bucket, knownSeconds, readRuleCounts, Series, sumOf } from "./series.ts";
import { readTotals } from "./totals.ts";

let server: TestRedis;
let redis: Connection;
const schedule = new Schedule();

beforeAll(async () => {
  server = await startRedis("--appendonly", "yes");
  redis = connectControl(server.url, "patiently");
  await eventually(() => expect(redis.status).toBe("ready"));
  report("shop", 200);
});

afterAll(async () => {
  schedule.close();
  redis.disconnect();
  await server.stop();
});

function report(app: string, everyMs: number): Reporter {
  const uplink = new Uplink(redis, schedule);
  const reporter = new Reporter(uplink, { app, node: `${app}${everyMs}` });
  uplink.add(everyMs, () => reporter.send());
  return reporter;
}

const lately = (nowMs: number) => new Series(redis).read(1, 10, nowMs);
const known = (buckets: readonly Bucket[]) => buckets.map((one) => knownSeconds(one, 1, "shop"));
const secondNow = () => Math.floor(Date.now() / 1_000);

it("knows quiet seconds from those in which Redis was away", async () => {
  const livedIn = await eventually(async () => {
    const second = secondNow() - 1;
    expect(known(await lately((second + 1) * 1_000)).at(-2)).toBe(1);
    return second;
  });
  await server.kill();
  const diedIn = secondNow();
  await eventually(() => expect(secondNow()).toBeGreaterThan(diedIn + 1));
  await server.restart();
  const cameIn = secondNow();
  await eventually(async () => {
    const now = Date.now();
    const buckets = await new Series(redis).read(1, Math.floor(now / 1_000) - livedIn + 1, now);
    const at = (second: number) =>
      knownSeconds(buckets.find((one) => one.at === second * 1_000) ?? none, 1, "shop");
    expect([livedIn, diedIn + 1].map(at)).toEqual([1, 0]);
    // The first report after the restart may be a few seconds late.
    expect(known(buckets.filter((one) => one.at > cameIn * 1_000))).toContain(1);
  });
  const [minute] = (await new Series(redis).read(60, 1, cameIn * 1_000)).slice(-1);
  expect(sumOf(minute ? [minute] : [], "pass")).toBe(0);
  expect(await readTotals(redis, (rule) => rule)).toEqual([]);
});

const none: Bucket = { at: 0, apps: new Map() };

it("costs a second and an app one mark, however many nodes are quiet", async () => {
  for (const everyMs of [90, 100, 110, 120]) report("docs", everyMs);
  const bucket = await eventually(async () => {
    const found = (await lately(Date.now())).findLast(({ apps }) => apps.has("docs"));
    expect(found).toBeDefined();
    return found;
  });
  expect(bucket?.apps.get("docs")).toEqual(new Map([["seconds", 1]]));
  expect(await server.client.keys("sluice:hitters:*")).toEqual([]);
});

it("counts all levels of a rule, and keeps denials apart from those that shadow would have made", async () => {
  const counts = new Map([
    ["denied req/customer/60", 4_424],
    ["denied req/customer", 66],
    ["shadow req/customer/3600", 7],
    ["shadow rate/ip", 294],
    ["denied rate/ip", 5],
  ]);
  const read = async () => [{ at: 0, apps: new Map([["shop", counts]]) }];
  const found = await readRuleCounts({ read }, { policy: defaultPolicy, minutes: 60, nowMs: 0 });
  expect(found).toEqual([
    { rule: "req/customer", checked: 0, denied: 4_490, shadowed: 7, exempt: 0, over: 0 },
    { rule: "rate/ip", checked: 0, denied: 5, shadowed: 294, exempt: 0, over: 0 },
  ]);
});

it("shows neither a drop nor a peak where Redis only paused", async () => {
  const reporter = report("pausing", 1_000);
  const decision = {
    outcome: "pass",
    rule: undefined,
    deniedBy: undefined,
    shadowed: [],
    tookMs: 0.1,
  } as const;
  const text = { ip: "203.0.113.7", method: "GET", host: "", path: "/", userAgent: "" };
  const more = { isUnsure: false, network: text.ip, customerId: undefined, isCustomerUnknown: false };
  /** By second. A busy machine notes fewer in some of them. */
  const noted = new Map<number, number>();
  const notedIn = (second: number) => noted.get(second) ?? 0;
  const requests = setInterval(() => {
    noted.set(secondNow(), notedIn(secondNow()) + 1);
    reporter.note({ ...decision, ...more }, () => text);
  }, 20);
  const begin = await eventually(async () => {
    const [second] = await lately((secondNow() - 1) * 1_000).then((buckets) => buckets.slice(-1));
    expect(sumOf(second ? [second] : [], "pass")).toBeGreaterThan(10);
    return secondNow();
  });
  await server.client.call("CLIENT", "PAUSE", "3500", "ALL");
  await eventually(() => expect(secondNow()).toBeGreaterThan(begin + 5), 9_000);
  clearInterval(requests);
  const counts = [0, 1, 2, 3, 4, 5].map((i) => notedIn(begin + i));
  const buckets = await new Series(redis).read(1, 5, (begin + 4) * 1_000);
  for (const bucket of buckets) {
    const passed = sumOf([bucket], "pass", "pausing");
    expect(passed, `${bucket.at / 1_000 - begin}`).toBeGreaterThan(0.4 * Math.min(...counts));
    expect(passed, `${bucket.at / 1_000 - begin}`).toBeLessThan(1.6 * Math.max(...counts));
  }
});
