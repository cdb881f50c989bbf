import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readFeed } from "../../observe/stats/feed.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard, type GuardOptions } from "./guard.ts";
import { createMiddleware, createUpgradeListener, type NodeOptions } from "./http-middleware.ts";

let redis: TestRedis;
let control: Connection;
const running: { server: Server; guard: Guard }[] = [];

beforeAll(async () => {
  redis = await startRedis();
  control = connectControl(redis.url, "patiently");
});

let unhandled: unknown[] = [];
const remember = (reason: unknown) => void unhandled.push(reason);

beforeEach(async () => {
  unhandled = [];
  process.on("unhandledRejection", remember);
  await redis.client.flushall();
});

afterEach(() => {
  process.off("unhandledRejection", remember);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

afterAll(async () => {
  for (const { server, guard } of running) {
    server.close();
    await guard.close();
  }
  control.disconnect();
  await redis.stop();
});

type Protect = ReturnType<typeof createMiddleware>;
type Mounting = (protect: Protect) => (request: IncomingMessage, response: ServerResponse) => void;

const plainly: Mounting = (protect) => (request, response) =>
  void protect(request, response, () => response.end("welcome"));

async function serve(
  options: Partial<GuardOptions>,
  known: NodeOptions = {},
  mounted = plainly,
): Promise<string> {
  const guard = createGuard({ redis: redis.url, app: `plain ${running.length}`, log: () => {}, ...options });
  await guard.ready();
  const server = createServer(mounted(createMiddleware(guard, known)));
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

it("keeps queries out of the feed, also those of a path that the app gives", async () => {
  const trusting = { trustedProxies: ["127.0.0.0/8"] };
  const plain = await serve(trusting);
  const named = await serve(trusting, { identify: () => ({ path: "/given?code=SECRET" }) });
  const headers = { "x-forwarded-for": "203.0.113.9" };
  await redis.client.set("blocklist:203.0.113.9", "x");
  for (const url of [plain, named])
    await eventually(async () => expect(await status(`${url}reset?token=SECRET`, headers)).toBe(403));
  await eventually(async () => {
    const paths = (await readFeed(control, { most: 10 })).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/reset", "/given"]));
    expect(paths.join()).not.toContain("SECRET");
  }, 10_000);
});

const badCost: NodeOptions = { identify: () => ({ cost: 2.5 }) };

describe("a bad cost", () => {
  const answerOf = (response: ServerResponse) => (error?: unknown) => {
    response.statusCode = error === undefined ? 200 : 500;
    response.end(String(error));
  };

  /** As for Fastify, whose `done` takes an error. */
  const fastify: Mounting = (protect) => (request, response) =>
    void protect(request, response, answerOf(response));

  /** Express 4 catches what a handler throws, and never looks at a promise. */
  const express4: Mounting = (protect) => (request, response) => {
    const next = answerOf(response);
    try {
      protect(request, response, next);
    } catch (error) {
      next(error);
    }
  };

  it.each([
    ["Fastify", fastify],
    ["Express 4", express4],
  ])("is an error that %s is given, and no unhandled rejection", async (_, mounted) => {
    const url = await serve({}, badCost, mounted);
    for (let i = 0; i < 3; i++) {
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([
        500,
        expect.stringContaining("cost is 2.5: it must be a whole number"),
      ]);
    }
    expect(unhandled).toEqual([]);
  });

  it.each(["production", "", undefined])("is charged and logged where NODE_ENV is %j", async (mode) => {
    vi.stubEnv("NODE_ENV", mode);
    const lines: string[] = [];
    const url = await serve({ log: (line) => lines.push(line) }, badCost, fastify);
    expect(await status(url)).toBe(200);
    expect(lines).toEqual([expect.stringContaining("cost is 2.5")]);
  });

  it("is distinct from an error of what comes after the guard, which rejects", async () => {
    const guard = createGuard({ redis: redis.url, app: "koa", log: () => {} });
    const protect = createMiddleware(guard);
    const errors: unknown[] = [];
    const server = createServer((request, response) => {
      const next = async () => {
        throw new Error("the app's own");
      };
      protect(request, response, next).catch((error: unknown) => {
        errors.push(error);
        response.end();
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    running.push({ server, guard });
    await fetch(`http://127.0.0.1:${port}/`);
    expect(errors).toEqual([new Error("the app's own")]);
  });
});

describe("upgrades", () => {
  async function serveUpgrades(upgrade: (socket: Duplex) => void, known: NodeOptions = {}): Promise<number> {
    const guard = createGuard({
      ...{ redis: redis.url, app: "sockets", log: () => {}, trustedProxies: ["127.0.0.0/8"] },
    });
    await guard.ready();
    const server = createServer();
    server.on(
      "upgrade",
      createUpgradeListener(guard, (_, socket) => upgrade(socket), known),
    );
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    running.push({ server, guard });
    return port;
  }

  const open = (port: number, client: string) => {
    const socket = connect(port, "127.0.0.1");
    const head = `GET /live?token=x HTTP/1.1\r\nhost: shop\r\nx-forwarded-for: ${client}\r\n`;
    socket.write(`${head}connection: Upgrade\r\nupgrade: websocket\r\n\r\n`);
    return socket;
  };
  const answered = async (port: number, client: string) => text(open(port, client));

  it("are refused to who is blocked, and handed on for all others", async () => {
    const handedOn: Duplex[] = [];
    const port = await serveUpgrades((socket) => {
      handedOn.push(socket);
      socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
    });
    await redis.client.set("blocklist:203.0.113.9", "x");
    await eventually(async () =>
      expect(await answered(port, "203.0.113.9")).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/),
    );
    const refused = await answered(port, "203.0.113.9");
    const [head = "", body = ""] = refused.split("\r\n\r\n");
    expect(head).toContain("connection: close");
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    const before = handedOn.length;
    expect(await answered(port, "203.0.113.10")).toMatch(/^HTTP\/1\.1 101 /);
    expect(handedOn.length - before).toBe(1);
    expect(handedOn.at(-1)?.listenerCount("error")).toBe(0);
  });

  it("are closed, with a line in the log, where identify returns a bad cost", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const handedOn: Duplex[] = [];
    const port = await serveUpgrades((socket) => handedOn.push(socket.destroy()), badCost);
    for (let i = 0; i < 3; i++) expect(await answered(port, "203.0.113.10")).toBe("");
    expect(handedOn).toEqual([]);
    expect(warn.mock.calls[0]).toEqual([expect.stringMatching(/^sluice: an upgrade failed: .*cost is 2\.5/)]);
    expect(unhandled).toEqual([]);
  });

  it("survive clients that reset their connections", async () => {
    const port = await serveUpgrades((socket) => socket.destroy());
    for (let i = 0; i < 20; i++) {
      const socket = open(port, "203.0.113.11");
      await once(socket, "connect");
      socket.resetAndDestroy();
    }
    await redis.client.set("blocklist:203.0.113.9", "x");
    await eventually(async () => expect(await answered(port, "203.0.113.9")).toContain("403 Forbidden"));
  });
});

it("refuses settings that it cannot read, in words", () => {
  expect(() => createGuard({ redis: redis.url, app: "x", trustedProxies: "10.0.0.1/8" })).toThrow(
    /10\.0\.0\.0\/8/,
  );
  expect(() => createGuard({ redis: redis.url, app: "x", neverBlock: "office" })).toThrow(
    /^createGuard: neverBlock cannot be read: /,
  );
  expect(() => createGuard({ redis: "http://redis", app: "x" })).toThrow(
    /^createGuard: redis cannot be read/,
  );
});
