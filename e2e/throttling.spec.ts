import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { PolicyInput } from "@/lib/enforce/policy/schema.ts";
import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { savePolicy, secret } from "./fixtures/policy.ts";
import { test as base, expect, type Visit } from "./fixtures/storefront-test.ts";
import { roomInWindow } from "./fixtures/window.ts";

const test = base.extend<{
  /** Saves a policy, as the console does, and waits until the shop has it. */
  enforce(policy: Partial<PolicyInput>): Promise<void>;
  sluice(words: string[], stdin?: string): Promise<string>;
}>({
  enforce: async ({ shop }, use) => {
    const redis = shop.redis.client;
    await use(async (policy) => {
      const change = await savePolicy(redis, policy);
      if (change === null) return;
      await expect.poll(() => changeProgress(redis, change)).toMatchObject({ nodes: 1, lagging: [] });
    });
  },
  sluice: async ({ shop }, use) => {
    const env = { ...process.env, REDIS_URL: shop.redis.url, NEXTAUTH_SECRET: secret };
    await use(async (words, stdin = "") => {
      const running = promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words], { env });
      running.child.stdin?.end(stdin);
      return (await running).stdout;
    });
  },
});

const orders = "/api/v1/orders";
const per = (periodSeconds: number, limit: number) => [{ limit, periodSeconds }];
const byIp = { name: "req/ip", client: "ip", algorithm: "first-hit", levels: per(60, 2) } as const;
const asJson = { accept: "application/json" };
const basic = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:secret`).toString("base64")}`,
});

/** The statuses of one visit after the other. */
async function statuses(times: number, visit: () => Promise<Visit>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push((await visit()).status);
  return found;
}

/** Visits, ten at a time, until a counter has come so far. A check that Redis answers too late passes uncounted. */
async function visitUntil(reached: number, count: () => Promise<number>, visit: () => Promise<Visit>) {
  for (let n = await count(); n < reached; n = await count()) {
    const visits = await Promise.all(Array.from({ length: Math.min(10, reached - n) }, visit));
    for (const { status } of visits) expect(status).toBe(200);
  }
}

test("a fresh install lets 300 requests in five minutes pass, and 600 in thirty", async ({ shop }) => {
  const { client } = shop.redis;
  await client.flushall();
  await expect
    .poll(async () => (await shop.visit("198.51.100.200")).headers.get("ratelimit-policy"))
    .toBe('"req/ip/1";q=300;w=300, "req/ip/2";q=600;w=1800');
  await roomInWindow(300, 10);
  const window = (seconds: number) => Math.floor(Date.now() / 1_000 / seconds);
  const count = async () => Number(await client.get(`rack::attack:${window(300)}:req/ip/1:198.51.100.1`));
  await visitUntil(300, count, () => shop.visit("198.51.100.1"));
  const over = await shop.visit("198.51.100.1", asJson);
  expect(over.status).toBe(429);
  expect(over.headers.get("ratelimit")).toMatch(/^"req\/ip\/1";r=0;t=\d+, "req\/ip\/2";r=300;t=\d+$/);
  expect(JSON.parse(over.body)["violated-policies"]).toEqual(["req/ip/1"]);
  expect(await shop.status("198.51.100.2")).toBe(200);

  // What a Rails app has counted, counts here. The first requests of a client may pass before its counts are read.
  await client.setex(`rack::attack:${window(1_800)}:req/ip/2:198.51.100.3`, 1_801, "600");
  await expect.poll(() => shop.status("198.51.100.3")).toBe(429);
  const long = await shop.visit("198.51.100.3", asJson);
  expect([long.status, JSON.parse(long.body)["violated-policies"]]).toEqual([429, ["req/ip/2"]]);
});

