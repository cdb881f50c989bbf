import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { fields } from "../../enforce/stats/fields.ts";
import { sendReport } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { EntryHitsReader, hitsOf } from "./entry-hits.ts";
import { Series } from "./series.ts";

let server: TestRedis;
let redis: Connection;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A whole hour. */
const noon = 1_700_049_600_000;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(() => server.client.flushall());

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

interface Sent {
  readonly app?: string;
  readonly blocked?: Record<string, number>;
  /** Blocked requests of entries that the node does not name. */
  readonly unnamed?: number;
  /** Blocked requests that no entry decided. */
  readonly unlisted?: number;
}

async function send(
  atMs: number,
  { app = "shop", blocked = {}, unnamed = 0, unlisted = 0 }: Sent,
): Promise<void> {
  const sum = Object.values(blocked).reduce((all, count) => all + count, unnamed + unlisted);
  const counts = new Map(sum > 0 ? [["blocked", sum]] : []);
  if (unlisted > 0) counts.set(fields.unlisted, unlisted);
  const entries = { blocklist: Object.entries(blocked), safelist: [] };
  await sendReport(redis, {
    app,
    node: "n",
    report: { counts, hitters: [], entries, seen: [] },
    nowMs: atMs,
  });
}

/** A report in each of the minutes before. */
async function reportEachMinute(untilMs: number, minutes: number): Promise<void> {
  for (let i = 1; i <= minutes; i++) await send(untilMs - i * minuteMs, {});
}

const readAt = (nowMs: number, list: "blocklist" | "safelist" = "blocklist") =>
  new EntryHitsReader(redis, new Series(redis)).read(list, nowMs);

it("adds up the hits of an entry in the last hour and day", async () => {
  await reportEachMinute(noon, 70);
  await send(noon - 20 * hourMs, { blocked: { "198.51.100.7": 30 } });
  await send(noon - 20 * minuteMs, { blocked: { "198.51.100.7": 4, "203.0.113.0/24": 1 } });
  await send(noon - 20 * minuteMs, { app: "docs", blocked: { "198.51.100.7": 2 } });
  await send(noon, { blocked: { "198.51.100.7": 1 } });
  const hits = await readAt(noon + 1_000);
  expect(hitsOf(hits, "198.51.100.7")).toMatchObject({ hour: 7, day: 37 });
  expect(hitsOf(hits, "198.51.100.7").recent).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1]);
  expect(hitsOf(hits, "203.0.113.0/24")).toMatchObject({ hour: 1, day: 1 });
  expect(hitsOf(hits, "192.0.2.1")).toEqual({ hour: 0, day: 0, recent: [] });
  expect(hitsOf(await readAt(noon + 1_000, "safelist"), "198.51.100.7")).toMatchObject({ hour: 0, day: 0 });
});

it("claims no hit of an entry only where the entry of every request is known", async () => {
  await reportEachMinute(noon, 70);
  await send(noon - 2 * hourMs, { blocked: { "198.51.100.7": 1 }, unnamed: 5 });
  await send(noon - 20 * minuteMs, { blocked: { "198.51.100.7": 4 } });
  const hits = await readAt(noon);
  expect(hits.unknown).toEqual({ hour: 0, day: 5 });
  expect(hitsOf(hits, "192.0.2.1")).toEqual({ hour: 0, day: undefined, recent: [] });
  await send(noon, { unnamed: 1 });
  expect(hitsOf(await readAt(noon + 1_000), "192.0.2.1").hour).toBeUndefined();
  expect(hitsOf(await readAt(noon + 1_000), "198.51.100.7")).toMatchObject({ hour: 4, day: 5 });
});

it("claims no hit of an entry beside requests that a suspension blocked", async () => {
  await reportEachMinute(noon, 70);
  await send(noon - 20 * minuteMs, { blocked: { "198.51.100.7": 4 }, unlisted: 9 });
  const hits = await readAt(noon);
  expect(hits.unknown).toEqual({ hour: 0, day: 0 });
  expect(hitsOf(hits, "192.0.2.1")).toMatchObject({ hour: 0, day: 0 });
});

it("knows nothing while no app reports, and not what was before the last gap", async () => {
  expect(hitsOf(await readAt(noon), "192.0.2.1")).toEqual({ hour: undefined, day: undefined, recent: [] });
  await send(noon - minuteMs, { app: "console" });
  expect((await readAt(noon)).knownSince).toBeUndefined();
  await reportEachMinute(noon, 5);
  await send(noon - 8 * minuteMs, {});
  const hits = await readAt(noon);
  expect(hits.knownSince).toBe(noon - 5 * minuteMs);
  expect(hitsOf(hits, "192.0.2.1").hour).toBe(0);
});

it("takes the console's requests for none of an unknown entry", async () => {
  await reportEachMinute(noon, 5);
  await send(noon, { app: "console", unnamed: 9 });
  expect((await readAt(noon)).unknown).toEqual({ hour: 0, day: 0 });
});

it("bounds the entries of a bucket and its life, and keeps the busiest", async () => {
  for (let i = 0; i < 4; i++) {
    const blocked = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`10.0.${i}.${n}`, 1]));
    await send(noon, { blocked: { ...blocked, "198.51.100.7": 50 } });
  }
  for (const [length, life] of [
    [300, 4_500],
    [3_600, 93_600],
  ] as const) {
    const key = keys.entryHits(length, noon / 1_000 / length, "blocklist");
    expect(await redis.zcard(key)).toBeLessThanOrEqual(1_333);
    const ttl = await redis.ttl(key);
    expect(ttl).toBeGreaterThan(life - 60);
    expect(ttl).toBeLessThanOrEqual(life);
  }
  const hits = await readAt(noon);
  expect(hitsOf(hits, "198.51.100.7").hour).toBe(200);
  expect(hits.unknown.hour).toBeGreaterThan(0);
});

it("reads a bucket that is over once", async () => {
  await reportEachMinute(noon, 5);
  const reader = new EntryHitsReader(redis, new Series(redis));
  await reader.read("blocklist", noon);
  await redis.config("RESETSTAT");
  await reader.read("blocklist", noon + 1_000);
  const calls = /cmdstat_zrange:calls=(\d+)/.exec(await redis.info("commandstats"))?.[1];
  expect(Number(calls)).toBeLessThanOrEqual(4);
});
