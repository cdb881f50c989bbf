import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { serve } from "../fixtures/server.ts";
import { npm, packLibrary } from "../fixtures/storefront.ts";

const pages = ["express", "fastify", "koa", "hono", "node", "fetch"]
  .map((name) => readFileSync(fileURLToPath(new URL(`../../docs/start/${name}.md`, import.meta.url)), "utf8"))
  .join("\n")
  .replaceAll(": BunServer", "");

const middleware = "app.use(createMiddleware(guard));";

/** Documented lines, and what each framework needs around them. */
const frameworks = {
  Express: {
    before:
      'import express from "express"; import { createMiddleware } from "sluice/express"; const app = express();',
    documented: middleware,
    after: 'app.get("/", (_, response) => response.send("welcome")); app.listen(port, host);',
  },
  "Express 4": {
    before:
      'import express from "express4"; import { createMiddleware } from "sluice/express"; const app = express();',
    documented: middleware,
    after: 'app.get("/", (_, response) => response.send("welcome")); app.listen(port, host);',
  },
  Fastify: {
    before:
      'import fastify from "fastify"; import { createPlugin } from "sluice/fastify"; const app = fastify();',
    documented: "app.register(createPlugin(guard));",
    after: 'app.get("/", async () => "welcome"); await app.listen({ port, host });',
  },
  Koa: {
    before: 'import Koa from "koa"; import { createMiddleware } from "sluice/koa"; const app = new Koa();',
    documented: middleware,
    after: 'app.use((context) => { context.body = "welcome"; }); app.listen(port, host);',
  },
  Hono: {
    before: [
      'import { serve } from "@hono/node-server"; import { createMiddleware } from "sluice/hono";',
      'import { Hono } from "hono"; const app = new Hono();',
    ].join("\n"),
    documented: middleware,
    after:
      'app.get("/", (context) => context.text("welcome")); serve({ fetch: app.fetch, port, hostname: host });',
  },
  "Node's own server": {
    before: [
      'import { createServer } from "node:http"; import { createMiddleware } from "sluice/node";',
    ].join("\n"),
    documented: "const protect = createMiddleware(guard);",
    after: [
      'const listener = (request, response) => void protect(request, response, () => response.end("welcome"));',
      "createServer(listener).listen(port, host);",
    ].join("\n"),
  },
  "a server of requests and responses": {
    before: [
      'import { getRequestListener } from "@hono/node-server"; import { createServer } from "node:http";',
      'import { createGate } from "sluice/web";',
      'const app = { fetch: () => new Response("welcome") };',
      "const Bun = { serve: ({ fetch }) => createServer(getRequestListener((request, { incoming }) => fetch(request, { requestIP: () => ({ address: incoming.socket.remoteAddress }) }))).listen(port, host) };",
    ].join("\n"),
    documented: [
      "const gate = createGate(guard, { peer: (request, server) => server.requestIP(request)?.address });",
      "Bun.serve({ fetch: (request, server) => gate(request, () => app.fetch(request), server) });",
    ].join("\n\n"),
    after: "",
  },
};

/** Programs that only have to compile, by how the project of the app resolves modules. */
const typed = {
  "TypeScript with Express' own types": {
    module: { type: "module" },
    compilerOptions: { module: "nodenext", moduleResolution: "nodenext" },
    program: `import express, { type Request } from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/node";

declare global {
  namespace Express {
    interface Request {
      account?: { id: string };
    }
  }
}

const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "shop" });
const protect = createMiddleware(guard, {
  identify: (request: Request) => ({ customerId: request.account?.id, path: request.originalUrl }),
});
const app = express();
app.use(protect);
app.use((request, response, next) => protect(request, response, next));
`,
  },
  "TypeScript with each framework's own types, the strictest": {
    module: { type: "module" },
    compilerOptions: {
      ...{ module: "nodenext", moduleResolution: "nodenext", lib: ["es2022", "dom"] },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      // The types of Koa are of an older content-disposition.
      skipLibCheck: true,
    },
    program: `import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { createGuard } from "sluice";
import { createMiddleware as forExpress } from "sluice/express";
import { createPlugin } from "sluice/fastify";
import { createMiddleware as forHono } from "sluice/hono";
import { createMiddleware as forKoa } from "sluice/koa";
import { createGate } from "sluice/web";

const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "shop" });
express().use(
  forExpress(guard, {
    identify: (request) => ({ customerId: request.get("x-customer") }),
    onDenied: ({ status }, _, response) => response.render("denied", { status }),
  }),
);
await fastify().register(
  createPlugin(guard, {
    identify: ({ query }) => ({ customerId: String(query) }),
    onDenied: (verdict, _, reply) => reply.send({ error: verdict.rule }),
  }),
);
new Koa().use(
  forKoa(guard, {
    onDenied: ({ message }, context) => {
      context.body = { message };
    },
  }),
);
new Hono().use(forHono(guard, { onDenied: ({ status }, context) => context.json({ status }, 429) }));
const gate = createGate(guard, {
  peer: (_, { address }: { address: string }) => address,
  onDenied: ({ retryAfterSeconds }) => Response.json({ retryAfterSeconds }, { status: 429 }),
});
export const handle = (request: Request) => gate(request, async () => new Response("welcome"), { address: "192.0.2.1" });
`,
  },
  "TypeScript with a guard for tests": {
    module: { type: "module" },
    compilerOptions: { module: "nodenext", moduleResolution: "nodenext", exactOptionalPropertyTypes: true },
    program: `import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";
import { definePolicy } from "sluice/policy";
import { createTestGuard, type TestGuard, verdicts } from "sluice/testing";

const policy = definePolicy({
  mode: "enforce",
  rules: [{ name: "api", client: "customer", algorithm: "gcra", levels: "tier", slack: 0.1 }],
  tiers: { pro: { levels: [{ limit: 10, periodSeconds: 60 }] } },
});
createGuard({ redis: "memory:", app: "shop", policy });
const guard: TestGuard = createTestGuard({ policy, customers: { acme: { tier: "pro" } }, now: Date.now });
guard.setPolicy(policy);
guard.setCustomer("acme", { limits: policy.tiers.pro?.levels });
guard.block("203.0.113.9", { ttlMs: undefined });
guard.answer(verdicts.throttled({ rule: "api", status: 503 }));
guard.answer(undefined);
express().use(createMiddleware(guard));
`,
  },
  "TypeScript with moduleResolution node10 and CommonJS": {
    module: { type: "commonjs" },
    compilerOptions: { module: "commonjs", moduleResolution: "node10", esModuleInterop: true },
    program: `import { createGuard, type Verdict } from "sluice";
import { createMiddleware } from "sluice/node";

const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "shop" });
export const protect = createMiddleware(guard, { identify: () => ({ customerId: "1042" }) });
export const isDenied = (verdict: Verdict): boolean => verdict.outcome === "blocked";
`,
  },
};

