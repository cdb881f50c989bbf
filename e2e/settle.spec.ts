import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { savePolicy } from "./fixtures/policy.ts";
import { expect, test } from "./fixtures/storefront-test.ts";
import { roomInWindow } from "./fixtures/window.ts";

const day = 86_400;
const ofRule = { client: "ip", algorithm: "fixed" } as const;

test.beforeAll(async ({ shop }) => {
  const redis = shop.redis.client;
  const change = await savePolicy(redis, {
    rules: [
      {
        ...{ ...ofRule, name: "sign-in", countWhen: "failed", match: { only: ["/api/sign-in"] } },
        levels: [{ limit: 2, periodSeconds: day }],
      },
      {
        ...{ ...ofRule, name: "tokens", cost: "request", match: { only: ["/api/prompt"] } },
        levels: [{ limit: 100, periodSeconds: day }],
      },
    ],
  });
  if (change !== null)
    await expect.poll(() => changeProgress(redis, change)).toMatchObject({ nodes: 1, lagging: [] });
  await roomInWindow(day, 60);
});

/** What is counted for an address, by a fixed window of a day. */
const counted = (redis: { get(key: string): Promise<string | null> }, rule: string, ip: string) =>
  redis.get(`rack::attack:${Math.floor(Date.now() / 1_000 / day)}:${rule}:${ip}`).then(Number);

const post = async (url: string, path: string, from: string, body: object, headers = {}) => {
  const response = await fetch(url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "x-forwarded-for": from, "content-type": "application/json", ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

test("only sign-ins that the route calls failed are counted", async ({ shop: { server, redis } }) => {
  const ip = "198.51.100.140";
  const signIn = async (password: string) =>
    (await post(server.url, "/api/sign-in", ip, { password })).status;
  for (let i = 0; i < 5; i++) expect(await signIn("right")).toBe(200);
  expect(await counted(redis.client, "sign-in", ip)).toBe(0);
  for (const failed of [1, 2]) {
    expect(await signIn("wrong")).toBe(200);
    await expect.poll(() => counted(redis.client, "sign-in", ip)).toBe(failed);
  }
  expect(await signIn("right")).toBe(429);
});

test("a cost is corrected after the response, up and down", async ({ shop: { server, redis } }) => {
  const ip = "198.51.100.141";
  const prompt = async (estimate: number, tokens: number) =>
    (await post(server.url, "/api/prompt", ip, { tokens }, { "x-estimate": String(estimate) })).status;
  expect(await prompt(50, 10)).toBe(200);
  await expect.poll(() => counted(redis.client, "tokens", ip)).toBe(10);
  expect(await prompt(1, 85)).toBe(200);
  await expect.poll(() => counted(redis.client, "tokens", ip)).toBe(95);
  expect(await prompt(6, 6)).toBe(429);
  expect(await prompt(5, 5)).toBe(200);
});

test("a limit around a route counts by its response, for the address that the proxy was asked by", async ({
  shop: { server, redis },
}) => {
  const ip = "198.51.100.142";
  const redeem = (code: string) => post(server.url, "/api/redeem", ip, { code });
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await redeem("TEAPOT");
    expect([status, headers.get("ratelimit")]).toEqual([
      200,
      expect.stringMatching(/^"code\/storefront\/redeem";r=1;t=\d+$/),
    ]);
  }
  for (const guessed of [1, 2]) {
    expect((await redeem("COFFEE")).status).toBe(404);
    await expect.poll(() => counted(redis.client, "code/storefront/redeem", ip)).toBe(guessed);
  }
  const denied = await redeem("TEAPOT");
  expect([denied.status, denied.body]).toEqual([429, '{"error":"too many guesses"}']);
  expect(denied.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await post(server.url, "/api/redeem", "198.51.100.143", { code: "TEAPOT" })).status).toBe(200);
});
