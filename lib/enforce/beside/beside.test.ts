import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express, type RequestHandler } from "express";
import { ipKeyGenerator, type Options, rateLimit } from "express-rate-limit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readBeside } from "../../observe/stats/beside.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { newClient, ruleOf, save } from "../guard/vitest.nodes.ts";
import { type BesideOptions, createBeside, type Difference } from "./beside.ts";

// A real Express app with the real express-rate-limit, of which each test plants one difference.
const windowSeconds = 600;
const limit = 3;

let redis: TestRedis;
let apps = 0;
let guard: Guard;
let app: string;
let ended = 0;
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  const levels = [{ limit, periodSeconds: windowSeconds }];
  const at = (path: string, given: object = {}) =>
    ruleOf(path.slice(1), "first-hit", { levels, mode: "shadow", match: { only: [path] }, ...given });
  await save(redis, [
    at("/agreed"),
    at("/limit", { levels: [{ limit: 2, periodSeconds: windowSeconds }] }),
    at("/length", { levels: [{ limit, periodSeconds: 60 }] }),
    at("/fixed", { algorithm: "fixed", levels: [{ limit, periodSeconds: 86_400 }] }),
    at("/customer", { client: "customer" }),
    at("/enforced", { mode: "enforce", levels: [{ limit: 1, periodSeconds: windowSeconds }] }),
  ]);
  await redis.client.set("safelist:192.0.2.1", "x");
  await redis.client.set("blocklist:192.0.2.2", "x");
});

afterAll(() => redis.stop());

afterEach(() => end());

interface Planted {
  readonly old?: Partial<Options>;
  readonly beside?: BesideOptions<express.Request, express.Response>;
  readonly trustedProxies?: string | undefined;
  /** In place of express-rate-limit. */
  readonly limiter?: RequestHandler;
  readonly counters?: string;
}

async function start(planted: Planted = {}) {
  app = `beside-${apps++}`;
  const { trustedProxies = "127.0.0.0/8", counters = redis.url } = planted;
  guard = createGuard({ redis: redis.url, counters, app, trustedProxies, log: () => {} });
  endings.push(() => guard.close());
  await guard.ready();
  const differences: Difference[] = [];
  const shop: Express = express();
  shop.set("trust proxy", "loopback");
  ended = 0;
  shop.use((_, response, next) => {
    response.once("close", () => ended++);
    next();
  });
  shop.use(createBeside(guard, { onDifference: (one) => differences.push(one), ...planted.beside }));
  const ms = windowSeconds * 1_000;
  shop.use(planted.limiter ?? rateLimit({ windowMs: ms, limit, validate: false, ...planted.old }));
  shop.use((_, response) => void response.send("welcome"));
  const server = createServer(shop);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { port, differences };
}

async function ask(port: number, path: string, ip: string, headers: Record<string, string> = {}) {
  const request = send({ port, host: "127.0.0.1", path, headers: { "x-forwarded-for": ip, ...headers } });
  request.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.on("response", resolve).on("error", reject),
  );
  response.resume();
  return response.statusCode;
}

async function askTimes(times: number, ...asked: Parameters<typeof ask>) {
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i < times; i++) statuses.push(await ask(...asked));
  return statuses;
}

/** Ends the app, which reports what is left to report. */
async function end(): Promise<void> {
  for (const ending of endings.splice(0).reverse()) await ending();
}

/** The report of this test's app, which has compared so many requests. */
async function reported(compared: number) {
  await eventually(() => expect(ended).toBe(compared));
  await end();
  const nowMs = Date.now();
  const [found, ...others] = await readBeside(redis.client, { app, nowMs, sinceMs: nowMs - 60_000 });
  expect([found?.compared, others]).toEqual([compared, []]);
  if (!found) throw new Error("nothing was compared");
  return found;
}

