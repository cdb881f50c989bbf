import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { serve } from "../fixtures/server.ts";
import { npm, packLibrary } from "../fixtures/storefront.ts";

const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");

/** What stands in the README, and what each framework needs around it. */
const frameworks = {
  Express: {
    before: 'import express from "express"; const app = express();',
    readme: "app.use(protect);",
    after: 'app.get("/", (_, response) => response.send("welcome")); app.listen(port, host);',
  },
  Fastify: {
    before: 'import fastify from "fastify"; const app = fastify();',
    readme: 'app.addHook("onRequest", (request, reply, done) => void protect(request.raw, reply.raw, done));',
    after: 'app.get("/", async () => "welcome"); await app.listen({ port, host });',
  },
  Koa: {
    before: 'import Koa from "koa"; const app = new Koa();',
    readme: "app.use((context, next) => protect(context.req, context.res, next));",
    after: 'app.use((context) => { context.body = "welcome"; }); app.listen(port, host);',
  },
  Hono: {
    before: [
      'import { serve } from "@hono/node-server";',
      'import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";',
      'import { Hono } from "hono"; const app = new Hono();',
    ].join("\n"),
    readme: [
      "app.use(async ({ env: { incoming, outgoing } }, next) => {",
      "  await protect(incoming, outgoing, next);",
      "  if (outgoing.writableEnded) return RESPONSE_ALREADY_SENT;",
      "});",
    ].join("\n"),
    after:
      'app.get("/", (context) => context.text("welcome")); serve({ fetch: app.fetch, port, hostname: host });',
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
  const names = ["express@5.3.0", "fastify@5.12.8", "koa@3.2.1", "hono@4.13.19", "@hono/node-server@1.19.19"];
  // TypeScript 7 has no moduleResolution node10.
  const types = ["typescript@5.9.3", "@types/express@5.0.6", "@types/node@20.19.43"];
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", packLibrary(), ...names, ...types);
  redis = await startRedis();
}, 180_000);

afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each(Object.entries(frameworks))(
  "%s stops a blocked client with the lines of the README",
  async (name, lines) => {
    expect(readme).toContain(lines.readme);
    const file = join(folder, `${name}.mjs`);
    writeFileSync(
      file,
      `import { createGuard } from "sluice";
import { createMiddleware } from "sluice/node";
${lines.before}
const [port, host] = [Number(process.env.PORT), "127.0.0.1"];
const guard = createGuard({ redis: process.env.REDIS_URL, app: "${name}", trustedProxies: "127.0.0.1" });
const protect = createMiddleware(guard);
${lines.readme}
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
  const tsc = join(folder, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", project], (error, stdout) => {
      resolve({ exit: error === null ? 0 : Number(error.code), stdout });
    });
  });
}
