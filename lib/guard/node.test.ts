import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually, freePort, startRedis, type TestRedis } from "../redis/testing.ts";
import { createGuard, type Guard, type GuardOptions } from "./guard.ts";
import { createMiddleware } from "./node.ts";

let redis: TestRedis;
const running: { server: Server; guard: Guard }[] = [];

beforeAll(async () => {
  redis = await startRedis();
});

beforeEach(() => redis.client.flushall());

afterAll(async () => {
  for (const { server, guard } of running) {
    server.close();
    await guard.close();
  }
  await redis.stop();
});

async function serve(options: Partial<GuardOptions>): Promise<string> {
  const guard = createGuard({ redis: redis.url, app: `plain ${running.length}`, log: () => {}, ...options });
  await guard.ready();
  const protect = createMiddleware(guard);
  const server = createServer((request, response) => {
    void protect(request, response, () => response.end("welcome"));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  running.push({ server, guard });
  return `http://127.0.0.1:${port}/`;
}

const status = async (url: string, headers: Record<string, string> = {}, method = "GET") =>
  (await fetch(url, { headers, method })).status;

it("stops who is blocked behind a trusted proxy, and lets the others through", async () => {
  const url = await serve({ trustedProxies: ["127.0.0.0/8"] });
  await redis.client.set("blocklist:203.0.113.9", "x");
  await eventually(async () => expect(await status(url, { "x-forwarded-for": "203.0.113.9" })).toBe(403));
  expect(await status(url, { "x-forwarded-for": "203.0.113.10" })).toBe(200);
  expect(await status(url, { "x-forwarded-for": "203.0.113.10, 203.0.113.9" })).toBe(403);
  const head = await fetch(url, { method: "HEAD", headers: { "x-forwarded-for": "203.0.113.9" } });
  expect([head.status, await head.text()]).toEqual([403, ""]);
});

it("gives nothing on a header when no proxy is trusted", async () => {
  const url = await serve({});
  await redis.client.mset("blocklist:203.0.113.9", "x");
  const other = await serve({ trustedProxies: 1 });
  await eventually(async () => expect(await status(other, { "x-forwarded-for": "203.0.113.9" })).toBe(403));
  expect(await status(url, { "x-forwarded-for": "203.0.113.9", "x-sluice-peer": "203.0.113.9" })).toBe(200);
});

it("refuses settings that it cannot read, in words", () => {
  expect(() => createGuard({ redis: redis.url, app: "x", trustedProxies: "10.0.0.1/8" })).toThrow(
    /10\.0\.0\.0\/8/,
  );
  expect(() => createGuard({ redis: redis.url, app: "x", neverBlock: "office" })).toThrow(/^neverBlock: /);
  expect(() => createGuard({ redis: "http://redis", app: "x" })).toThrow(/^REDIS_URL cannot be read/);
});
