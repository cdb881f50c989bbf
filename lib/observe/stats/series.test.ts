import { afterAll, beforeAll, expect, it } from "vitest";
import { Reporter } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { Schedule } from "../../redis/schedule.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { Uplink } from "../../redis/uplink.ts";
import { type Bucket, knownSeconds, Series, sumOf } from "./series.ts";
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

function report(app: string, everyMs: number): void {
  const uplink = new Uplink(redis, schedule);
  const reporter = new Reporter(uplink, { app, node: `${app}${everyMs}` });
  uplink.add(everyMs, () => reporter.send());
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
