import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { gapOf, judge, Rates } from "./rates.ts";
import { sendReport } from "./report.ts";

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

async function came(app: string, atMs: number, requests: Record<string, number>): Promise<void> {
  const hitters = Object.entries(requests).map(([name, count]) => ({ name, count, denied: 0 }));
  await sendReport(redis, { app, node: "n", report: { counts: new Map(), hitters, seen: [] }, nowMs: atMs });
}

it("adds the apps' minutes up to windows that lie as a rule's do", async () => {
  await came("shop", midnight, { "ip a": 10, "ip b": 4, "customer 1042": 9 });
  await came("docs", midnight + 4 * minuteMs, { "ip a": 5 });
  await came("shop", midnight + 5 * minuteMs, { "ip a": 1, "ip b": 6 });
  const rates = new Rates(redis);
  const wanted = { kind: "ip", periodMinutes: 5, windows: 2, nowMs: midnight + 9 * minuteMs } as const;
  const found = await rates.read(wanted);
  expect(found).toEqual([
    { client: "a", counts: [15, 1], peak: 15 },
    { client: "b", counts: [4, 6], peak: 6 },
  ]);
  expect(await rates.read({ ...wanted, app: "docs" })).toEqual([{ client: "a", counts: [5, 0], peak: 5 }]);
  expect(await rates.read({ ...wanted, kind: "customer" })).toEqual([
    { client: "1042", counts: [9, 0], peak: 9 },
  ]);
  await server.client.config("RESETSTAT");
  expect(await rates.read(wanted)).toEqual(found);
  const reads = /cmdstat_zrevrange:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
  expect(Number(reads ?? 0)).toBeLessThanOrEqual(2);
});

it("tells whom a limit would have turned away, how often, and who is next", () => {
  const rates = [
    { client: "a", counts: [15, 1, 12], peak: 15 },
    { client: "b", counts: [6, 6, 6], peak: 6 },
    { client: "c", counts: [2, 0, 0], peak: 2 },
  ];
  expect(judge(rates, 10)).toEqual({
    clients: 1,
    requests: 7,
    share: 7 / 48,
    closest: { client: "b", peak: 6 },
  });
  expect(judge(rates, 1)).toMatchObject({ clients: 3, closest: undefined });
  expect(judge([], 5)).toEqual({ clients: 0, requests: 0, share: 0, closest: undefined });
});

it("finds the natural gap", () => {
  const peaks = (...all: number[]) => all.map((peak) => ({ client: String(peak), counts: [peak], peak }));
  expect(gapOf(peaks(121_300, 904, 262, 250, 240))).toEqual({ from: 904, to: 121_300 });
  expect(gapOf(peaks(10, 9, 8))).toBeUndefined();
  expect(gapOf([])).toBeUndefined();
});
