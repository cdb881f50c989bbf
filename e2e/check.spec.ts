import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect } from "@playwright/test";
import { keys } from "@/lib/redis/keys.ts";
import { startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { startConsole } from "./fixtures/console.ts";
import type { Served } from "./fixtures/server.ts";

const require = createRequire(import.meta.url);
const token = "a-token-for-the-proxy";
const bearer = { authorization: `Bearer ${token}` };
const blocked = "203.0.113.9";
const safe = "203.0.113.10";
const other = "198.51.100.7";

const test = base.extend<object, { redis: TestRedis; server: Served }>({
  redis: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const redis = await startRedis();
      await redis.client.mset("blocklist:203.0.113.0/24", "a scan", `safelist:${safe}`, "the office");
      await use(redis);
      await redis.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ redis }, use) => {
      const server = await startConsole({
        REDIS_URL: redis.url,
        SLUICE_TOKEN: token,
        SLUICE_TRUSTED_PROXIES: "10.0.0.0/8",
      });
      await untilListsAreLoaded(redis, server);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

interface Asked {
  query?: string;
  method?: string;
}

async function ask(
  server: Served,
  headers: Record<string, string>,
  { query = "", method = "GET" }: Asked = {},
) {
  const response = await fetch(`${server.url}/api/check${query}`, { method, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** A node tells the fleet that it lives once it holds the lists; the first check opens it. */
async function untilListsAreLoaded(redis: TestRedis, server: Served): Promise<void> {
  await ask(server, { ...bearer, "x-forwarded-for": other });
  const nodes = async () => (await redis.client.zrange(keys.nodes(), "0", "-1")).join();
  await expect.poll(nodes).toContain("edge@");
}

/** What these proxies send for a client's GET of https://shop.example/cart?id=1, beside the client's own headers. */
const proxies: Record<string, { query: string; headers: (client: string) => Record<string, string> }> = {
  nginx: {
    query: "?mode=nginx",
    headers: (client) => ({
      "X-Sluice-Token": token,
      "X-Forwarded-For": client,
      "X-Original-URI": "/cart?id=1",
      "X-Original-Method": "GET",
      "X-Original-Host": "shop.example",
    }),
  },
  Traefik: {
    query: "?app=shop",
    headers: (client) => ({
      "X-Sluice-Token": token,
      "X-Forwarded-Method": "GET",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "shop.example",
      "X-Forwarded-Uri": "/cart?id=1",
      "X-Forwarded-For": client,
    }),
  },
  Caddy: {
    query: "",
    headers: (client) => ({
      Authorization: `Bearer ${token}`,
      "X-Forwarded-Method": "GET",
      "X-Forwarded-Uri": "/cart?id=1",
      "X-Forwarded-For": client,
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "shop.example",
    }),
  },
};

for (const [name, { query, headers }] of Object.entries(proxies)) {
  test(`answers ${name}: 204 for who may pass or is safelisted, 403 for who is blocked`, async ({
    server,
  }) => {
    const statusOf = async (client: string) => (await ask(server, headers(client), { query })).status;
    // The guard of another app reads the lists first.
    await expect.poll(() => statusOf(blocked)).toBe(403);
    expect(await statusOf(other)).toBe(204);
    expect(await statusOf(safe)).toBe(204);
    expect(await statusOf("2001:db8::1")).toBe(204);
  });
}

test("a node that Next runs tells the fleet which Next", async ({ redis, server }) => {
  await ask(server, { ...bearer, "x-forwarded-for": other });
  const next = async () => {
    const ids = await redis.client.zrange(keys.nodes(), "0", "-1");
    return Promise.all(ids.map((id) => redis.client.hget(keys.node(id), "next")));
  };
  const { version } = JSON.parse(readFileSync(require.resolve("next/package.json"), "utf8"));
  expect(new Set(await next())).toEqual(new Set([version]));
});

test("says the outcome to nginx in headers, and the refusal to the others in the client's format", async ({
  server,
}) => {
  const forNginx = await ask(server, { ...bearer, "x-forwarded-for": blocked }, { query: "?mode=nginx" });
  expect(forNginx.status).toBe(403);
  expect(forNginx.headers.get("x-sluice-outcome")).toBe("blocked");
  expect(forNginx.headers.get("x-sluice-status")).toBe("403");
  expect(forNginx.body).toBe("");
  const safelisted = await ask(server, { ...bearer, "x-forwarded-for": safe }, { query: "?mode=nginx" });
  expect(safelisted.headers.get("x-sluice-outcome")).toBe("safelisted");

  const page = await ask(server, { ...bearer, "x-forwarded-for": blocked, accept: "text/html" });
  expect(page.body).toContain("<h1>Access denied</h1>");
  const problem = await ask(server, { ...bearer, "x-forwarded-for": blocked, accept: "application/json" });
  expect(JSON.parse(problem.body)).toMatchObject({ status: 403 });
  expect(page.headers.get("x-sluice-outcome")).toBeNull();
});

test("answers nobody without the token", async ({ server }) => {
  const client = { "x-forwarded-for": other };
  for (const wrong of [{}, { authorization: "Bearer nonsense" }, { "x-sluice-token": "nonsense" }]) {
    const answer = await ask(server, { ...client, ...wrong });
    expect(answer.status).toBe(401);
    expect(answer.body).toContain("token is missing or wrong");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  }
  expect((await ask(server, { ...client, ...bearer })).status).toBe(204);
  const withTheirs = { ...client, "x-sluice-token": token, authorization: "Basic dTpw" };
  expect((await ask(server, withTheirs)).status).toBe(204);
});

test("believes what the proxy says of its client, and nothing the client says", async ({ server }) => {
  const statusOf = async (forwardedFor: string) =>
    (await ask(server, { ...bearer, "x-forwarded-for": forwardedFor })).status;
  expect(await statusOf(`${other}, ${blocked}`)).toBe(403);
  expect(await statusOf(`${safe}, ${blocked}`)).toBe(403);
  expect(await statusOf(`${blocked}, ${other}`)).toBe(204);
  expect(await statusOf(`${other}, ${blocked}, 10.0.0.7`)).toBe(403);
  expect(await statusOf(`${blocked}, ${other}, 10.0.0.7`)).toBe(204);
});

test("tells a proxy that names no client what it is missing", async ({ server }) => {
  // The mark that tells a missing header from one that Next filled in is set when the route is loaded.
  await expect.poll(async () => (await ask(server, bearer)).status).toBe(400);
  for (const forwarded of [{}, { "x-forwarded-for": "" }, { "x-forwarded-for": `${other}, unknown` }]) {
    const answer = await ask(server, { ...bearer, ...forwarded });
    expect(answer.status).toBe(400);
    expect(answer.body).toBe("X-Forwarded-For does not end with the address of the client.\n");
  }
});

test("takes every method, and is never cached", async ({ server }) => {
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await ask(server, { ...bearer, "x-forwarded-for": blocked }, { method });
    expect([method, answer.status]).toEqual([method, 403]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  }
  const passed = await ask(server, { ...bearer, "x-forwarded-for": other });
  expect(passed.headers.get("cache-control")).toBe("private, no-store");
});

test("answers for any number of apps, a bounded number of them at a time", async ({ redis }) => {
  const server = await startConsole({ REDIS_URL: redis.url, SLUICE_TOKEN: token });
  try {
    const askFor = (app: string) =>
      ask(server, { ...bearer, "x-forwarded-for": blocked }, { query: `?app=${app}` });
    for (let app = 1; app <= 8; app++) {
      await expect.poll(async () => (await askFor(`app-${app}`)).status).toBe(403);
    }
    await expect.poll(async () => (await askFor("app-9")).status).toBe(403);
    const apps = async () =>
      (await redis.client.zrange(keys.nodes(), "0", "-1")).filter((id) => id.startsWith("app-")).length;
    await expect.poll(apps).toBe(8);
    await expect.poll(async () => (await askFor("app-1")).status).toBe(403);
    expect((await askFor("Nonsense")).body).toContain("The app is named by");
  } finally {
    await server.stop();
  }
});

test("the console's own lists do not stop the proxy that asks", async ({ redis }) => {
  // Here the console takes X-Forwarded-For for its own visitor too, so that the proxy is blocked from its pages.
  const server = await startConsole({
    REDIS_URL: redis.url,
    SLUICE_TOKEN: token,
    SLUICE_TRUSTED_PROXIES: "127.0.0.0/8",
  });
  const statusAt = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { "x-forwarded-for": blocked } });
    await response.arrayBuffer();
    return response.status;
  };
  try {
    await expect.poll(() => statusAt("/")).toBe(403);
    expect(await statusAt("/api/checks")).toBe(403);
    expect(await statusAt("/api/check")).toBe(401);
  } finally {
    await server.stop();
  }
});

test("without a token set it is not configured, and says so", async ({ redis }) => {
  const server = await startConsole({ REDIS_URL: redis.url });
  try {
    const answer = await ask(server, { ...bearer, "x-forwarded-for": other });
    expect(answer.status).toBe(503);
    expect(answer.body).toBe(
      "This is not configured: SLUICE_CHECK_TOKEN is not set on the console, and neither is SLUICE_TOKEN.\n",
    );
  } finally {
    await server.stop();
  }
});

test("a setting that cannot be read ends the console at start, with one message", async ({ redis }) => {
  const started = startConsole({ REDIS_URL: redis.url, SLUICE_NEVER_BLOCK: "198.51.100.0/24 office" });
  await expect(started).rejects.toThrow(/the server ended \(1\):[\s\S]*sluice: SLUICE_NEVER_BLOCK: .*office/);
});

test("while Redis is away the lists hold as last known", async ({ redis, server }) => {
  const statusOf = async (client: string) =>
    (await ask(server, { ...bearer, "x-forwarded-for": client })).status;
  expect(await statusOf(blocked)).toBe(403);
  await redis.kill();
  expect(await statusOf(blocked)).toBe(403);
  expect(await statusOf(other)).toBe(204);
  await redis.restart();
});
