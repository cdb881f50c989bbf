import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendEvidence, sendReport } from "../../enforce/stats/report.ts";
import type { RequestSample } from "../../enforce/stats/tally.ts";
import { parseAddress } from "../../ip/parse.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { readRetentionDays, setRetention } from "../../manage/denials/retention.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { Series } from "../stats/series.ts";
import {
  type DenialFilter,
  parseCursor,
  readCompleteness,
  readDenials,
  sayCompleteness,
  walkDenials,
} from "./denial-log.ts";
import { denialRows, exportDenials } from "./export-denials.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await server.client.flushall();
});

const hourMs = 3_600_000;
/** The first moment of an hour of this day. */
const start = Math.floor(Date.now() / hourMs) * hourMs - 6 * hourMs;

function denied(given: Partial<RequestSample> = {}): RequestSample {
  return {
    ...{ ip: "203.0.113.9", method: "GET", host: "shop.example", path: "/", userAgent: "test" },
    ...{ outcome: "throttled", rule: "login", customerId: "", standsFor: 1, ...given },
  };
}

const keep = (nowMs: number, seen: readonly RequestSample[], app = "shop") =>
  sendEvidence(redis, { app, node: "a", nowMs, seen, evidence: { denied: [], passed: [] } });

const all = { from: start - hourMs, to: start + 5 * hourMs };
async function find(filter: Partial<DenialFilter> = {}): Promise<string[]> {
  const { items } = await readDenials(redis, { ...all, ...filter }, { limit: 1_000 });
  return items.map(({ path }) => path);
}
const address = (text: string) => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};

it("finds denials by client, customer, rule, app, path, outcome and time, the newest first", async () => {
  await keep(start, [denied({ path: "/a", outcome: "blocked", rule: "blocklist:203.0.113.9" })]);
  await keep(start + hourMs, [denied({ path: "/b", ip: "198.51.100.7", customerId: "acme" })]);
  await keep(start + 2 * hourMs, [denied({ path: "/c/d", ip: "2001:db8::7", rule: "search/60" })], "api");
  await keep(start + 2 * hourMs + 1, [denied({ path: "/shadow", outcome: "shadow" })]);
  expect(await find()).toEqual(["/c/d", "/b", "/a"]);
  expect(await find({ client: address("203.0.113.0/24") })).toEqual(["/a"]);
  expect(await find({ client: address("2001:db8::/32") })).toEqual(["/c/d"]);
  expect(await find({ customer: "acme" })).toEqual(["/b"]);
  expect(await find({ rule: "search" })).toEqual(["/c/d"]);
  expect(await find({ app: "shop" })).toEqual(["/b", "/a"]);
  expect(await find({ path: "c/" })).toEqual(["/c/d"]);
  expect(await find({ outcome: "blocked" })).toEqual(["/a"]);
  expect(await find({ from: start + 1 })).toEqual(["/c/d", "/b"]);
  expect(await find({ to: start + hourMs })).toEqual(["/b", "/a"]);
});

it("takes any time that is asked for, and reads no more hours than are kept", async () => {
  await keep(start, [denied({ path: "/a" })]);
  expect(await find({ from: 0, to: 8e15 })).toEqual(["/a"]);
});

it("reads on where a page ended, also while newer denials arrive", async () => {
  for (let i = 0; i < 30; i++) await keep(start + Math.floor(i / 7) * hourMs, [denied({ path: `/${i}` })]);
  const read: string[] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? undefined : parseCursor(next);
    const page = await readDenials(redis, all, { limit: 4, cursor });
    read.push(...page.items.map(({ path }) => path));
    next = page.next;
    await keep(start + 5 * hourMs - read.length, [denied({ path: "/new" })]);
  } while (next !== undefined);
  expect(new Set(read).size).toBe(30);
  expect(read).toHaveLength(30);
});

