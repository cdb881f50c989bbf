import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendReport } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { ClientCounts } from "./client-counts.ts";
import { effectOf, gapOf, readRates } from "./rates.ts";

let server: TestRedis;
let redis: Connection;
const midnight = 1_700_006_400_000;
const minuteMs = 60_000;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(() => server.client.flushall());

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function send(app: string, atMs: number, requests: Record<string, number>): Promise<void> {
  const hitters = Object.entries(requests).map(([name, count]) => ({ name, count, denied: 0 }));
  await sendReport(redis, { app, node: "n", report: { counts: new Map(), hitters, seen: [] }, nowMs: atMs });
}

it("adds the apps' minutes up to windows that lie as a rule's do", async () => {
  await send("shop", midnight, { "ip a": 10, "ip b": 4, "customer 1042": 9 });
  await send("docs", midnight + 4 * minuteMs, { "ip a": 5 });
  await send("shop", midnight + 5 * minuteMs, { "ip a": 1, "ip b": 6 });
  const counts = new ClientCounts(redis);
  const wanted = { kind: "ip", periodMinutes: 5, windows: 2, nowMs: midnight + 9 * minuteMs } as const;
  const found = await readRates(counts, wanted);
  expect(found).toEqual([
    { client: "a", counts: [15, 1], peak: 15 },
    { client: "b", counts: [4, 6], peak: 6 },
  ]);
  expect(await readRates(counts, { ...wanted, app: "docs" })).toEqual([
    { client: "a", counts: [5], peak: 5 },
  ]);
  expect(await readRates(counts, { ...wanted, kind: "customer" })).toEqual([
    { client: "1042", counts: [9], peak: 9 },
  ]);
  await server.client.config("RESETSTAT");
  expect(await readRates(counts, wanted)).toEqual(found);
  const reads = /cmdstat_zrevrange:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
  expect(Number(reads ?? 0)).toBeLessThanOrEqual(2);
});

it("knows the clients that a limit would have denied, how often, and the next one", () => {
  const rates = [
    { client: "a", counts: [15, 1, 12], peak: 15 },
    { client: "b", counts: [6, 6, 6], peak: 6 },
    { client: "c", counts: [2], peak: 2 },
  ];
  expect(effectOf(rates, 10)).toEqual({
    clients: 1,
    requests: 7,
    share: 7 / 48,
    closest: { client: "b", peak: 6 },
  });
  expect(effectOf(rates, 1)).toMatchObject({ clients: 3, closest: undefined });
  expect(effectOf([], 5)).toEqual({ clients: 0, requests: 0, share: 0, closest: undefined });
});

it("finds the natural gap", () => {
  const peaks = (...all: number[]) => all.map((peak) => ({ client: String(peak), counts: [peak], peak }));
  expect(gapOf(peaks(121_300, 904, 262, 250, 240))).toEqual({ from: 904, to: 121_300 });
  expect(gapOf(peaks(10, 9, 8))).toBeUndefined();
  expect(gapOf([])).toBeUndefined();
});
