import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "./connect.ts";
import { loadPage, readChanged } from "./copy.ts";
import { lua } from "./lua.generated.ts";
import { startRedis, type TestRedis } from "./testing.ts";

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
  await server.client.set("safelist:192.0.2.1", "a secret reason", "PX", 60_000);
  await server.client.hset("blocklist:192.0.2.2", "no", "entry");
  await server.client.set("customer:a:tier_redis", "x".repeat(300));
  await server.client.hset("customer:a:throttle_hash", "60", "5");
  await server.client.hset(
    "customer:b:throttle_hash",
    Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, i])),
  );
  await server.client.rpush("customer:c:tier_redis", "x");
  await server.client.set("sluice:live:change", 7);
  await server.client.set("sluice:live:ban:192.0.2.3", "x", "PX", 60_000);
  await server.client.set("sluice:first-hit:60:a:192.0.2.3", "x");
  await server.client.set("sluice:rolling-list:60:a:192.0.2.3", "x");
  await server.client.set("sluice:sliding:60:0:a:192.0.2.3", "x");
  await server.client.set("rack::attack:1:req/ip/1:192.0.2.1", 1);
});

function livesOf(lives: readonly (string | number)[]) {
  return Object.fromEntries(lives.flatMap((key, i) => (i % 2 === 0 ? [[key, lives[i + 1]]] : [])));
}

it("loads contents of customers alone, cut and bounded, and nothing of other keys", async () => {
  const { cursor, lives, contents } = await loadPage.run(redis, "0");
  expect(cursor).toBe("0");
  expect(lives).toHaveLength(4);
  expect(livesOf(lives)).toEqual({
    "safelist:192.0.2.1": expect.closeTo(60_000, -3),
    "sluice:live:ban:192.0.2.3": expect.closeTo(60_000, -3),
  });
  const found = Array.from({ length: contents.length / 3 }, (_, i) => contents.slice(3 * i, 3 * i + 3));
  expect(found.toSorted()).toEqual([
    ["customer:a:throttle_hash", -1, ["60", "5"]],
    ["customer:a:tier_redis", -1, "x".repeat(256)],
    ["customer:b:throttle_hash", -1, []],
  ]);
});

it("reads the same of keys that were announced, and what is gone or of no use", async () => {
  const keys = [
    "safelist:192.0.2.1",
    "blocklist:192.0.2.2",
    "customer:a:tier_redis",
    "customer:a:throttle_hash",
    "customer:b:throttle_hash",
    "customer:c:tier_redis",
    "customer:gone:tier_redis",
  ];
  const { change, ttls, contents } = await readChanged.run(redis, keys);
  expect([change, ttls]).toEqual([7, [expect.closeTo(60_000, -3), -2, -1, -1, -1, -2, -2]]);
  expect([...contents]).toEqual([
    [2, "x".repeat(256)],
    [3, ["60", "5"]],
    [4, []],
  ]);
});

it("walks a collection of many pages once", async () => {
  const batch = server.client.pipeline();
  for (let i = 0; i < 5_000; i++)
    batch.set(`safelist:k${i}`, "x").hset(`customer:k${i}:throttle_hash`, "60", i);
  await batch.exec();
  const seen = new Set<string>();
  let cursor = "0";
  do {
    const page = await loadPage.run(redis, cursor);
    for (let i = 0; i < page.lives.length; i += 2) seen.add(String(page.lives[i]));
    for (let i = 0; i < page.contents.length; i += 3) seen.add(String(page.contents[i]));
    cursor = page.cursor;
  } while (cursor !== "0");
  expect(seen.size).toBe(10_005);
});

// Redis moves keys to a larger table a few at a time, also while a script looks keys up: one scan of a page may find
// the move going on, and the next one find it finished.
it("misses nothing while Redis moves keys to a larger table", async () => {
  const walk = async () => {
    const seen = new Set<unknown>();
    let cursor = "0";
    do {
      const args = [cursor, "*s*:*", 10, "customer:", "sluice:", "sluice:live:"];
      const [next, , contents] = (await server.client.eval(lua.loadPage, 0, ...args)) as [
        string,
        [],
        unknown[],
      ];
      for (let i = 0; i < contents.length; i += 3) seen.add(contents[i]);
      cursor = next;
    } while (cursor !== "0");
    return seen;
  };
  for (let size = 260; size < 510; size += 1) {
    const batch = server.client.pipeline().flushall();
    const written = Array.from({ length: size }, (_, i) => `customer:${size}-${i}:throttle_hash`);
    for (const key of written) batch.hset(key, "60", "5");
    await batch.exec();
    const seen = await walk();
    expect(written.filter((key) => !seen.has(key))).toEqual([]);
  }
});
