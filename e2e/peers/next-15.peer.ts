import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { testDevServer } from "../fixtures/dev-server.ts";
import type { Served } from "../fixtures/server.ts";
import { installStorefront, startStorefront } from "../fixtures/storefront.ts";

let redis: TestRedis;
let shop: Served;

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url, TRUSTED_PROXIES: "127.0.0.0/8" };
  shop = await startStorefront(installStorefront("15.5"), environment);
}, 240_000);

afterAll(async () => {
  await shop.stop();
  await redis.stop();
});

const status = async (from: string, headers = {}) =>
  (await fetch(`${shop.url}/api/stock`, { headers: { "x-forwarded-for": from, ...headers } })).status;

it("Next 15.5 enforces the lists in its Node middleware", async () => {
  const offender = "203.0.113.9";
  const becomes = (expected: number) => eventually(async () => expect(await status(offender)).toBe(expected));
  await becomes(200);
  await redis.client.setex(`blocklist:${offender}`, 604_800, "x");
  await becomes(403);
  expect(await status(offender, { "x-middleware-subrequest": "middleware:".repeat(5) })).toBe(403);
  await redis.client.del(`blocklist:${offender}`);
  await becomes(200);
});

it("a missing address of Redis ends a Next 15.5 server at start, with one message", async () => {
  const started = startStorefront(installStorefront("15.5"), { REDIS_URL: "" });
  await expect(started).rejects.toThrow(
    /the server ended \(1\):[\s\S]*sluice: createGuard: redis is missing/,
  );
});

it("next dev of Next 15.5 with webpack serves pages and enforces the lists", async () => {
  await testDevServer("15.5", "webpack");
}, 180_000);