describe("beside express-rate-limit", () => {
  it("reports no difference where both have the same limits", async () => {
    const { port, differences } = await start();
    const [one, other] = [newClient(), newClient()];
    expect(await askTimes(5, port, "/agreed", one)).toEqual([200, 200, 200, 429, 429]);
    expect(await askTimes(2, port, "/agreed", other)).toEqual([200, 200]);
    expect(await reported(7)).toMatchObject({ different: 0, counts: [] });
    expect(differences).toEqual([]);
  });

  it("reports another limit, with the numbers of both, and denies nothing itself", async () => {
    const { port, differences } = await start();
    const ip = newClient();
    expect(await askTimes(4, port, "/limit?token=secret", ip)).toEqual([200, 200, 200, 429]);
    const found = await reported(4);
    const facts = { deniedBy: "sluice", reason: "limit", rule: "limit" };
    expect(found).toMatchObject({ different: 1, counts: [{ ...facts, requests: 1 }] });
    const [example] = found.examples;
    expect(example).toMatchObject({ ...facts, path: "/limit", method: "GET", ip });
    expect(example).toMatchObject({
      old: { limit: 3, used: 3, windowSeconds },
      levels: [{ limit: 2, used: 2 }],
    });
    expect(example?.says).toBe(
      "The limits differ: 3 and 2. The old limiter had 3 of 3 per 600 s, this request included. Rule limit had 2 of 2 per 600 s before it.",
    );
    expect(differences).toHaveLength(1);
  });

  it("denies nothing by a rule in force either", async () => {
    const { port } = await start();
    expect(await askTimes(3, port, "/enforced", newClient())).toEqual([200, 200, 200]);
    expect(await reported(3)).toMatchObject({ counts: [{ reason: "limit", rule: "enforced", requests: 2 }] });
  });

  it("reports another key: all clients of a proxy as one", async () => {
    const { port } = await start({ old: { keyGenerator: ({ socket }) => socket.remoteAddress ?? "" } });
    for (let i = 0; i < 4; i++) await ask(port, "/agreed", newClient());
    expect(await reported(4)).toMatchObject({
      counts: [{ deniedBy: "old", reason: "key-proxy", rule: "agreed", requests: 1 }],
      examples: [{ old: { key: expect.stringContaining("127.0.0.1") } }],
    });
  });

  it("reports that Sluice trusts no proxy", async () => {
    const { port } = await start({ trustedProxies: "10.9.9.9" });
    for (let i = 0; i < 4; i++) await ask(port, "/agreed", newClient());
    const { counts, examples } = await reported(4);
    expect(counts).toEqual([{ deniedBy: "sluice", reason: "key-proxy", rule: "agreed", requests: 1 }]);
    expect(examples[0]?.says).toContain("See trustedProxies.");
  });

  it("reports IPv6 networks of another size", async () => {
    const { port } = await start({ old: { keyGenerator: ({ ip }) => ipKeyGenerator(ip ?? "", 56) } });
    for (let i = 0; i < 4; i++) await ask(port, "/agreed", `2001:db8:7:${i}::1`);
    expect(await reported(4)).toMatchObject({
      counts: [{ deniedBy: "old", reason: "key-ipv6", requests: 1 }],
      examples: [{ old: { key: "2001:db8:7::/56" }, levels: [{ client: "2001:db8:7:3::/64" }] }],
    });
  });

  it("reports a key of the old limiter by its digest", async () => {
    const { port } = await start({ old: { keyGenerator: ({ headers }) => String(headers["x-key"]) } });
    const ip = newClient();
    for (let i = 0; i < 4; i++) await ask(port, "/agreed", ip, { "x-key": `secret-${i}` });
    const { counts, examples } = await reported(4);
    expect(counts).toEqual([{ deniedBy: "sluice", reason: "key", rule: "agreed", requests: 1 }]);
    expect(examples[0]?.old.key).toMatch(/^digest [0-9a-f]{8}$/);
  });

  it("does not take two spellings of one client for a difference, and reports customers", async () => {
    await redis.client.set("customer:acme:tier_redis", "none");
    const identify = () => ({ customerId: "acme" });
    const old = { keyGenerator: ({ headers }: express.Request) => `user:${headers["x-user"]}` };
    const { port } = await start({ old, beside: { identify } });
    for (let i = 0; i < 3; i++) await ask(port, "/customer", newClient(), { "x-user": "1" });
    await ask(port, "/customer", newClient(), { "x-user": "2" });
    expect(await reported(4)).toMatchObject({
      different: 1,
      counts: [{ deniedBy: "sluice", reason: "key-customer", rule: "customer" }],
    });
  });

  it("reports windows of another length", async () => {
    const { port } = await start({ old: { limit: 3 } });
    const ip = newClient();
    await askTimes(3, port, "/length", ip);
    // As if a minute were over: the window of Sluice has ended, the old one has not.
    await redis.client.del(`sluice:first-hit:60:length:${ip}`);
    await ask(port, "/length", ip);
    expect(await reported(4)).toMatchObject({ counts: [{ deniedBy: "old", reason: "window-length" }] });
  });

  it("reports windows that begin with the clock", async () => {
    const { port } = await start({ old: { windowMs: 86_400_000 } });
    const ip = newClient();
    await askTimes(2, port, "/fixed", ip);
    // As if midnight were over.
    const keys = await redis.client.keys(`rack::attack:*:fixed:${ip}`);
    expect(keys).toHaveLength(1);
    await redis.client.del(keys);
    await askTimes(2, port, "/fixed", ip);
    expect(await reported(4)).toMatchObject({ counts: [{ deniedBy: "old", reason: "window-start" }] });
  });

  it("reports a count that began later", async () => {
    const { port } = await start();
    const ip = newClient();
    await redis.client.set(
      `sluice:first-hit:600:agreed:${ip}`,
      Buffer.from(new Float64Array([3, (Date.now() + 600_000) * 1_000]).buffer),
    );
    await ask(port, "/agreed", ip);
    expect(await reported(1)).toMatchObject({ counts: [{ deniedBy: "sluice", reason: "count" }] });
  });

  it("reports requests that the old limiter skips, and such that no rule counts", async () => {
    const { port } = await start({
      old: { skip: ({ path, query }) => path === "/agreed" && "free" in query },
    });
    const ip = newClient();
    await ask(port, "/uncounted", ip);
    await askTimes(4, port, "/agreed?free", ip);
    await askTimes(3, port, "/uncounted", ip);
    const { counts } = await reported(8);
    expect(counts).toHaveLength(2);
    expect(counts).toContainEqual({ deniedBy: "sluice", reason: "skipped", rule: "agreed", requests: 1 });
    expect(counts).toContainEqual({ deniedBy: "old", reason: "no-rule", rule: "", requests: 1 });
  });

  it("reports what the lists of Sluice decide", async () => {
    const { port } = await start();
    await askTimes(4, port, "/agreed", "192.0.2.1");
    await ask(port, "/agreed", "192.0.2.2");
    const { counts } = await reported(5);
    expect(counts).toContainEqual({ deniedBy: "old", reason: "safelist", rule: "", requests: 1 });
    expect(counts).toContainEqual({ deniedBy: "sluice", reason: "blocklist", rule: "", requests: 1 });
  });

  it("reports that the counters did not answer", async () => {
    const counters = await startRedis();
    endings.push(() => counters.stop());
    const { port } = await start({ counters: counters.url });
    const ip = newClient();
    await askTimes(3, port, "/agreed", ip);
    await counters.kill();
    expect(await ask(port, "/agreed", ip)).toBe(429);
    expect(await reported(4)).toMatchObject({ counts: [{ deniedBy: "old", reason: "unavailable" }] });
  });
});

