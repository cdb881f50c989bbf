import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import type { Identified } from "../guard/identify.ts";
import { newClient, periodSeconds, ruleOf, save } from "../guard/vitest.nodes.ts";
import { createMiddleware as createExpress, settle } from "./express.ts";
import { createPlugin } from "./fastify.ts";
import { createMiddleware as createHono } from "./hono.ts";
import { createMiddleware as createKoa } from "./koa.ts";
import { createGate } from "./web.ts";

let redis: TestRedis;
let guard: Guard;

beforeAll(async () => {
  redis = await startRedis();
  const few = { levels: [{ limit: 2, periodSeconds }], match: { only: ["/few"] } };
  const away = {
    levels: [{ limit: 2, periodSeconds }],
    onStoreError: "closed",
    match: { only: ["/closed"] },
  };
  const tiers = { free: { levels: [{ limit: 1, periodSeconds }] } };
  await save(
    redis,
    [
      ruleOf("few", "fixed", few),
      ruleOf("closed", "fixed", away),
      ruleOf("at-once", "concurrent", { ...few, match: { only: ["/slow"] } }),
      ruleOf("login", "fixed", { ...few, countWhen: { status: [401] }, match: { only: ["/login"] } }),
      ruleOf("failed", "fixed", { ...few, countWhen: "failed", match: { only: ["/pay"] } }),
      { name: "mine", client: "customer", algorithm: "fixed", levels: "tier", match: { only: ["/mine"] } },
    ],
    tiers,
  );
  for (const name of Object.keys(frameworks))
    await redis.client.set(`customer:of-${name}:tier_redis`, "free");
  guard = createGuard({ redis: redis.url, app: "shop", trustedProxies: ["127.0.0.0/8"], log: () => {} });
  await guard.ready();
});

const endings: (() => unknown)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) await end();
});

afterAll(async () => {
  await guard.close();
  await redis.stop();
});

/** Options, which each framework takes in its own way. */
interface Options {
  readonly identify?: (headers: Headers) => Identified;
  /** Gives the app's own answer to a denial, or throws. */
  readonly own?: (status: number) => string;
  /** Answers a request that passed with a status, and settles it with the framework's own request first. */
  readonly answer?: (request: object) => Promise<number>;
}

const known = (headers: IncomingMessage["headers"]) => new Headers(headers as Record<string, string>);

type Start = (options: Options) => Promise<number>;

