import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { tellOfClient } from "@/lib/console/clients/client-now.ts";
import { theConsole } from "@/lib/console/console.ts";
import { readOffenders } from "@/lib/console/stats/read-offenders.ts";
import { changeProgress } from "@/lib/observe/stats/nodes.ts";
import { readTotals } from "@/lib/observe/stats/totals.ts";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { savePolicy, secret } from "../fixtures/policy.ts";
import type { Served } from "../fixtures/server.ts";
import { installStorefront, startStorefront } from "../fixtures/storefront.ts";

const limit = 15;
const rule = { name: "req/ip", client: "ip", algorithm: "first-hit" } as const;
const words = Array.from({ length: 60 }, (_, i) => `admin-${i}`);
const mostSeconds = 40;

/** What the tool itself saw. */
interface Seen {
  readonly requests: number;
  readonly refused: number;
  /** What it may have had under way when it ended, and so does not know the answer of. */
  readonly unfinished?: number;
}

interface Tool {
  readonly client: string;
  /** What the console calls it. */
  readonly name: string;
  readonly userAgent: RegExp;
  attack(url: string): Promise<Seen>;
}

let redis: TestRedis;
let shop: Served;
let folder: string;
const ends: (() => unknown)[] = [];
const seenByClient = new Map<string, Seen>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-scanners-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  redis = await startRedis();
  ends.push(() => redis.stop());
  // Three of them say by a header who they are, as if a proxy had written it. The fourth comes from where it says.
  shop = await startStorefront(installStorefront("16"), {
    REDIS_URL: redis.url,
    TRUSTED_PROXIES: "127.0.0.1",
  });
  ends.push(() => shop.stop());
  const levels = [{ limit, periodSeconds: 600 }];
  const change = await savePolicy(redis.client, { rules: [{ ...rule, levels }] });
  await eventually(async () =>
    expect(await changeProgress(redis.client, change ?? 0)).toMatchObject({ nodes: 1, lagging: [] }),
  );
  openConsole();
}, 300_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** What stands behind the console's pages, in this process. */
function openConsole(): void {
  vi.stubEnv("REDIS_URL", redis.url);
  vi.stubEnv("NEXTAUTH_SECRET", secret);
  ends.push(() => {
    theConsole().redis.disconnect();
    theConsole().counters.disconnect();
    vi.unstubAllEnvs();
  });
}

const forwarded = (client: string) => `X-Forwarded-For: ${client}`;

const wrk: Tool = {
  client: "203.0.113.11",
  // It sends none, and nobody can know what it is.
  name: "no user agent",
  userAgent: /^$/,
  async attack(url) {
    const said = await run("wrk", ["-t1", "-c4", "-d2s", "-H", forwarded(this.client), `${url}/api/stock`]);
    const count = (pattern: RegExp) => Number(pattern.exec(said)?.[1] ?? 0);
    return {
      requests: count(/(\d+) requests in /),
      refused: count(/Non-2xx or 3xx responses: (\d+)/),
      unfinished: 4,
    };
  },
};

const ffuf: Tool = {
  client: "203.0.113.12",
  name: "ffuf",
  userAgent: /^Fuzz Faster U Fool/,
  async attack(url) {
    const [list, found] = [join(folder, "words"), join(folder, "ffuf.json")];
    writeFileSync(list, words.join("\n"));
    const output = ["-of", "json", "-o", found, "-mc", "all", "-s"];
    // With one thread: several add to its results at the same time, and now and then one result is lost.
    await run("ffuf", [
      ...["-u", `${url}/api/v1/FUZZ`, "-w", list, "-t", "1", "-maxtime", "20"],
      ...["-H", forwarded(this.client), ...output],
    ]);
    const { results }: { results: { status: number }[] } = JSON.parse(readFileSync(found, "utf8"));
    return { requests: results.length, refused: results.filter(({ status }) => status === 429).length };
  },
};

