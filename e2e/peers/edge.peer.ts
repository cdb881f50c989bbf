import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sluice as command } from "@/lib/cli/testing.ts";
import { readLimited } from "@/lib/manage/edge/limited.ts";
import { readPasses, readState } from "@/lib/manage/edge/state.ts";
import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { ensureBuilt } from "@/scripts/build-app.mjs";
import { startConsole } from "../fixtures/console.ts";
import { ask, type EdgeAnswer } from "../fixtures/edge-site.ts";
import { startHaproxy } from "../fixtures/haproxy.ts";
import { savePolicy, secret } from "../fixtures/policy.ts";
import type { Served } from "../fixtures/server.ts";
import { installStorefront, startStorefront } from "../fixtures/storefront.ts";
import { startVarnish } from "../fixtures/varnish.ts";

// The storefront behind both edges, one console that sweeps for them, and tools that nobody here wrote.
const edgeLimits = { standardPerMinute: 30, broadPerMinute: 150, coolDownMinutes: 10 };
const sweepsEveryMs = 1_000;

type EdgeName = (typeof names)[number];

const ends: (() => unknown)[] = [];
const ports = new Map<EdgeName, number>();
let redis: TestRedis;
let shop: Served;
let folder: string;
let edge: string;
let sluice: Served;
const names = ["varnish", "haproxy"] as const;
const consoleEnvironment = () => ({ REDIS_URL: redis.url, SLUICE_EDGE: edge });

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), "sluice-edge-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  redis = await startRedis();
  ends.push(() => redis.stop());
  shop = await startStorefront(installStorefront("16"), { REDIS_URL: redis.url, TRUSTED_PROXIES: "1" });
  ends.push(() => shop.stop());
  const shopPort = Number(new URL(shop.url).port);
  const varnish = await startVarnish(shopPort);
  const haproxy = await startHaproxy(shopPort);
  ends.push(
    () => varnish.stop(),
    () => haproxy.stop(),
  );
  ports.set("varnish", varnish.port).set("haproxy", haproxy.port);
  const { managementPort, secretFile, tableFile, vclFile } = varnish;
  edge = [
    `varnish://127.0.0.1:${managementPort}?secret=${secretFile}&table=${tableFile}&vcl=${vclFile}`,
    `haproxy://${haproxy.socket}?map=${haproxy.map}`,
  ].join(" ");
  await policy(edgeLimits);
  sluice = await startConsole(consoleEnvironment());
  ends.push(() => sluice.stop());
}, 300_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function policy(limits: Partial<typeof edgeLimits>): Promise<void> {
  const change = await savePolicy(redis.client, { edge: limits });
  await eventually(async () =>
    expect(await changeProgress(redis.client, change ?? 0)).toMatchObject({ lagging: [] }),
  );
}

/**
 * What follows is counted in one minute. Nodes report once a second, so the first requests of a minute may still be counted in the
 * one before.
 */
const inOneMinute = () =>
  eventually(async () => {
    const second = Number((await redis.client.time())[0]) % 60;
    expect(second > 1 && second < 45).toBe(true);
  });

/** Not so often that asking itself would go over a limit. */
const now = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 10_000, interval: 100 });

const cached = (name: EdgeName, path: string, userAgent: string): Promise<EdgeAnswer> =>
  ask(ports.get(name) ?? 0, path, { userAgent, host: "127.0.0.1" });

let visits = 0;
/** Each time with another query, so that it is not in the cache. */
const visit = (name: EdgeName, path: string, userAgent = "visitor/1") =>
  cached(name, `${path}?visit=${visits++}`, userAgent);

/** How many requests have come through to the storefront's own code; asking makes one more. */
async function served(): Promise<number> {
  const answer = await fetch(`${shop.url}/api/v1/count`, { headers: { "x-forwarded-for": "192.0.2.1" } });
  return (await answer.json()).served;
}

function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: 40_000, env: { ...process.env, HOME: folder } };
    const tool = execFile(program, args, options, (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
    );
    tool.stdin?.end();
  });
}

