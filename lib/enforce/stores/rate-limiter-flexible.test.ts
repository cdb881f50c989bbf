import { setTimeout as pause } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTotals } from "../../observe/stats/totals.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { SluiceLimiter, type SluiceLimiterOptions } from "./rate-limiter-flexible.ts";
import { Ends, oneOf, randomOf } from "./vitest.random.ts";

let redis: TestRedis;
let guard: Guard;

beforeAll(async () => {
  redis = await startRedis();
  guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
});

afterAll(async () => {
  await guard.close();
  await redis.stop();
});

const keys = ["203.0.113.9", "User", "user", "a b"];

type Answer = { readonly was: "resolved" | "rejected"; readonly value: unknown };

async function answer(promise: Promise<unknown>): Promise<Answer> {
  return promise.then(
    (value) => ({ was: "resolved", value }),
    (value: unknown) => ({ was: "rejected", value }),
  );
}

/** Of a result everything but the time, which is compared apart. */
function withoutTime({ was, value }: Answer) {
  if (!(value instanceof RateLimiterRes)) return { was, value };
  const { msBeforeNext: _, ...rest } = value.toJSON() as { msBeforeNext: number };
  return { was, ...rest };
}

const msOf = ({ value }: Answer) => (value instanceof RateLimiterRes ? value.msBeforeNext : 0);

const verbs = {
  consume: (limiter: RateLimiterRedis, key: string, n: number) => limiter.consume(key, n),
  penalty: (limiter: RateLimiterRedis, key: string, n: number) => limiter.penalty(key, n),
  reward: (limiter: RateLimiterRedis, key: string, n: number) => limiter.reward(key, n),
  get: (limiter: RateLimiterRedis, key: string) => limiter.get(key),
  set: (limiter: RateLimiterRedis, key: string, n: number) => limiter.set(key, n, 1),
  block: (limiter: RateLimiterRedis, key: string) => limiter.block(key, 1),
  endless: (limiter: RateLimiterRedis, key: string) => limiter.block(key, 0),
  delete: (limiter: RateLimiterRedis, key: string) => limiter.delete(key),
  long: (limiter: RateLimiterRedis, key: string, n: number) => limiter.consume(key, n, { customDuration: 2 }),
};

const kinds: Record<string, SluiceLimiterOptions> = {
  plain: { points: 5, duration: 1 },
  blocking: { points: 4, duration: 1, blockDuration: 2 },
  "blocking later": { points: 4, duration: 1, blockDuration: 2, blockOnConsumed: 8 },
  "never ending": { points: 9, duration: 0, keyPrefix: "" },
  "blocked in memory": { points: 4, duration: 1, inMemoryBlockOnConsumed: 6, inMemoryBlockDuration: 1 },
};

it.concurrent.each(Object.entries(kinds))("answers as RateLimiterRedis does: %s", async (name, options) => {
  const random = randomOf(name.length);
  const keyPrefix = options.keyPrefix ?? `of ${name}`;
  const ours = new SluiceLimiter(guard, { ...options, keyPrefix, rule: name.replaceAll(" ", "-") });
  const theirs = new RateLimiterRedis({ ...options, keyPrefix, storeClient: redis.client });
  const ends = new Ends();
  for (let i = 0; i < 150; ) {
    const key = oneOf(random, keys);
    const verb = oneOf(random, [
      ...Array(6).fill("consume"),
      ...Object.keys(verbs),
    ] as (keyof typeof verbs)[]);
    const amount = 1 + Math.floor(random() * 3);
    const begin = Date.now();
    const [one, other] = await bothOf(ours, theirs, (limiter) => verbs[verb](limiter, key, amount));
    const [mine, known] = await bothOf(ours, theirs, (limiter) => limiter.get(key));
    const done = Date.now();
    if (ends.isBetween(key, begin, done)) {
      await pause(ends.lastOf(key) - done);
      await Promise.all([ours.delete(key), theirs.delete(key)]);
      ends.delete(key);
      continue;
    }
    i++;
    expect({ verb, i, ...withoutTime(one) }).toEqual({ verb, i, ...withoutTime(other) });
    expect({ verb, i, ...withoutTime(mine) }).toEqual({ verb, i, ...withoutTime(known) });
    const most = 400 + done - begin + ends.blurOf(key, begin);
    expect(Math.abs(msOf(one) - msOf(other))).toBeLessThan(most);
    expect(Math.abs(msOf(mine) - msOf(known))).toBeLessThan(most);
    if (verb === "delete") ends.delete(key);
    ends.add(key, begin, done, msOf(one), msOf(other));
    ends.add(key, begin, done, msOf(mine), msOf(known));
    if (random() < 0.05) await pause(random() * 150);
  }
  await pause(Math.max(...keys.map((key) => ends.lastOf(key))) - Date.now());
  for (const key of keys) expect(await ours.get(key)).toEqual(await theirs.get(key));
});

async function bothOf(
  ours: SluiceLimiter,
  theirs: RateLimiterRedis,
  ask: (limiter: RateLimiterRedis) => Promise<unknown>,
): Promise<readonly [Answer, Answer]> {
  return Promise.all([answer(ask(ours)), answer(ask(theirs))]);
}

it("counts each of many requests at once, and shows what it denied in the statistics", async () => {
  const limiter = new SluiceLimiter(guard, { points: 100, duration: 60, keyPrefix: "login:ip" });
  const answers = await Promise.all(
    Array.from({ length: 130 }, () => answer(limiter.consume("203.0.113.9"))),
  );
  expect(answers.filter(({ was }) => was === "resolved")).toHaveLength(100);
  expect(await redis.client.keys("sluice:first-hit:60:*")).toEqual([
    "sluice:first-hit:60:login/ip:203.0.113.9",
  ]);
  await eventually(async () => {
    const totals = await readTotals(redis.client, (name) => name);
    const shop = totals.find((one) => one.app === "shop");
    expect(shop?.denials.get("login/ip")).toBe(30);
  });
});

it("asks the insurance limiter while the counters are away, and counts in the process without one", async () => {
  const counters = await startRedis();
  const away = createGuard({ redis: redis.url, counters: counters.url, app: "away", log: () => {} });
  try {
    await away.ready();
    const insuranceLimiter = new RateLimiterMemory({ points: 1, duration: 60 });
    const insured = new SluiceLimiter(away, {
      points: 3,
      duration: 60,
      keyPrefix: "insured",
      insuranceLimiter,
    });
    const alone = new SluiceLimiter(away, { points: 2, duration: 60, keyPrefix: "alone" });
    await insured.consume("a");
    await counters.kill();
    const ask = async (limiter: SluiceLimiter) => {
      const answers: string[] = [];
      for (let i = 0; i < 3; i++) answers.push((await answer(limiter.consume("a"))).was);
      return answers;
    };
    expect(await ask(insured)).toEqual(["resolved", "rejected", "rejected"]);
    expect(await ask(alone)).toEqual(["resolved", "resolved", "rejected"]);
    expect(await alone.delete("a")).toBe(true);
    expect(await alone.get("a")).toBeNull();
  } finally {
    await away.close();
    await counters.stop();
  }
});

it("refuses what cannot work", async () => {
  const limiter = new SluiceLimiter(guard, { points: 1, duration: 60 });
  await expect(limiter.consume("a", 0.5)).rejects.toThrow("whole numbers");
  const foreign = { points: 1, duration: 1, storeClient: redis.client } as SluiceLimiterOptions;
  expect(() => new SluiceLimiter(guard, foreign)).toThrow("storeClient cannot be used");
});