const sqlmap: Tool = {
  client: "203.0.113.13",
  name: "sqlmap",
  userAgent: /^sqlmap\/1/,
  async attack(url) {
    const traffic = join(folder, "sqlmap.txt");
    await run("sqlmap", [
      ...["-u", `${url}/api/v1/teapots?id=1`, "--batch"],
      ...["--headers", forwarded(this.client), "--output-dir", folder, "-t", traffic],
    ]);
    const statuses = [...readFileSync(traffic, "utf8").matchAll(/^HTTP response \[#\d+\] \((\d+)/gm)].map(
      ([, status]) => status,
    );
    return { requests: statuses.length, refused: statuses.filter((status) => status === "429").length };
  },
};

const spider = `
import scrapy

class Shop(scrapy.Spider):
    name = "shop"

    def start_requests(self):
        for page in range(60):
            yield scrapy.Request(f"{self.shop}/?page={page}", meta={"bindaddress": (self.client, 0)})
`;

const scrapy: Tool = {
  client: "127.0.0.14",
  name: "Scrapy",
  userAgent: /^Scrapy\/2/,
  async attack(url) {
    const [code, stats] = [join(folder, "spider.py"), "downloader/response_status_count"];
    writeFileSync(code, spider);
    const said = await run("scrapy", [
      ...["runspider", code, "-a", `shop=${url}`, "-a", `client=${this.client}`],
      ...["-s", "RETRY_ENABLED=0", "-s", "TELNETCONSOLE_ENABLED=0", "-s", "CLOSESPIDER_TIMEOUT=20"],
    ]);
    const count = (what: string) => Number(new RegExp(`'${what}': (\\d+)`).exec(said)?.[1] ?? 0);
    return { requests: count("downloader/response_count"), refused: count(`${stats}/429`) };
  },
};

/** Everything the tool says. How it ends is its own affair: sqlmap is not content when it finds nothing. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: mostSeconds * 1_000, env: { ...process.env, HOME: folder } };
    const tool = execFile(program, args, options, (error, stdout, stderr) => {
      if (error?.killed || error?.code === "ENOENT") reject(error);
      else resolve(stdout + stderr);
    });
    // sqlmap would read further addresses to attack from there.
    tool.stdin?.end();
  });
}

it.each([
  ["wrk", wrk],
  ["ffuf", ffuf],
  ["sqlmap", sqlmap],
  ["Scrapy", scrapy],
])("%s is throttled, and stands among the offenders by its name", async (_, tool) => {
  const { client, name, userAgent } = tool;
  const seen = await tool.attack(shop.url);
  seenByClient.set(client, seen);
  expect(seen.refused).toBeGreaterThan(limit);
  expect(seen.requests - seen.refused).toBeGreaterThanOrEqual(limit);

  const offender = await eventually(async () => {
    const { clients, over } = await readOffenders(undefined, 50);
    expect(over).toBe(seenByClient.size);
    const found = clients.find((one) => one.client === client);
    expect(found?.requests).toBeGreaterThanOrEqual(seen.requests);
    // What was counted, denied and kept are read one after the other: a report may come in between.
    expect(found?.denied).toBeGreaterThanOrEqual(seen.refused);
    expect(found?.tool).toBe(name);
    return found;
  });
  expect(offender).toMatchObject({
    ...{ kind: "ip", app: "storefront", standing: "throttled", tool: name },
    counter: { rule: rule.name, limit, isOver: true },
  });
  expectCounted(offender?.requests ?? 0, seen.requests, seen);
  expectCounted(offender?.denied ?? 0, seen.refused, seen);

  await eventually(async () => {
    const told = await tellOfClient(client, {});
    expect(told).toMatchObject({ outcome: "throttled", status: 429 });
    expect(told.userAgents).toEqual([
      { text: expect.stringMatching(userAgent), share: expect.any(Number), tool: name },
    ]);
  });
});

it("and all that they were refused is in the fleet's counts", async () => {
  const all = [...seenByClient.values()];
  const refused = all.reduce((sum, seen) => sum + seen.refused, 0);
  const outcomes = await eventually(async () => {
    const totals = await readTotals(redis.client, (rule) => rule);
    const found = totals.find(({ app }) => app === "storefront")?.outcomes;
    expect(found?.get("throttled")).toBeGreaterThanOrEqual(refused);
    return found;
  });
  const unfinished = all.reduce((sum, seen) => sum + (seen.unfinished ?? 0), 0);
  expect(refused).toBeGreaterThan(4 * limit);
  expectCounted(outcomes?.get("throttled") ?? 0, refused, { unfinished });
});

function expectCounted(counted: number, seen: number, { unfinished = 0 }: Pick<Seen, "unfinished">): void {
  expect(counted).toBeGreaterThanOrEqual(seen);
  expect(counted).toBeLessThanOrEqual(seen + unfinished);
}
