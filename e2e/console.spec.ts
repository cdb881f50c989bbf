import { test as base, expect } from "@playwright/test";
import { startRedis, type TestRedis } from "../lib/redis/testing.ts";
import { startConsole } from "./fixtures/console.ts";
import type { Served } from "./fixtures/server.ts";

const test = base.extend<object, { redis: TestRedis; server: Served }>({
  redis: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const redis = await startRedis();
      await use(redis);
      await redis.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ redis }, use) => {
      const server = await startConsole({ REDIS_URL: redis.url, SLUICE_TRUSTED_PROXIES: "127.0.0.0/8" });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

const health = async (server: Served) => {
  const response = await fetch(`${server.url}/api/health`);
  return [response.status, await response.json()];
};

test("health says ok, and says when Redis is away, without details", async ({ redis, server }) => {
  expect(await health(server)).toEqual([200, { status: "ok" }]);
  await redis.kill();
  expect(await health(server)).toEqual([503, { status: "redis-unavailable" }]);
  await redis.restart();
  await expect.poll(() => health(server), { timeout: 10_000 }).toEqual([200, { status: "ok" }]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the first page says what to do next, in ${colorScheme}`, async ({ browser, server }, info) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(server.url);
    await expect(page.getByRole("heading", { name: "Sluice", level: 1 })).toBeVisible();
    await expect(page.getByText("Redis answers")).toBeVisible();
    await expect(page.getByText("npm run sluice -- block add 203.0.113.9")).toBeVisible();
    await page.screenshot({ path: info.outputPath("desktop.png") });
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await page.screenshot({ path: info.outputPath("phone.png") });
    expect(complaints).toEqual([]);
    await page.close();
  });
}

test("the console's own proxy enforces the lists, but never on its health", async ({
  browser,
  redis,
  server,
}) => {
  const offender = { extraHTTPHeaders: { "x-forwarded-for": "203.0.113.9" } };
  const page = await browser.newPage(offender);
  await redis.client.set("blocklist:203.0.113.9", "x");
  await expect.poll(async () => (await page.goto(server.url))?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
  const answer = await page.request.get(`${server.url}/api/health`);
  expect(answer.status()).toBe(200);
  await page.close();
});

test("pages carry the headers of an internal tool", async ({ server }) => {
  const { headers } = await fetch(server.url);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-powered-by")).toBeNull();
});