test("a policy set on the command line is in force without a restart", async ({ shop, sluice }) => {
  const limitedTo = (limit: number) =>
    JSON.stringify({ mode: "enforce", rules: [{ ...byIp, levels: per(60, limit) }], tiers: {} });
  const visit = () => shop.visit("198.51.100.10");
  expect(await sluice(["policy", "set", "-", "--reason", "a flood"], limitedTo(2))).toMatch(
    /applied on 1 of 1 nodes? in \d+ ms/,
  );
  expect(await statuses(3, visit)).toEqual([200, 200, 429]);
  await sluice(["policy", "set", "-"], limitedTo(4));
  expect(await statuses(3, visit)).toEqual([200, 200, 429]);
  await sluice(["policy", "set", "-"], JSON.stringify({ mode: "enforce", rules: [], tiers: {} }));
  expect(await statuses(3, visit)).toEqual([200, 200, 200]);
});

test("each answer says what is left, and a refusal when to come back; the app never sees that one", async ({
  shop,
  enforce,
}) => {
  await enforce({ rules: [byIp] });
  const visit = () => shop.visit("198.51.100.20", {}, orders);
  const told = ({ status, headers }: Visit) => [status, headers.get("ratelimit"), headers.get("retry-after")];
  const first = await visit();
  expect(told(first)).toEqual([200, '"req/ip";r=1;t=60', null]);
  expect(told(await visit())).toEqual([200, expect.stringMatching(/^"req\/ip";r=0;t=(60|59)$/), null]);
  const refused = await visit();
  expect(told(refused)).toEqual([
    429,
    expect.stringMatching(/^"req\/ip";r=0;t=(60|59)$/),
    expect.stringMatching(/^(60|59)$/),
  ]);
  for (const { headers } of [first, refused])
    expect(headers.get("ratelimit-policy")).toBe('"req/ip";q=2;w=60');
  expect(refused.headers.get("cache-control")).toBe("private, no-store");
  expect(await statuses(5, visit)).toEqual([429, 429, 429, 429, 429]);
  const other = await shop.visit("198.51.100.21", {}, orders);
  expect(JSON.parse(other.body).served - JSON.parse(first.body).served).toBe(2);
});

test("who comes back when told to, may", async ({ shop, enforce }) => {
  await enforce({ rules: [{ ...byIp, levels: per(2, 1) }] });
  const visit = () => shop.visit("198.51.100.30");
  expect((await visit()).status).toBe(200);
  const refused = await visit();
  expect(refused.status).toBe(429);
  const startedAt = performance.now();
  let lastRefusedAt = startedAt;
  for (let askedAt = startedAt; (await visit()).status === 429; askedAt = performance.now()) {
    expect(askedAt - startedAt).toBeLessThan(5_000);
    lastRefusedAt = askedAt;
  }
  const took = performance.now() - startedAt;
  const promised = Number(refused.headers.get("retry-after")) * 1_000;
  expect(took).toBeGreaterThan(promised - 1_100);
  expect(lastRefusedAt - startedAt).toBeLessThan(promised + 250);
});

test("a refusal speaks the caller's format", async ({ shop, enforce }) => {
  await enforce({ rules: [{ ...byIp, levels: per(60, 1) }] });
  const answer = async (accept: string) => {
    const { status, headers, body } = await shop.visit("198.51.100.40", { accept });
    return { status, type: headers.get("content-type"), body };
  };
  await answer("*/*");
  const problem = await answer("application/json");
  expect(problem).toMatchObject({ status: 429, type: "application/problem+json" });
  expect(JSON.parse(problem.body)).toEqual({
    type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
    title: "Too Many Requests",
    status: 429,
    detail: expect.stringMatching(/Try again in \d+ s/),
    "violated-policies": ["req/ip"],
  });
  expect(await answer("text/html,application/xhtml+xml,*/*;q=0.8")).toEqual({
    status: 429,
    type: "text/html; charset=utf-8",
    body: expect.stringContaining("<h1>Too Many Requests</h1>"),
  });
  expect(await answer("*/*")).toEqual({
    status: 429,
    type: "text/plain; charset=utf-8",
    body: expect.stringMatching(/^Too Many Requests\. /),
  });
});