describe("beside any other limiter", () => {
  it("knows a denial by its status and its headers", async () => {
    let requests = 0;
    const limiter: RequestHandler = (_, response, next) => {
      requests++;
      response.set({ "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": String(Math.max(0, 1 - requests)) });
      if (requests > 1) return void response.status(429).end();
      next();
    };
    const { port } = await start({ limiter });
    expect(await askTimes(2, port, "/agreed", newClient())).toEqual([200, 429]);
    expect(await reported(2)).toMatchObject({ counts: [{ deniedBy: "old", reason: "limit" }] });
  });

  it("takes the app's word, and says what it does not know", async () => {
    const limiter: RequestHandler = (_, response) => void response.status(503).end();
    const old = (_: unknown, { statusCode }: express.Response) => ({ isDenied: statusCode === 503 });
    const { port } = await start({ limiter, beside: { old } });
    expect(await ask(port, "/agreed", newClient())).toBe(503);
    expect(await reported(1)).toMatchObject({ counts: [{ deniedBy: "old", reason: "unknown" }] });
  });

  it("serves the app while a function of it fails", async () => {
    const fail = () => {
      throw new Error("a mistake");
    };
    const { port } = await start({ beside: { old: fail, identify: fail } });
    expect(await ask(port, "/agreed", newClient())).toBe(200);
  });
});

it("takes only what createGuard has made", () => {
  expect(() => createBeside({} as Guard)).toThrow("Give the guard that createGuard has returned.");
});