/** User agents of ffuf. Each purpose has its own, because a known tool is counted on all paths together. */
const ffufs = {
  varnish: "Fuzz Faster U Fool at varnish",
  haproxy: "Fuzz Faster U Fool at haproxy",
  cache: "Fuzz Faster U Fool at the cache",
} as const;

/** The answers that ffuf got. */
async function ffuf(
  name: EdgeName,
  path: string,
  times: number,
  { userAgent = ffufs[name], more = [] }: { userAgent?: string; more?: readonly string[] } = {},
): Promise<number[]> {
  const [list, found] = [join(folder, "words"), join(folder, "ffuf.json")];
  writeFileSync(list, Array.from({ length: times }, () => `visit-${visits++}`).join("\n"));
  const url = `http://127.0.0.1:${ports.get(name)}${path}?q=FUZZ`;
  await run("ffuf", [
    "-u",
    url,
    "-H",
    `User-Agent: ${userAgent}`,
    "-w",
    list,
    "-t",
    "4",
    "-mc",
    "all",
    "-s",
    "-of",
    "json",
    "-o",
    found,
    ...more,
  ]);
  const { results }: { results: { status: number }[] } = JSON.parse(readFileSync(found, "utf8"));
  return results.map(({ status }) => status);
}

const spider = `
import scrapy

class Shop(scrapy.Spider):
    name = "shop"

    def start_requests(self):
        for page in range(170):
            yield scrapy.Request(f"{self.shop}/api/v1/page-{page}")
`;

const scrapyOf = (name: EdgeName) => `Scrapy/2.8 (through ${name})`;

async function scrapy(name: EdgeName): Promise<void> {
  const code = join(folder, "spider.py");
  writeFileSync(code, spider);
  const set = ["RETRY_ENABLED=0", "TELNETCONSOLE_ENABLED=0", `USER_AGENT=${scrapyOf(name)}`];
  const shopThere = `shop=http://127.0.0.1:${ports.get(name)}`;
  await run("scrapy", ["runspider", code, "-a", shopThere, ...set.flatMap((one) => ["-s", one])]);
}

const cli = (...argv: string[]) => command(argv, { redisUrl: redis.url, environment: { edge, secret } });

async function limitedAs(userAgent: RegExp, kind: "standard" | "broad") {
  return eventually(async () => {
    const found = (await readLimited(redis.client)).find(
      ({ fingerprint }) => fingerprint.kind === kind && userAgent.test(fingerprint.userAgent),
    );
    if (!found) throw new Error("not yet");
    return found;
  });
}

describe.each(names)("behind %s", (name) => {
  const [foo, bar] = [`/api/v1/${name}-foo`, `/api/v1/${name}-bar`];
  const agent = ffufs[name];

  it("ffuf on one path is turned away before it reaches the storefront, and nobody else is", async () => {
    await inOneMinute();
    const first = await ffuf(name, foo, 45);
    const endedAt = performance.now();
    expect(first.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200));
    await limitedAs(new RegExp(`^${agent}$`), "standard");
    await now(async () =>
      expect(await visit(name, foo, agent)).toMatchObject({
        status: 429,
        headers: { "x-sluice-edge": "limited" },
      }),
    );
    const tookMs = performance.now() - endedAt;
    // A node reports within a second, and the next pass begins within another. The pass before it may still run.
    const passesMs = (await readPasses(redis.client, 4)).map(({ ms }) => ms);
    expect(tookMs).toBeLessThan(2 * sweepsEveryMs + 2 * Math.max(0, ...passesMs) + 2_000);
    const before = await served();
    expect(new Set(await ffuf(name, foo, 100))).toEqual(new Set([429]));
    expect(await served()).toBe(before + 1);
    expect((await visit(name, bar, agent)).status).toBe(200);
    expect((await visit(name, foo)).status).toBe(200);
  });

  it("Scrapy on many paths is caught by what it is, and an ordinary visitor at the same address is not", async () => {
    await inOneMinute();
    await scrapy(name);
    await now(async () => expect((await visit(name, "/api/v1/new", scrapyOf(name))).status).toBe(429));
    expect((await limitedAs(new RegExp(`through ${name}`), "broad")).count).toBeGreaterThan(150);
    const before = await served();
    expect((await visit(name, bar, scrapyOf(name))).status).toBe(429);
    expect(await served()).toBe(before + 1);
    expect((await visit(name, bar)).status).toBe(200);
  });

  it("edge clear frees one in one sweep", async () => {
    expect((await visit(name, foo, agent)).status).toBe(429);
    const { stdout, exit } = await cli("edge", "clear", `127.0.0.1:${foo}:GET:127.0.0.1:${agent}`);
    expect(stdout).toContain("No longer denied: GET 127.0.0.1");
    expect(exit).toBe(0);
    expect((await visit(name, foo, agent)).status).toBe(200);
    expect((await visit(name, foo, scrapyOf(name))).status).toBe(429);
  });
});