async function listening(handler: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const welcome = "welcome";

const frameworks: Record<string, Start> = {
  async express({ identify, own, answer }) {
    const app = express();
    app.use(
      createExpress(guard, {
        ...(identify && { identify: ({ headers }) => identify(known(headers)) }),
        ...(own && { onDenied: ({ status }, _, response) => response.send(own(status)) }),
      }),
    );
    app.use(async (request, response) => response.status((await answer?.(request)) ?? 200).send(welcome));
    return listening(app);
  },
  async fastify({ identify, own, answer }) {
    const app = fastify();
    await app.register(
      createPlugin(guard, {
        ...(identify && { identify: ({ headers }) => identify(known(headers)) }),
        ...(own && { onDenied: ({ status }, _, reply) => reply.send(own(status)) }),
      }),
    );
    app.all("/*", async (request, reply) => reply.code((await answer?.(request)) ?? 200).send(welcome));
    await app.listen({ port: 0, host: "127.0.0.1" });
    endings.push(() => app.close());
    return (app.server.address() as AddressInfo).port;
  },
  async koa({ identify, own, answer }) {
    const app = new Koa();
    app.silent = true;
    app.use(
      createKoa(guard, {
        ...(identify && { identify: ({ headers }) => identify(known(headers)) }),
        ...(own && {
          onDenied: ({ status }, context) => {
            context.body = own(status);
          },
        }),
      }),
    );
    app.use(async (context) => {
      context.status = (await answer?.(context)) ?? 200;
      context.body = welcome;
    });
    return listening(app.callback());
  },
  async hono({ identify, own, answer }) {
    const app = new Hono();
    app.use(
      createHono(guard, {
        ...(identify && { identify: ({ req }) => identify(req.raw.headers) }),
        ...(own && { onDenied: ({ status }, context) => context.body(own(status), 418) }),
      }),
    );
    app.all("/*", async (context) => {
      context.status(((await answer?.(context)) ?? 200) as 200);
      return context.text(welcome);
    });
    return listening(getRequestListener(app.fetch));
  },
  async web({ identify, own, answer }) {
    const gate = createGate(guard, {
      peer: (_, { address }: { readonly address: string }) => address,
      ...(identify && { identify: ({ headers }) => identify(headers) }),
      ...(own && { onDenied: ({ status }) => new Response(own(status), { status: 418 }) }),
    });
    const respond = async (request: Request) =>
      new Response(welcome, { status: (await answer?.(request)) ?? 200 });
    const app = (request: Request) => gate(request, () => respond(request), { address: "127.0.0.1" });
    return listening(getRequestListener(app));
  },
};

interface Asked {
  readonly path?: string;
  readonly ip?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

async function ask(port: number, { path = "/", ip = newClient(), method = "GET", headers = {} }: Asked) {
  const request = send({
    port,
    host: "127.0.0.1",
    path,
    method,
    headers: { "x-forwarded-for": ip, ...headers },
  });
  request.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.on("response", resolve).on("error", reject),
  );
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe.each(Object.entries(frameworks))("%s", (name, start) => {
  it("lets pass, with headers, until the limit is reached, and says when to come back", async () => {
    const port = await start({});
    const ip = newClient();
    const asked = { path: "/few?page=2", ip };
    for (const left of [1, 0]) {
      const { status, headers, body } = await ask(port, asked);
      expect([status, body]).toEqual([200, welcome]);
      expect(headers.ratelimit).toMatch(new RegExp(`r=${left}(;|$)`));
    }
    const denied = await ask(port, { ...asked, headers: { accept: "application/json" } });
    expect([denied.status, JSON.parse(denied.body)["violated-policies"]]).toEqual([429, ["few"]]);
    expect(denied.headers).toMatchObject({
      "retry-after": expect.stringMatching(/^\d+$/),
      "content-type": expect.stringContaining("application/problem+json"),
      "cache-control": "private, no-store",
    });
    expect((await ask(port, { path: "/few" })).status).toBe(200);
  });

  it("answers who is blocked with 403, and nothing to HEAD", async () => {
    const port = await start({});
    const ip = newClient();
    await redis.client.set(`blocklist:${ip}`, "x");
    await eventually(async () => expect((await ask(port, { ip })).status).toBe(403));
    const head = await ask(port, { ip, method: "HEAD" });
    expect([head.status, head.body]).toEqual([403, ""]);
  });

  it("counts the customer that the app names", async () => {
    const port = await start({
      identify: (headers) => ({ customerId: headers.get("x-customer") ?? undefined }),
    });
    const headers = { "x-customer": `of-${name}` };
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await ask(port, { path: "/mine", headers })).status);
    expect(statuses).toEqual([200, 429]);
    expect((await ask(port, { path: "/mine" })).status).toBe(200);
  });

  it("takes the request as anonymous where identify throws", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const port = await start({
      identify: () => {
        throw new Error("no session");
      },
    });
    expect((await ask(port, {})).status).toBe(200);
  });

  it("gives the app's own answer to a denial, with the headers of the verdict", async () => {
    const port = await start({ own: (status) => `slow down, ${status}` });
    const ip = newClient();
    for (let i = 0; i < 2; i++) await ask(port, { path: "/few", ip });
    const { body, headers, status } = await ask(port, { path: "/few", ip });
    expect([body, status === 429 || status === 418]).toEqual(["slow down, 429", true]);
    expect(headers).toMatchObject({
      "retry-after": expect.stringMatching(/^\d+$/),
      "cache-control": "private, no-store",
    });
  });

  it("counts by the response's status, and by what the app says", async () => {
    let [status, result] = [200, {}];
    const port = await start({
      async answer(request) {
        await settle(request, result);
        return status;
      },
    });
    for (const path of ["/login", "/pay"]) {
      const ip = newClient();
      const left = async () =>
        Number(/r=(\d+)/.exec(String((await ask(port, { path, ip })).headers.ratelimit))?.[1]);
      const untilLeft = (expected: number) => eventually(async () => expect(await left()).toBe(expected));
      [status, result] = [200, {}];
      for (let i = 0; i < 5; i++) await ask(port, { path, ip });
      await untilLeft(1);
      [status, result] = path === "/login" ? [401, {}] : [200, { failed: true }];
      await ask(port, { path, ip });
      [status, result] = [200, {}];
      await untilLeft(0);
    }
  });

  it("has at most two requests of a client at once, and a place again when a response has ended", async () => {
    let isSlow = true;
    const inside: (() => void)[] = [];
    const port = await start({
      answer: async () => {
        if (isSlow) await new Promise<void>((resolve) => inside.push(resolve));
        return 200;
      },
    });
    const ip = newClient();
    const status = async () => (await ask(port, { path: "/slow", ip })).status;
    const running = [status(), status()];
    await eventually(async () => expect(inside).toHaveLength(2));
    expect(await status()).toBe(429);
    isSlow = false;
    for (const leave of inside) leave();
    expect(await Promise.all(running)).toEqual([200, 200]);
    await eventually(async () => expect(await status()).toBe(200));
  });

  it("answers a denial itself where the app's own answer fails", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const port = await start({
      own: () => {
        throw new Error("no template");
      },
    });
    const ip = newClient();
    for (let i = 0; i < 2; i++) await ask(port, { path: "/few", ip });
    const { status, body } = await ask(port, { path: "/few", ip });
    expect([status, body]).toEqual([429, expect.stringContaining("Too Many Requests")]);
  });
});

it.each(Object.entries(frameworks))("%s keeps answering while the store fails", async (_, start) => {
  const counters = await startRedis();
  const failing = createGuard({
    ...{ redis: redis.url, counters: counters.url, app: "failing", log: () => {} },
    trustedProxies: ["127.0.0.0/8"],
  });
  await failing.ready();
  const own = guard;
  guard = failing;
  try {
    const port = await start({});
    expect((await ask(port, { path: "/closed" })).status).toBe(200);
    await counters.stop();
    await eventually(async () => expect((await ask(port, { path: "/closed" })).status).toBe(429));
    expect((await ask(port, { path: "/few" })).status).toBe(200);
  } finally {
    guard = own;
    await failing.close();
  }
});
