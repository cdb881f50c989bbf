import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import express from "express";
import { type ClientRateLimitInfo, type Options, rateLimit, type Store } from "express-rate-limit";
import { type RedisReply, RedisStore } from "rate-limit-redis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readTotals } from "../../observe/stats/totals.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { SluiceStore } from "./express-rate-limit.ts";
import { Ends, oneOf, randomOf } from "./vitest.random.ts";

let redis: TestRedis;
let guard: Guard;
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

afterAll(async () => {
  await guard.close();
  await redis.stop();
});

const optionsOf = (windowMs: number, limit = 3) => ({ windowMs, limit }) as Options;

function ofSluice(rule: string, windowMs: number): SluiceStore {
  const store = new SluiceStore(guard, { rule });
  store.init(optionsOf(windowMs));
  return store;
}

async function ofRedis(prefix: string, windowMs: number): Promise<RedisStore> {
  const sendCommand = (...[command = "", ...args]: string[]) =>
    redis.client.call(command, ...args) as Promise<RedisReply>;
  const store = new RedisStore({ prefix, sendCommand });
  await store.init(optionsOf(windowMs));
  return store;
}

const windowMs = 250;
const isOpen = (info: ClientRateLimitInfo | undefined) => info !== undefined && info.totalHits > 0;
const leftMs = (info: ClientRateLimitInfo | undefined) => (info?.resetTime?.getTime() ?? 0) - Date.now();

it.concurrent.each([1, 2, 3, 4])("answers as rate-limit-redis does, random traffic %i", async (seed) => {
  const random = randomOf(seed);
  const [ours, theirs] = [ofSluice(`random-${seed}`, windowMs), await ofRedis(`random-${seed}:`, windowMs)];
  const reset = (key: string) => Promise.all([ours.resetKey(key), theirs.resetKey(key)]);
  const clients = ["203.0.113.9", "2001:db8::/56", "Token", "token", " token ", "a b:{c}"];
  const ends = new Ends();
  for (let compared = 0; compared < 150; ) {
    const key = oneOf(random, clients);
    const verb = oneOf(random, ["increment", "increment", "increment", "decrement", "resetKey"] as const);
    const begin = Date.now();
    const [before, known] = await Promise.all([ours.get(key), theirs.get(key)]);
    if (verb === "resetKey") await reset(key);
    // rate-limit-redis would go below nothing, in a window that never ends.
    if (verb === "decrement" && isOpen(known))
      await Promise.all([ours.decrement(key), theirs.decrement(key)]);
    const [one, other] =
      verb === "increment" ? await Promise.all([ours.increment(key), theirs.increment(key)]) : [];
    const done = Date.now();
    if (ends.isBetween(key, begin, done)) {
      await pause(ends.lastOf(key) - done);
      if (verb !== "increment") expect(await ours.get(key)).toBeUndefined();
      await reset(key);
      ends.delete(key);
      continue;
    }
    compared++;
    // rate-limit-redis says NaN where it has counted nothing.
    expect(before?.totalHits ?? 0).toBe(known?.totalHits || 0);
    if (verb === "resetKey") ends.delete(key);
    if (one && other) {
      expect(one.totalHits).toBe(other.totalHits);
      const most = windowMs / 2 + done - begin + ends.blurOf(key, begin);
      expect(Math.abs(leftMs(one) - leftMs(other))).toBeLessThan(most);
      if (one.totalHits === 1) ends.add(key, begin, done, windowMs);
    }
    if (random() < 0.1) await pause(random() * 60);
  }
  await pause(Math.max(...clients.map((key) => ends.lastOf(key))) - Date.now());
  for (const key of clients) {
    expect((await theirs.increment(key)).totalHits).toBe(1);
    expect((await ours.increment(key)).totalHits).toBe(1);
  }
});

it("counts each of many requests at once", async () => {
  const store = ofSluice("at-once", 60_000);
  const hits = await Promise.all(Array.from({ length: 300 }, () => store.increment("203.0.113.9")));
  expect(hits.map(({ totalHits }) => totalHits).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
});

it("waits for a slow Redis longer than a check does", async () => {
  const store = ofSluice("slow", 60_000);
  await store.increment("a");
  redis.freeze();
  const hit = store.increment("a");
  await pause(150);
  redis.thaw();
  expect(await hit).toMatchObject({ totalHits: 2 });
});

it("takes back nothing that is not there", async () => {
  const store = ofSluice("back", 60_000);
  await store.decrement("a");
  expect(await store.get("a")).toBeUndefined();
  await store.increment("a");
  await store.decrement("a");
  await store.decrement("a");
  expect(await store.get("a")).toMatchObject({ totalHits: 0 });
});

describe("in an app with express-rate-limit", () => {
  async function start(store: Store, options: Partial<Options> = {}): Promise<string> {
    const app = express();
    app.use(rateLimit({ windowMs: 60_000, limit: 2, standardHeaders: "draft-6", store, ...options }));
    app.use((request, response) => void response.status(request.path === "/fails" ? 500 : 200).end());
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    endings.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("passes up to the limit, then denies, in the statistics too", async () => {
    const url = await start(new SluiceStore(guard, { rule: "api" }));
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await fetch(url));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual(["1", "0", "0"]);
    await eventually(async () => {
      const totals = await readTotals(redis.client, (name) => name);
      const shop = totals.find((one) => one.app === "shop");
      expect(shop?.denials.get("api")).toBe(1);
    });
  });

  it("counts failed requests alone where the app says so", async () => {
    const store = new SluiceStore(guard, { rule: "fails" });
    const url = await start(store, { skipSuccessfulRequests: true, keyGenerator: () => "one" });
    for (let i = 0; i < 3; i++) expect((await fetch(url)).status).toBe(200);
    await eventually(async () => expect(await store.get("one")).toMatchObject({ totalHits: 0 }));
    const failed = [];
    for (let i = 0; i < 3; i++) failed.push((await fetch(`${url}/fails`)).status);
    expect(failed).toEqual([500, 500, 429]);
  });

  it("counts in the process while the counters are away, or leaves it to passOnStoreError", async () => {
    const counters = await startRedis();
    const away = createGuard({ redis: redis.url, counters: counters.url, app: "away", log: () => {} });
    endings.push(
      () => counters.stop(),
      () => away.close(),
    );
    await away.ready();
    const counting = await start(new SluiceStore(away, { rule: "counting" }));
    const logger = { error: () => {}, warn: () => {} };
    const throwing = new SluiceStore(away, { rule: "throwing", onStoreError: "throw" });
    const passing = await start(throwing, { passOnStoreError: true, logger });
    await counters.kill();
    const statuses = { counting: [] as number[], passing: [] as number[] };
    for (let i = 0; i < 3; i++) {
      statuses.counting.push((await fetch(counting)).status);
      statuses.passing.push((await fetch(passing)).status);
    }
    expect(statuses).toEqual({ counting: [200, 200, 429], passing: [200, 200, 200] });
  });

  it("counts in the process where the counters are", async () => {
    const local = createGuard({ redis: redis.url, counters: "memory:", app: "local", log: () => {} });
    endings.push(() => local.close());
    const url = await start(new SluiceStore(local, { rule: "local" }));
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await fetch(url)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

it("refuses what cannot work", () => {
  expect(() => new SluiceStore(guard, { rule: "a b" })).toThrow(/^rule: write a name of letters/);
  expect(() => new SluiceStore({} as Guard, { rule: "a" })).toThrow("createGuard");
});
