import { afterAll, beforeAll, expect, it } from "vitest";
import { sendReport } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { readOverview } from "./overview.ts";
import { Series } from "./series.ts";

let server: TestRedis;
let redis: Connection;
const midnight = 1_700_006_400_000;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function report(app: string, atMs: number, counts: Record<string, number>, seconds = 1): Promise<void> {
  const report = { counts: new Map(Object.entries(counts)), hitters: [], seen: [] };
  await sendReport(redis, { app, node: "n", report, nowMs: atMs, seconds });
}

it("reads rates by outcome, step by step, for all apps or one", async () => {
  for (let second = 0; second < 60; second++) {
    const isAttack = second >= 40;
    await report("shop", midnight + second * 1_000, {
      pass: 10,
      ...(isAttack && { throttled: 5, blocked: 2, "denied req/ip": 5, "shadow rate/ip": 3 }),
      "took 4": 99,
      "took 7": 1,
    });
    await report("docs", midnight + second * 1_000, { pass: 1, safelisted: 1, unsure: 1 });
  }
  const series = new Series(redis);
  const nowMs = midnight + 61_050;
  const all = await readOverview(series, { range: "15m", nowMs });
  expect(all.stepSeconds).toBe(5);
  expect(all.points).toHaveLength(180);
  expect(all.points.at(-1)).toEqual({
    at: midnight + 50_000,
    safelisted: 1,
    pass: 11,
    throttled: 5,
    blocked: 2,
    shadow: 3,
    isMissing: false,
  });
  expect(all.points.at(-4)).toMatchObject({ at: midnight + 35_000, throttled: 0, pass: 11 });
  expect(all.points[0]).toMatchObject({ pass: 0, isMissing: true });
  expect(all.now).toMatchObject({ pass: 11, throttled: 5, safelisted: 1 });
  expect([all.apps, all.p99Ms, all.unsure]).toEqual([["docs", "shop"], 1, 60]);
  const docs = await readOverview(series, { range: "15m", app: "docs", nowMs });
  expect(docs.points.at(-1)).toMatchObject({ pass: 1, throttled: 0, safelisted: 1 });
  expect(docs.p99Ms).toBeNull();
});

it("distinguishes a quiet step from one that no node reported, for all apps and for one", async () => {
  const noon = midnight + 12 * 3_600_000;
  const step = (n: number) => noon + n * 5_000;
  for (let second = 0; second < 20; second++) await report("quiet", noon + second * 1_000, {});
  for (const second of [5, 6, 11]) await report("tired", noon + second * 1_000, { pass: 5 });
  const missing = async (app?: string) => {
    const { points } = await readOverview(new Series(redis), { range: "15m", app, nowMs: step(5) + 2_000 });
    return points.slice(-5).map(({ at, pass, isMissing }) => [(at - noon) / 5_000, pass, isMissing]);
  };
  const rows = (pass: number[], missed: boolean[]) => missed.map((is, i) => [i, pass[i] ?? 0, is]);
  expect(await missing()).toEqual(rows([0, 2, 1], [false, false, false, false, true]));
  expect(await missing("quiet")).toEqual(rows([], [false, false, false, false, true]));
  // Two seconds of five are too little to draw a rate from.
  expect(await missing("tired")).toEqual(rows([0, 2, 1], [true, true, true, true, true]));
});

it("draws a late report over the seconds that it covers, and no drop at the ends of a gap", async () => {
  const begin = midnight + 50 * 3_600_000;
  const second = (n: number) => begin + n * 1_000;
  for (let n = 0; n < 12; n++) await report("paused", second(n), { pass: 5 });
  // Redis paused: the counts of 13 seconds arrive together.
  await report("paused", second(24), { pass: 65 }, 13);
  // Then it was away for 11 seconds, whose counts are lost.
  for (let n = 36; n < 50; n++) await report("paused", second(n), { pass: 5 });
  const { points } = await readOverview(new Series(redis), {
    ...{ range: "15m", app: "paused", nowMs: second(52) },
  });
  const known = points.slice(-10).map(({ pass, isMissing }) => (isMissing ? undefined : pass));
  expect(known).toEqual([5, 5, 5, 5, 5, undefined, undefined, undefined, 5, 5]);
});

