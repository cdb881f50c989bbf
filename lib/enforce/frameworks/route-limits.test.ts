import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
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
import { createMiddleware as createNode, limit as limitNode } from "../guard/http-middleware.ts";
import type { Limit } from "../guard/limit.ts";
import { limit as limitNext, settle as settleNext } from "../guard/next.ts";
import type { OwnBody } from "../guard/refusal.ts";
import type { Verdict } from "../guard/verdict.ts";
import { newClient, periodSeconds, ruleOf, save } from "../guard/vitest.nodes.ts";
import type { LimitOptions } from "../policy/code-limits.ts";
import { createMiddleware as createExpress, limit as limitExpress, settle } from "./express.ts";
import { createPlugin, limit as limitFastify } from "./fastify.ts";
import { createMiddleware as createHono, limit as limitHono } from "./hono.ts";
import { createMiddleware as createKoa, limit as limitKoa } from "./koa.ts";
import { createGate, limit as limitWeb } from "./web.ts";

let redis: TestRedis;
let guard: Guard;

beforeAll(async () => {
  redis = await startRedis();
  await save(redis, [
    ruleOf("all", "fixed", { levels: [{ limit: 1_000, periodSeconds }] }),
    ruleOf("refused", "fixed", { levels: [{ limit: 50, periodSeconds }], countWhen: "failed" }),
  ]);
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
  readonly terms: LimitOptions;
  readonly key?: (headers: Headers) => string | undefined;
  readonly cost?: (headers: Headers) => number;
  readonly onDenied?: OwnBody | ((status: number) => string);
  /** Answers a request that passed with a status, and may settle it with the framework's own request first. */
  readonly answer?: (request: object) => Promise<number>;
}

interface Started {
  readonly port: number;
  readonly limit: Limit;
}

async function listening(handler: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const headersOf = (headers: IncomingMessage["headers"]) => new Headers(headers as Record<string, string>);
const welcome = "welcome";
let names = 0;

/** Options with the app's functions on the headers of what a framework gives. */
function adapted<Given>({ terms, key, cost }: Options, headers: (given: Given) => Headers) {
  return {
    ...terms,
    ...(key && { key: (given: Given) => key(headers(given)) }),
    ...(cost && { cost: (given: Given) => cost(headers(given)) }),
  };
}

const nameOfLimit = () => `limit-${++names}`;
const ofNode = ({ headers }: { readonly headers: IncomingMessage["headers"] }) => headersOf(headers);

/** `onDenied` of a framework: a function answers in its way. */
function denial<F>({ onDenied }: Options, asFunction: (say: (status: number) => string) => F) {
  if (onDenied === undefined) return {};
  return { onDenied: typeof onDenied === "function" ? asFunction(onDenied) : onDenied };
}

const frameworks: Record<string, (options: Options) => Promise<Started>> = {
  async node(options) {
    const limit = limitNode(guard, nameOfLimit(), {
      ...adapted(options, ofNode),
      ...denial(
        options,
        (say) =>
          ({ status }: Verdict, _: IncomingMessage, response: ServerResponse) =>
            response.end(say(status)),
      ),
    });
    const all = createNode(guard);
    const port = await listening((request, response) => {
      void all(request, response, () =>
        limit(request, response, async () => {
          response.statusCode = (await options.answer?.(request)) ?? 200;
          response.end(welcome);
        }),
      );
    });
    return { port, limit };
  },
  async express(options) {
    const app = express();
    const limit = limitExpress(guard, nameOfLimit(), {
      ...adapted(options, ofNode),
      ...denial(
        options,
        (say) =>
          ({ status }, _, response) =>
            response.send(say(status)),
      ),
    });
    app.use(createExpress(guard));
    app.use("/export", limit, async (request, response) => {
      response.status((await options.answer?.(request)) ?? 200).send(welcome);
    });
    return { port: await listening(app), limit };
  },
  async fastify(options) {
    const app = fastify();
    const limit = limitFastify(guard, nameOfLimit(), {
      ...adapted(options, ofNode),
      ...denial(
        options,
        (say) =>
          ({ status }, _, reply) =>
            reply.send(say(status)),
      ),
    });
    await app.register(createPlugin(guard));
    app.get("/export", { preHandler: limit }, async (request, reply) =>
      reply.code((await options.answer?.(request)) ?? 200).send(welcome),
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    endings.push(() => app.close());
    return { port: (app.server.address() as AddressInfo).port, limit };
  },
  async koa(options) {
    const app = new Koa();
    const limit = limitKoa(guard, nameOfLimit(), {
      ...adapted(options, ofNode),
      ...denial(options, (say) => ({ status }, context) => {
        context.body = say(status);
      }),
    });
    app.use(createKoa(guard)).use(limit);
    app.use(async (context) => {
      context.status = (await options.answer?.(context)) ?? 200;
      context.body = welcome;
    });
    return { port: await listening(app.callback()), limit };
  },
  async hono(options) {
    const app = new Hono();
    const limit = limitHono(guard, nameOfLimit(), {
      ...adapted(options, ({ req }) => req.raw.headers),
      ...denial(
        options,
        (say) =>
          ({ status }, context) =>
            context.text(say(status), 429),
      ),
    });
    app.use(createHono(guard));
    app.get("/export", limit, async (context) => {
      context.status(((await options.answer?.(context)) ?? 200) as 200);
      return context.text(welcome);
    });
    return { port: await listening(getRequestListener(app.fetch)), limit };
  },
  async web(options) {
    interface At {
      readonly address: string;
    }
    const peer = (_: Request, { address }: At) => address;
    const all = createGate(guard, { peer });
    const limit = limitWeb(guard, nameOfLimit(), {
      ...adapted(options, ({ headers }: Request) => headers),
      ...denial(
        options,
        (say) =>
          ({ status }) =>
            new Response(say(status), { status }),
      ),
      peer,
    });
    const at: At = { address: "127.0.0.1" };
    const respond = async (request: Request) =>
      new Response(welcome, { status: (await options.answer?.(request)) ?? 200 });
    const app = (request: Request) => all(request, () => limit(request, () => respond(request), at), at);
    return { port: await listening(getRequestListener(app)), limit };
  },
  async next(options) {
    const limit = limitNext(guard, nameOfLimit(), {
      ...adapted(options, ({ headers }: Request) => headers),
      ...denial(
        options,
        (say) =>
          ({ status }) =>
            new Response(say(status), { status }),
      ),
      clientAddress: ({ headers }) => headers.get("x-forwarded-for") ?? undefined,
    });
    const all = createGate(guard, { peer: () => "127.0.0.1" });
    const route = limit(
      async (request: Request) => new Response(welcome, { status: (await options.answer?.(request)) ?? 200 }),
    );
    const app = (request: Request) => all(request, () => route(request, undefined), undefined);
    return { port: await listening(getRequestListener(app)), limit };
  },
};

interface Asked {
  readonly ip?: string;
  readonly headers?: Record<string, string>;
}

async function ask(port: number, { ip = newClient(), headers = {} }: Asked = {}) {
  const request = send({
    ...{ port, host: "127.0.0.1", path: "/export" },
    headers: { "x-forwarded-for": ip, ...headers },
  });
  request.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.on("response", resolve).on("error", reject),
  );
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const left = async (limit: Limit, key: string) =>
  (await limit.peek(key)).levels.map((level) => level.remaining);
const keyOf = (headers: Headers) => headers.get("x-user") ?? undefined;
const two = { limit: 2, periodSeconds };

describe.each(Object.entries(frameworks))("a limit of a route in %s", (name, start) => {
  const settleIn = name === "next" ? settleNext : settle;

  it("counts the client's address, beside the rules of the policy", async () => {
    const { port, limit } = await start({ terms: two });
    const ip = newClient();
    for (const remaining of [1, 0]) {
      const { status, headers, body } = await ask(port, { ip });
      expect([status, body]).toEqual([200, welcome]);
      expect(headers.ratelimit).toContain(`"code/shop/${limit.name}";r=${remaining};`);
      expect(headers.ratelimit).toContain('"all";r=');
      expect(headers["ratelimit-policy"]).toContain(`"code/shop/${limit.name}";q=2;w=${periodSeconds}`);
    }
    const denied = await ask(port, { ip, headers: { accept: "application/json" } });
    expect([denied.status, JSON.parse(denied.body)["violated-policies"]]).toEqual([
      429,
      [`code/shop/${limit.name}`],
    ]);
    expect(denied.headers["retry-after"]).toMatch(/^\d+$/);
    expect(String(denied.headers.ratelimit).match(/code/g)).toHaveLength(1);
    expect((await ask(port)).status).toBe(200);
    expect(await left(limit, ip)).toEqual([0]);
  });

  it("counts what the app names, and the address where it names nothing or fails", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    let isFailing = false;
    const { port, limit } = await start({
      terms: two,
      key(headers) {
        if (isFailing) throw new Error("no session");
        return keyOf(headers);
      },
    });
    const statuses = async (...asked: Asked[]) => {
      const found = [];
      for (const one of asked) found.push((await ask(port, one)).status);
      return found;
    };
    const ada = { headers: { "x-user": "ada" } };
    expect(await statuses(ada, ada, ada)).toEqual([200, 200, 429]);
    const ip = newClient();
    expect(await statuses({ ip }, { ip }, { ip })).toEqual([200, 200, 429]);
    isFailing = true;
    expect(await statuses({ ip, ...ada }, ada)).toEqual([429, 200]);
    expect(await left(limit, `ip:${ip}`)).toEqual([0]);
    expect(warn.mock.calls.flat().filter((line) => !line.includes("key of limit"))).toEqual([]);
  });

  it("charges what a request costs, and what it cost in the end", async () => {
    let cost: number | undefined;
    const { port, limit } = await start({
      terms: { limit: 10, periodSeconds },
      key: keyOf,
      cost: (headers) => Number(headers.get("x-cost")),
      async answer(request) {
        await settleIn(request as Request, { cost });
        return 200;
      },
    });
    const asked = { headers: { "x-user": "ada", "x-cost": "4" } };
    expect((await ask(port, asked)).status).toBe(200);
    expect(await left(limit, "ada")).toEqual([6]);
    cost = 1;
    expect((await ask(port, asked)).status).toBe(200);
    await eventually(async () => expect(await left(limit, "ada")).toEqual([5]));
    cost = undefined;
    expect((await ask(port, { headers: { "x-user": "ada", "x-cost": "6" } })).status).toBe(429);
  });

  it("counts only requests that end so, by status and by what the app says", async () => {
    let [status, failed] = [200, false];
    const answer = async (request: object) => {
      await settleIn(request as Request, { failed });
      return status;
    };
    const byStatus = await start({ terms: { ...two, countWhen: { status: [401] } }, key: keyOf, answer });
    const bySaying = await start({ terms: { ...two, countWhen: "failed" }, key: keyOf, answer });
    const asked = { ip: newClient(), headers: { "x-user": "ada" } };
    const refused = async () =>
      (await guard.explain({ ip: asked.ip })).steps
        .flatMap(({ rules = [] }) => rules)
        .find(({ rule }) => rule === "refused")?.used;
    for (const { port, limit } of [byStatus, bySaying]) {
      [status, failed] = [200, false];
      for (let i = 0; i < 5; i++) {
        expect((await ask(port, asked)).status).toBe(200);
        await eventually(async () => expect(await left(limit, "ada")).toEqual([2]));
      }
      [status, failed] = port === byStatus.port ? [401, false] : [200, true];
      for (const remaining of [1, 0]) {
        expect((await ask(port, asked)).status).toBe(status);
        await eventually(async () => expect(await left(limit, "ada")).toEqual([remaining]));
      }
      expect((await ask(port, asked)).status).toBe(429);
    }
    // What the app says of a request is said to the rules of the policy, too.
    await eventually(async () => expect(await refused()).toBe(2));
  });

  it("has at most two at once, and a place again when a response has ended", async () => {
    let isSlow = true;
    const inside: (() => void)[] = [];
    const { port } = await start({
      terms: { ...two, algorithm: "concurrent" },
      answer: async () => {
        if (isSlow) await new Promise<void>((resolve) => inside.push(resolve));
        return 200;
      },
    });
    const ip = newClient();
    const status = async () => (await ask(port, { ip })).status;
    const running = [status(), status()];
    await eventually(async () => expect(inside).toHaveLength(2));
    expect(await status()).toBe(429);
    isSlow = false;
    for (const leave of inside) leave();
    expect(await Promise.all(running)).toEqual([200, 200]);
    await eventually(async () => expect(await status()).toBe(200));
  });

  it("answers a denial as the app says: with a text, with JSON, or by a function", async () => {
    const says: [Options["onDenied"], string, string?][] = [
      ["slow down", "slow down", "text/plain"],
      [{ error: "slow" }, '{"error":"slow"}', "application/json"],
      [(status) => `slow down, ${status}`, "slow down, 429"],
    ];
    for (const [onDenied, body, type] of says) {
      const { port } = await start({ terms: { limit: 1, periodSeconds }, ...(onDenied && { onDenied }) });
      const ip = newClient();
      await ask(port, { ip });
      const denied = await ask(port, { ip });
      expect([denied.status, denied.body]).toEqual([429, body]);
      expect(denied.headers).toMatchObject({
        "retry-after": expect.stringMatching(/^\d+$/),
        "cache-control": "private, no-store",
        ...(type !== undefined && { "content-type": expect.stringContaining(type) }),
      });
    }
  });

  it("lets safelisted clients pass uncounted", async () => {
    const { port, limit } = await start({ terms: two });
    const ip = newClient();
    await redis.client.set(`safelist:${ip}`, "x");
    await eventually(async () => expect((await guard.check({ ip })).outcome).toBe("safelisted"));
    for (let i = 0; i < 4; i++) expect((await ask(port, { ip })).status).toBe(200);
    expect(await left(limit, ip)).toEqual([2]);
  });
});

it("refuses what it does not know, and a kind of key without the key", () => {
  const make = (options: object) => () => limitExpress(guard, "odd", options as never);
  expect(make({ ...two, by: "user" })).toThrow("key is missing: say which user is counted");
  expect(make({ ...two, onDeny: "x" })).toThrow("onDeny: is not an option");
  expect(make({ limit: 2 })).toThrow("periodSeconds: write a whole number");
});