test("customer 1042 is moved from free to pro, and the next request passes", async ({ shop, enforce }) => {
  const { client } = shop.redis;
  await enforce({
    rules: [
      { ...byIp, match: { who: "anonymous" } },
      { name: "req/customer", client: "customer", algorithm: "fixed", levels: "tier" },
    ],
    tiers: { free: { levels: per(3_600, 3) }, pro: { levels: per(3_600, 6) } },
  });
  await roomInWindow(3_600, 10);
  const visit = (as = "1042") => shop.visit("198.51.100.50", { "x-signed-in-as": as });
  const policyFor = async (as?: string) => (await visit(as)).headers.get("ratelimit-policy");
  await client.set("customer:1042:tier_redis", "free");
  await expect.poll(() => policyFor()).toBe('"req/customer";q=3;w=3600');
  await client.del(await client.keys("rack::attack:*:1042"));
  expect(await statuses(4, visit)).toEqual([200, 200, 200, 429]);
  await client.set("customer:1042:tier_redis", "pro");
  await expect.poll(async () => (await visit()).status).toBe(200);
  expect(await policyFor()).toBe('"req/customer";q=6;w=3600');

  // Levels of the customer's own, as a Rails console would write them, then none at all.
  await client.hset("customer:1042:throttle_hash", { "60": "20", "3600": "50" });
  await expect.poll(() => policyFor()).toBe('"req/customer/60";q=20;w=60, "req/customer/3600";q=50;w=3600');
  await client.del("customer:1042:throttle_hash", "customer:1042:tier_redis");
  await expect.poll(() => policyFor()).toBe('"req/ip";q=2;w=60');
  // Nobody becomes a customer, or reaches another one's keys, by what they call themselves.
  for (const name of ["stranger", "1042:tier_redis", "../1042", "*"])
    expect(await policyFor(name)).toBe('"req/ip";q=2;w=60');
});

test("60 requests an hour for each Basic user, as API throttling middleware does it", async ({
  shop,
  enforce,
}) => {
  await enforce({
    rules: [
      {
        name: "api/user",
        match: { only: ["/api/v1"], except: ["/api/v1/users"] },
        client: "user",
        requireBasic: true,
        algorithm: "fixed",
        levels: per(3_600, 60),
        response: { status: 503 },
      },
    ],
  });
  await roomInWindow(3_600, 10);
  const as = (user: string, path = orders, from = "198.51.100.60") => shop.visit(from, basic(user), path);
  const hour = Math.floor(Date.now() / 3_600_000);
  const count = async () => Number(await shop.redis.client.get(`rack::attack:${hour}:api/user:joe`));
  await visitUntil(30, count, () => as("joe"));
  await visitUntil(60, count, () => as("joe", orders, "198.51.100.61"));
  const over = await as("joe");
  expect([over.status, over.body]).toEqual([503, expect.stringMatching(/^Over Rate Limit\b/)]);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);

  expect((await as("ann")).status).toBe(200);
  expect((await as("joe", "/api/v1/users/7")).status).toBe(200);
  expect((await as("joe", "/api/stock")).status).toBe(200);
  expect((await shop.visit("198.51.100.60", {}, orders)).status).toBe(200);

  const bearer = { authorization: "Bearer abc" };
  const bad = await shop.visit("198.51.100.60", bearer, orders);
  expect([bad.status, bad.body]).toEqual([400, expect.stringMatching(/^Bad Request\b/)]);
  expect((await shop.visit("198.51.100.60", bearer, "/api/v1/users")).status).toBe(200);
});

test("who is counted may be decided by the app's own code", async ({ shop, enforce }) => {
  const client = { code: "department" };
  await enforce({ rules: [{ name: "department", client, algorithm: "rolling-list", levels: per(60, 2) }] });
  const visit = (from: string, path: string) => shop.visit(from, {}, `/api/v1/${path}`);
  expect((await visit("198.51.100.70", "teapots/1")).status).toBe(200);
  expect((await visit("198.51.100.71", "teapots/2")).status).toBe(200);
  expect((await visit("198.51.100.72", "teapots/3")).status).toBe(429);
  expect((await visit("198.51.100.72", "saucers/1")).status).toBe(200);
  expect((await shop.visit("198.51.100.72")).headers.get("ratelimit-policy")).toBeNull();
});