let folder: string;
let redis: TestRedis;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-frameworks-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const names = [
    ...["express@5.3.0", "express4@npm:express@4.22.3", "fastify@5.12.8", "koa@3.2.1"],
    ...["hono@4.13.19", "@hono/node-server@1.19.19"],
  ];
  // TypeScript 7 has no moduleResolution node10.
  const types = ["typescript@5.9.3", "@types/express@5.0.6", "@types/koa@3.0.3", "@types/node@20.19.43"];
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", packLibrary(), ...names, ...types);
  redis = await startRedis();
}, 180_000);

afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each(Object.entries(frameworks))(
  "%s stops a blocked client with the documented lines",
  async (name, lines) => {
    expect(pages).toContain(lines.documented);
    const file = join(folder, `${name.replaceAll(/\W+/g, "-")}.mjs`);
    writeFileSync(
      file,
      `import { createGuard } from "sluice";
${lines.before}
const [port, host] = [Number(process.env.PORT), "127.0.0.1"];
const guard = createGuard({ redis: process.env.REDIS_URL, app: "${name}", trustedProxies: "127.0.0.1" });
${lines.documented}
${lines.after}
`,
    );
    const server = await serve(() => [file], {
      cwd: folder,
      environment: { REDIS_URL: redis.url },
      path: "/",
    });
    const visit = async (from: string) => {
      const response = await fetch(server.url, { headers: { "x-forwarded-for": from } });
      return {
        status: response.status,
        body: await response.text(),
        limits: response.headers.get("ratelimit"),
      };
    };
    try {
      await redis.client.set("blocklist:203.0.113.9", "x");
      await eventually(async () => expect((await visit("203.0.113.9")).status).toBe(403));
      // The first checks pass without limits while the policy is not loaded or the counters are not reached.
      await eventually(async () =>
        expect(await visit("203.0.113.10")).toEqual({
          status: 200,
          body: "welcome",
          limits: expect.stringContaining("req/ip"),
        }),
      );
    } finally {
      await server.stop();
    }
  },
);

/** As users write it. */
const ownTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";
import { createTestGuard } from "sluice/testing";

test("refuses a blocked client", async (t) => {
  const guard = createTestGuard({ blocklist: ["203.0.113.9"] });
  const app = express().use(createMiddleware(guard), (_, response) => response.send("welcome"));
  const server = app.listen(0, "127.0.0.1");
  t.after(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once("listening", resolve));
  const visit = (from) =>
    fetch("http://127.0.0.1:" + server.address().port, { headers: { "x-forwarded-for": from } });
  assert.equal((await visit("203.0.113.9")).status, 403);
  assert.equal((await visit("203.0.113.10")).status, 200);
  const forDevelopment = createGuard({ redis: "memory:", app: "shop" });
  assert.equal((await forDevelopment.check({ ip: "203.0.113.9" })).outcome, "pass");
});
`;

it("a test file of Node with a guard for tests ends without close()", async () => {
  const file = join(folder, "own.test.mjs");
  writeFileSync(file, ownTest);
  expect(await node("--test", file)).toMatchObject({ exit: 0 });
});

it.each(Object.entries(typed))(
  "%s compiles",
  async (name, { module, compilerOptions, program }) => {
    const project = join(folder, name.replaceAll(/\W+/g, "-"));
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, ...module }));
    writeFileSync(join(project, "app.ts"), program);
    const options = { strict: true, noEmit: true, target: "es2022", types: ["node"], ...compilerOptions };
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["app.ts"] }),
    );
    expect(await compile(project)).toEqual({ exit: 0, stdout: "" });
  },
  180_000,
);

/** What the compiler of the folder reports. */
function compile(project: string): Promise<{ exit: number; stdout: string }> {
  return node(join(folder, "node_modules/typescript/bin/tsc"), "-p", project);
}

function node(...words: readonly string[]): Promise<{ exit: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, { timeout: 60_000 }, (error, stdout) => {
      resolve({ exit: error === null ? 0 : Number(error.code), stdout });
    });
  });
}