it("keeps 1,000 of an hour, of any part of it, and says of how many", async () => {
  const count = 3_000;
  for (let i = 0; i < count; i += 100) {
    const seen = Array.from({ length: 100 }, (_, n) => denied({ path: `/${i + n}`, standsFor: 2 }));
    await keep(start + i, seen);
  }
  const counts = new Map([["throttled", 2 * count]]);
  await sendReport(redis, {
    app: "shop",
    node: "a",
    nowMs: start,
    report: { counts, hitters: [], seen: [] },
  });
  const kept = await find();
  expect(kept).toHaveLength(1_000);
  // Of each third of the hour about a third: 333 with a deviation of 15.
  for (let third = 0; third < 3; third++) {
    const inThird = kept.filter((path) => Math.floor((3 * Number(path.slice(1))) / count) === third);
    expect(inThird.length).toBeGreaterThan(200);
    expect(inThird.length).toBeLessThan(467);
  }
  const nowMs = start + hourMs;
  const complete = await readCompleteness({ redis, series: new Series(redis) }, { ...all, nowMs });
  expect(sayCompleteness(complete)).toBe(
    "1,000 of about 6,000 denials of these hours are kept: a random sample of at most 1,000 an hour.",
  );
});

it("says where it has all, none, or cannot know of how many", async () => {
  expect(sayCompleteness({ kept: 12, total: 12 })).toBe("All 12 denials of these hours are kept.");
  expect(sayCompleteness({ kept: 0, total: 0 })).toBe("No denial was counted in these hours.");
  expect(sayCompleteness({ kept: 1_200, total: undefined })).toBe(
    "1,200 denials of these hours are kept. How many there were is no longer known.",
  );
  const nowMs = start + hourMs;
  const earlier = { from: start - 20 * 86_400_000, to: start };
  await server.client.set(keys.denialLogRetention(), "31");
  const { total } = await readCompleteness({ redis, series: new Series(redis) }, { ...earlier, nowMs });
  expect(total).toBeUndefined();
});

it("prefers samples that represent more denials", async () => {
  const seen = Array.from({ length: 1_500 }, (_, i) =>
    denied({ path: `/${i}`, standsFor: i < 500 ? 100 : 1 }),
  );
  await keep(start, seen);
  const heavy = (await find()).filter((path) => Number(path.slice(1)) < 500);
  // All of them by the weights: 10 of 500 left out would be far beyond chance.
  expect(heavy.length).toBeGreaterThan(480);
});

it("is kept as long as is set, also the hours that it has", async () => {
  await keep(start, [denied()]);
  const key = keys.denialLog(start / hourMs);
  const lifeDays = async () => (await server.client.pttl(key)) / 86_400_000;
  expect(await lifeDays()).toBeCloseTo(3, 1);
  const actor = { name: "ada@example.org", via: "console" };
  const ctx = { redis, actor, seal: sealFrom("a secret of this test, long enough for a seal") };
  await setRetention(ctx, { days: 9, reason: "a test" });
  expect(await readRetentionDays(redis)).toBe(9);
  // The hour began six hours ago.
  expect(await lifeDays()).toBeGreaterThan(8.6);
  await setRetention(ctx, { days: 1, reason: "a test" });
  expect(await lifeDays()).toBeLessThan(1);
  await expect(setRetention(ctx, { days: 40, reason: "a test" })).rejects.toThrow(/from 1 to 31/);
});

it("exports what a filter finds, as CSV and as JSON lines", async () => {
  await keep(start, [denied({ path: "/a,b", customerId: "acme" })]);
  const lines = async (format: "csv" | "jsonl") => {
    const found: string[] = [];
    for await (const line of exportDenials(denialRows(walkDenials(redis, all)), format)) found.push(line);
    return found;
  };
  expect(await lines("csv")).toEqual([
    "at,outcome,client,customer,rule,app,method,host,path,userAgent,standsFor\r\n",
    `${new Date(start).toISOString()},throttled,203.0.113.9,acme,login,shop,GET,shop.example,"/a,b",test,1\r\n`,
  ]);
  expect((await lines("jsonl")).map((line) => JSON.parse(line))).toMatchObject([
    { client: "203.0.113.9", path: "/a,b", standsFor: 1 },
  ]);
});