it("a page in the cache is still served to who is turned away", async () => {
  await inOneMinute();
  const { body } = await cached("varnish", "/", "visitor/1");
  // A cookie goes past the cache.
  await ffuf("varnish", "/", 45, { userAgent: ffufs.cache, more: ["-b", "a=1"] });
  const { fingerprint } = await eventually(async () => {
    const found = (await readLimited(redis.client)).find(({ fingerprint: { path } }) => path === "/");
    if (!found) throw new Error("not yet");
    return found;
  });
  await eventually(async () =>
    expect(await cached("varnish", "/", fingerprint.userAgent)).toMatchObject({
      ...{ status: 200, body, headers: { "x-sluice-edge": "limited" } },
    }),
  );
  expect((await visit("varnish", "/", fingerprint.userAgent)).status).toBe(429);
});

it("another console takes over within ten seconds when the one that sweeps is killed, and lets in who is safelisted", async () => {
  const next = await startConsole(consoleEnvironment());
  ends.push(() => next.stop());
  const before = (await readState(redis.client))?.by;
  const killedAt = performance.now();
  process.kill(sluice.pid, "SIGKILL");
  await eventually(async () => expect((await readState(redis.client))?.by).not.toBe(before), 15_000);
  expect(performance.now() - killedAt).toBeLessThan(10_000);
  const both = () =>
    Promise.all(names.map(async (name) => (await visit(name, "/api/v1/y", scrapyOf(name))).status));
  expect(await both()).toEqual([429, 429]);
  await redis.client.set("safelist:127.0.0.1", "our own");
  await eventually(async () => expect(await both()).toEqual([200, 200]));
  await redis.client.del("safelist:127.0.0.1");
  await eventually(async () => expect(await both()).toEqual([429, 429]));
});

it("edge off frees everyone at once, at every edge, and edge on brings it back", async () => {
  const both = async () =>
    Promise.all(names.map(async (name) => (await visit(name, "/api/v1/x", scrapyOf(name))).status));
  expect(await both()).toEqual([429, 429]);
  expect((await cli("edge", "off", "--reason", "it stops customers")).stdout).toMatch(/^The edge is off/);
  expect(await both()).toEqual([200, 200]);
  expect((await cli("edge", "on")).exit).toBe(0);
  expect(await both()).toEqual([429, 429]);
});

it("who has cooled down may come back", async () => {
  await policy({ ...edgeLimits, coolDownMinutes: 0 });
  await eventually(async () => expect(await readLimited(redis.client)).toEqual([]), 70_000);
  await eventually(async () =>
    expect(await readState(redis.client)).toMatchObject({
      dictionaries: [
        { actual: 0, behindSince: null },
        { actual: 0, behindSince: null },
      ],
    }),
  );
  for (const name of names) expect((await visit(name, "/api/v1/again", scrapyOf(name))).status).toBe(200);
}, 90_000);
