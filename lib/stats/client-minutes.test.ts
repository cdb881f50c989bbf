import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { ClientMinutes } from "./client-minutes.ts";
import { sendReport } from "./report.ts";
import { Series } from "./series.ts";

let server: TestRedis;
let redis: Connection;
let minutes: ClientMinutes;
const minuteMs = 60_000;
const midnight = 1_700_006_400_000;
const nowMs = midnight + 1_439 * minuteMs + 30_000;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await server.client.flushall();
  minutes = new ClientMinutes(redis, new Series(redis));
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function came(app: string, minute: number, hitters: Record<string, [count: number, denied: number]>) {
  const report = {
    counts: new Map([["pass", 1]]),
    hitters: Object.entries(hitters).map(([name, [count, denied]]) => ({ name, count, denied })),
    seen: [],
  };
  await sendReport(redis, { app, node: "n", report, nowMs: midnight + minute * minuteMs });
}

const day = () => minutes.read({ kind: "customer", client: "1042", minutes: 1_440, nowMs });

it("adds up what all apps told of a customer, and knows of which minutes nobody told", async () => {
  await came("shop", 0, { "customer 1042": [9, 2], "customer 104": [50, 50], "ip 1042": [7, 7] });
  await came("docs", 0, { "customer 1042": [5, 0] });
  await came("shop", 3, { "customer 2210": [4, 4] });
  await came("shop", 1_439, { "customer 1042": [1, 1] });
  const told = await day();
  expect(told).toHaveLength(1_440);
  expect(told.filter(({ isKnown }) => isKnown)).toEqual([
    { minute: midnight / minuteMs, requests: 14, denied: 2, isKnown: true },
    { minute: midnight / minuteMs + 3, requests: 0, denied: 0, isKnown: true },
    { minute: midnight / minuteMs + 1_439, requests: 1, denied: 1, isKnown: true },
  ]);
  expect(told[1]).toEqual({ minute: midnight / minuteMs + 1, requests: 0, denied: 0, isKnown: false });
});

it("knows a minute in which nodes told that nobody came", async () => {
  const report = { counts: new Map(), hitters: [], seen: [] };
  await sendReport(redis, { app: "shop", node: "n", report, nowMs: midnight });
  expect((await day())[0]).toMatchObject({ requests: 0, isKnown: true });
});

it("reads a day once, and then what is new", async () => {
  for (let minute = 0; minute < 1_440; minute += 10) await came("shop", minute, { "customer 1042": [2, 1] });
  const first = await day();
  await came("shop", 1_439, { "customer 1042": [6, 0] });
  await server.client.config("RESETSTAT");
  const second = await day();
  expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
  expect(second.at(-1)).toMatchObject({ requests: 6, denied: 0 });
  const scores = /cmdstat_zscore:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
  expect(Number(scores)).toBeLessThanOrEqual(4);
});