it("reads a second again that a report may still reach", async () => {
  const begin = midnight + 60 * 3_600_000;
  const series = new Series(redis);
  const pass = async (nowMs: number) =>
    (await readOverview(series, { range: "15m", app: "late", nowMs })).points
      .filter(({ at }) => at >= begin)
      .map((point) => point.pass);
  await report("late", begin, { pass: 5 });
  expect(await pass(begin + 12_000)).toEqual([1, 0]);
  await report("late", begin + 9_000, { pass: 45 }, 9);
  expect(await pass(begin + 12_500)).toEqual([5, 5]);
});

it.each([
  ["1h", 20],
  ["24h", 300],
] as const)("knows how much of a longer step was reported: %s", async (range, stepSeconds) => {
  const evening = midnight + 20 * 3_600_000 + (range === "1h" ? 0 : 1_800_000);
  for (let second = 0; second < stepSeconds; second++)
    await report("all of it", evening + second * 1_000, second % 50 === 0 ? { pass: 1 } : {});
  for (let second = 0; second < stepSeconds / 4; second++)
    await report("a quarter", evening + second * 1_000, { pass: 1 });
  const nowMs = evening + stepSeconds * 1_000 + 2_000;
  const last = async (app: string) =>
    (await readOverview(new Series(redis), { range, app, nowMs })).points.at(-1);
  expect(await last("all of it")).toMatchObject({ at: evening, isMissing: false });
  expect(await last("a quarter")).toMatchObject({ at: evening, pass: 0.25, isMissing: true });
});

it("takes the counts of nodes that do not report their seconds", async () => {
  const at = midnight + 30 * 3_600_000;
  for (const second of [0, 1, 2, 3, 4])
    await server.client.hset(`sluice:series:1:${at / 1_000 + second}`, "old\0pass", 4);
  const { points } = await readOverview(new Series(redis), { range: "15m", app: "old", nowMs: at + 7_000 });
  expect(points.at(-1)).toMatchObject({ at, pass: 4, isMissing: false });
});

it("reads again only what is new", async () => {
  const series = new Series(redis);
  const nowMs = midnight + 61_050;
  const first = await readOverview(series, { range: "1h", nowMs });
  await server.client.config("RESETSTAT");
  expect(await readOverview(series, { range: "1h", nowMs: nowMs + 900 })).toEqual({
    ...first,
    asOf: nowMs + 900,
  });
  const calls = /cmdstat_hgetall:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
  expect(Number(calls ?? 0)).toBeLessThan(8);
});

it.each([
  ["24h", 300, 288],
  ["7d", 3_600, 168],
] as const)("adds up the same over %s", async (range, stepSeconds, points) => {
  const nowMs = midnight + 2 * 3_600_000;
  const found = await readOverview(new Series(redis), { range, nowMs });
  expect([found.stepSeconds, found.points.length]).toEqual([stepSeconds, points]);
  const passed = found.points.reduce((sum, { pass }) => sum + pass * stepSeconds, 0);
  expect(Math.round(passed)).toBe(660);
});

it("reads a span in the finest steps that are kept, with its average over the time that nodes reported", async () => {
  const start = midnight + 40 * 3_600_000;
  const minute = (n: number, second = 0) => start + n * 60_000 + second * 1_000;
  for (let second = 0; second < 90; second++)
    await report("past", minute(0, second), { pass: 2, throttled: 1, ...(second === 0 && { "took 3": 1 }) });
  const span = { from: minute(0), until: minute(3) };
  const read = (nowMs: number, part = span) =>
    readOverview(new Series(redis), { range: "15m", span: part, app: "past", nowMs });
  const soon = await read(minute(10));
  expect([soon.stepSeconds, soon.points.length]).toEqual([1, 182]);
  expect(soon.average).toMatchObject({ rates: { pass: 2, throttled: 1 }, known: 0.5, p99Ms: 0.5 });
  const later = await read(minute(50), { from: minute(0), until: minute(1) });
  expect(later.stepSeconds).toBe(10);
  expect(later.average).toMatchObject({ rates: { pass: 2, throttled: 1 }, known: 1 });
  expect((await read(minute(60 * 24))).stepSeconds).toBe(60);
  const unknown = await read(minute(300), { from: minute(100), until: minute(120) });
  expect(unknown.average).toMatchObject({ rates: { pass: 0 }, known: 0, p99Ms: null });
  expect(
    (await readOverview(new Series(redis), { range: "15m", nowMs: minute(10) })).average,
  ).toBeUndefined();
});