test("a rule in shadow says what it would have done, and stops nobody", async ({ shop, enforce }) => {
  const visit = () => shop.visit("198.51.100.80");
  const would = async () => (await visit()).headers.get("x-would-be-stopped-by");
  await enforce({ rules: [{ ...byIp, mode: "shadow" }] });
  expect([await would(), await would(), await would(), await would()]).toEqual([
    null,
    null,
    "req/ip",
    "req/ip",
  ]);
  const { status, headers } = await visit();
  expect([status, headers.get("ratelimit-policy"), headers.get("retry-after")]).toEqual([200, null, null]);
  await enforce({ rules: [byIp] });
  expect((await visit()).status).toBe(429);
  await enforce({ mode: "shadow", rules: [byIp] });
  expect([(await visit()).status, await would()]).toEqual([200, "req/ip"]);
  await shop.redis.client.set("blocklist:198.51.100.80", "x");
  await expect.poll(async () => (await visit()).status).toBe(403);
});

test("what a page fetches beside itself is not counted", async ({ shop }) => {
  const { client } = shop.redis;
  const from = "198.51.100.90";
  const counters = () => client.keys(`*${from}`);
  await client.del("sluice:live:policy");
  await expect
    .poll(async () => (await shop.visit("198.51.100.200")).headers.get("ratelimit-policy"))
    .toContain("req/ip/1");
  const page = await shop.visit("198.51.100.200", {}, "/");
  const asset = /"(\/_next\/static\/[^"]+\.js)"/.exec(page.body)?.[1] ?? "";
  const answer = await shop.visit(from, {}, asset);
  expect([answer.status, answer.headers.get("ratelimit")]).toEqual([200, null]);
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(await counters()).toEqual([]);
  await shop.visit(from, {}, "/");
  await expect.poll(counters).toHaveLength(3);
});

test("a denied server action throws an error whose message the app shows, and a denied page is one of the app", async ({
  shop,
  page,
  enforce,
}) => {
  const cart = `${shop.server.url}/cart`;
  const items = () => shop.server.output().split("items in the cart").length - 1;
  const rule = { client: "ip", algorithm: "first-hit" } as const;
  await enforce({
    rules: [
      { ...rule, name: "adds", match: { only: ["/cart"], serverAction: true }, levels: per(60, 1) },
      { ...rule, name: "views", match: { only: ["/cart"], methods: ["GET"] }, levels: per(60, 1) },
    ],
  });
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.77" });
  await page.goto(cart);
  const add = page.getByRole("button", { name: "Add", exact: true });
  await expect(async () => {
    await add.click();
    await expect(page.getByRole("status")).toHaveText("Added.", { timeout: 2_000 });
  }).toPass();
  await add.click();
  await expect(page.getByRole("status")).toHaveText(
    /^Too Many Requests\. You have sent more requests than are accepted\. Try again in \d+ s\.$/,
  );
  // The form that a browser without scripts posts. Rewritten to a page, Next could run the action there.
  const before = items();
  const name = await page.locator("form input[type=hidden]").first().getAttribute("name");
  const posted = await page.request.post(cart, {
    headers: { "x-forwarded-for": "203.0.113.77", accept: "text/html" },
    multipart: { [name ?? ""]: "" },
  });
  expect([posted.status(), await posted.text(), items()]).toEqual([
    429,
    expect.stringContaining("<h1>Too Many Requests</h1>"),
    before,
  ]);
  expect(before).toBeGreaterThan(0);
  const denied = await page.goto(cart);
  expect([denied?.status(), denied?.headers()["cache-control"]]).toEqual([429, "private, no-store"]);
  await expect(page.getByRole("heading", { name: /^Please come back in \d+ s$/ })).toBeVisible();
});
