import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { inOneWindow, startRedis } from "../lib/redis/testing.ts";
import { ensureLib } from "./build-lib.mjs";
import {
  blocksOf,
  compile,
  documentedVariables,
  policyBreaches,
  programOf,
  programs,
  shellBreaches,
} from "./docs-blocks.mjs";
import {
  comparedPage,
  programs as comparedPrograms,
  comparePage,
  libraries,
  linesOfTask,
  tasks,
  tiersOf,
} from "./docs-compare.mjs";
import { pageOf, readPages } from "./docs-pages.mjs";
import { pictures } from "./docs-pictures.mjs";
import { buildSite } from "./docs-site.mjs";
import { inProject } from "./project.mjs";

const run = promisify(execFile);
const compared = () => comparedPrograms().map(({ task, library }) => [task, library]);
const folder = mkdtempSync(join(tmpdir(), "sluice-docs-"));
const blocks = blocksOf(readPages());
const checked = blocks.filter(({ notChecked }) => notChecked === undefined);
/** @param {string} language @param {readonly import("./docs-blocks.mjs").Block[]} [among] */
const of = (language, among = checked) => among.filter((block) => block.language === language);

/** Programs wait 40 ms for the counters, then let a request pass: a machine that is too busy for that gets another try. */
const retried = { retry: 2 };
/** No window of a program ends while it runs: longer windows end with one of these. */
const shortestSeconds = 300;

/** A page with a mistake in each block. */
const faulty = blocksOf([
  pageOf(
    "docs/faulty.md",
    [
      "# Faulty\n",
      '```ts\nimport { createGuard } from "sluice";\n\ncreateGuard({ redis: "", app: "a", trustedProxy: 1 });\n```\n',
      "<!-- given\nconst customerId: string | undefined = undefined;\n-->\n```ts\nguard.check({ ip: 5, customerId });\n```\n",
      '```sh\nsluice block add 203.0.113.9 --reasn "x"   # a comment\nnpm run gone\nSLUICE_GONE=1 npm run up | blob\n```\n',
      '```json\n{ "name": "a", "client": "tenant", "algorithm": "fixed", "levels": [{ "limit": 1, "periodSeconds": 1 }] }\n```\n',
      "```json\n{ }\n```\n",
      "<!-- not checked: a fragment -->\n```ts\nconst = 5;\n```\n",
    ].join("\n"),
  ),
]);

/** @type {string[]} */
let mistakes = [];
/** @type {import("../lib/redis/testing.ts").TestRedis} */
let redis;

beforeAll(async () => {
  redis = await startRedis("--databases", "128");
  await ensureLib();
  mistakes = compile(
    [
      ...of("ts"),
      ...of(
        "ts",
        faulty.filter((block) => !block.notChecked),
      ),
    ],
    existsSync(inProject("docs/compare")) ? "docs/compare" : undefined,
  );
});

afterAll(() => redis.stop());

it("checks each block, or knows why not", () => {
  const reasons = blocks.flatMap(({ notChecked }) => notChecked ?? []);
  const counts = Object.fromEntries(
    [...new Set(reasons)].sort().map((reason) => [reason, reasons.filter((one) => one === reason).length]),
  );
  expect(counts).toEqual(notCheckedCounts);
  const known = ["ts", "json", "sh"];
  expect(
    checked.filter(({ language }) => !known.includes(language)).map(({ page, line }) => `${page}:${line}`),
  ).toEqual([]);
});

/** Blocks that nothing checks, by their reason. A new one is added here. */
const notCheckedCounts = {
  "a drawing": 3,
  "a request or an answer, as it is sent": 3,
  "code of another language": 1,
  "configuration of another program": 2,
  "notes of the importer, which a test of their own compares": 4,
  "output, or words": 2,
  "settings of another program": 2,
};

describe("programs", () => {
  it("compile against the built library, and a mistake does not", () => {
    expect(mistakes.sort()).toEqual([
      expect.stringMatching(/^docs\/faulty\.md:13 TS2322: /),
      expect.stringMatching(/^docs\/faulty\.md:6 TS2561: .*'trustedProxy'/),
    ]);
  });

  const isRun = checked.filter((block) => block.isRun);
  it.concurrent.each(
    isRun.map((block, i) => ({ name: `${block.page}:${block.line}`, block, database: i + 1 })),
  )("$name runs", retried, async ({ block, database }) => {
    await redis.client.pipeline().select(database).flushdb().select(0).exec();
    await inOneWindow(redis.client, shortestSeconds);
    const program = join(programs, `${programOf(block)}.js`);
    const env = { ...process.env, REDIS_URL: `${redis.url}/${database}` };
    await run(process.execPath, [program], { env, timeout: 20_000 });
  });
});

describe("commands", async () => {
  const { readCommandLine } = await import("../lib/cli/command-line.ts");
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const known = { read: readCommandLine, scripts: Object.keys(scripts), variables: documentedVariables() };
  /** @param {readonly import("./docs-blocks.mjs").Block[]} among */
  const breaches = (among) => of("sh", among).flatMap((block) => shellBreaches(block, known));

  it("are of the command line as it is", () => expect(breaches(checked)).toEqual([]));

  it("with a mistake are found", () => {
    expect(breaches(faulty)).toEqual([
      'docs/faulty.md:17 sluice block add 203.0.113.9 --reasn x: Unknown option --reasn. Did you mean "--reason"?',
      "docs/faulty.md:18 package.json has no script gone",
      "docs/faulty.md:19 sets SLUICE_GONE, which no document names",
      "docs/faulty.md:19 runs blob, which scripts/docs-blocks.mjs does not know",
    ]);
  });
});

describe("policies", async () => {
  const { checkPolicy } = await import("../lib/enforce/policy/schema.ts");
  const { defaultPolicy } = await import("../lib/enforce/policy/stored.ts");
  const { parseJson } = await import("../lib/cli/json-text.ts");
  const known = { parse: parseJson, check: checkPolicy, base: defaultPolicy };
  /** @param {readonly import("./docs-blocks.mjs").Block[]} among */
  const breaches = (among) => of("json", among).flatMap((block) => policyBreaches(block, known));

  it("can be published", () => expect(breaches(checked)).toEqual([]));

  it("with a mistake are found", () => {
    expect(breaches(faulty)).toEqual([
      expect.stringMatching(/^docs\/faulty\.md:23 rules\[4\]\.client: write who is counted/),
      "docs/faulty.md:27 is neither a policy nor a rule",
    ]);
  });
});

describe("the comparison", () => {
  it("has the table that its programs make", () => {
    expect(readFileSync(inProject(comparePage), "utf8")).toBe(comparedPage());
  });

  it.each(Object.keys(tasks))("%s takes no more lines with Sluice than with any other library", (task) => {
    const lengths = libraries
      .filter((library) => compared().some(([of, by]) => of === task && by === library))
      .map((library) => linesOfTask(task, library))
      .map(({ code, policy }) => code + policy);
    expect(lengths[0]).toBe(Math.min(...lengths));
  });

  it.each(compared())("%s with %s does what it says", retried, async (task, library) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const own = library === "sluice" ? await startRedis() : redis;
    vi.stubEnv("REDIS_URL", own.url);
    vi.resetModules();
    try {
      if (library === "sluice") await publish(task, own.url);
      else await redis.client.flushall();
      const { app } = await import(join(programs, `docs/compare/${task}/${library}.js`));
      if (library === "sluice") await untilReady(own.url);
      // Of Sluice and Upstash, windows begin with the clock.
      await inOneWindow(own.client, shortestSeconds);
      await tryOut(task, app);
      if (library !== "sluice") (await import(join(programs, "docs/compare/redis.js"))).redis.disconnect();
    } finally {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      if (own !== redis) await own.stop();
    }
  });

  /** A guard with the same settings shares what the app's guard has loaded. @param {string} url */
  async function untilReady(url) {
    const { createGuard } = await import(inProject("dist/enforce/guard/index.js"));
    const guard = createGuard({ redis: url, app: "shop" });
    await guard.ready();
    await guard.close();
  }

  /** @param {string} task @param {string} url */
  async function publish(task, url) {
    const tiers = tiersOf(task);
    if (tiers === undefined) return;
    const { defaultPolicy } = await import("../lib/enforce/policy/stored.ts");
    const text = JSON.stringify({
      ...defaultPolicy,
      tiers: { ...defaultPolicy.tiers, ...JSON.parse(tiers) },
    });
    const file = join(folder, "policy.json");
    writeFileSync(file, text);
    const args = ["policy", "set", file, "--redis", url, "--reason", "comparison"];
    const env = { ...process.env, NEXTAUTH_SECRET: "a-secret-of-the-comparison-only-0123456789" };
    await run(process.execPath, [inProject("dist/cli/main.js"), ...args], { env });
  }
});

/** What each task of the comparison must do, over HTTP. @param {string} task @param {import("express").Express} app */
async function tryOut(task, app) {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  try {
    await tryTask(task, url);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** @param {string} task @param {string} url */
async function tryTask(task, url) {
  /** @param {number} times @param {string} path @param {RequestInit} [init] */
  const statuses = async (times, path, init) => {
    const found = [];
    for (let i = 0; i < times; i++) found.push((await fetch(url + path, init)).status);
    return found;
  };
  const post = (/** @type {Record<string, string>} */ headers = {}) => ({ method: "POST", headers });
  const times = (/** @type {number} */ count, /** @type {number} */ status) => Array(count).fill(status);
  switch (task) {
    case "whole-app":
    case "without-redis":
      await Promise.all(
        Array.from({ length: 10 }, async () => expect(await statuses(30, "/")).toEqual(times(30, 200))),
      );
      return expect(await statuses(2, "/")).toEqual([429, 429]);
    case "one-route":
      expect(await statuses(6, "/login", post())).toEqual([...times(5, 200), 429]);
      return expect(await statuses(1, "/")).toEqual([200]);
    case "by-plan":
      expect(await statuses(6, "/", { headers: { "x-user": "ada", "x-plan": "free" } })).toEqual([
        ...times(5, 200),
        429,
      ]);
      return expect(await statuses(9, "/", { headers: { "x-user": "ben", "x-plan": "pro" } })).toEqual([
        ...times(8, 200),
        429,
      ]);
    case "cost":
      return expect(await statuses(3, "/", { headers: { "x-cost": "5" } })).toEqual([200, 200, 429]);
    case "failed-only":
      expect(await statuses(7, "/login", post({ "x-password": "right" }))).toEqual(times(7, 200));
      expect(await statuses(5, "/login", post())).toEqual(times(5, 401));
      return expect(await statuses(1, "/login", post())).toEqual([429]);
    case "what-is-left": {
      const headers = { "x-user": "ada" };
      expect(await statuses(3, "/work", post(headers))).toEqual(times(3, 200));
      const left = async () => (await fetch(`${url}/left`, { headers })).json();
      return expect([await left(), await left()]).toEqual([7, 7]);
    }
    case "custom-answer": {
      expect(await statuses(5, "/")).toEqual(times(5, 200));
      const denied = await fetch(url);
      return expect([denied.status, await denied.text()]).toEqual([429, "slow down"]);
    }
    default:
      throw new Error(`There is no test of ${task}.`);
  }
}

it.each(["express-rate-limit", "rate-limiter-flexible", "upstash", "rack-attack"])(
  "shows what the importer prints for the example of %s",
  (library) => {
    const own = blocks.filter(({ page }) => page === `docs/migrate/${library}.md`);
    const [before] = own;
    const notes = own.find(({ language }) => language === "text");
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [inProject("dist/cli/main.js"), "import", library, "-"],
      { input: before?.code, encoding: "utf8" },
    );
    expect(stderr.trim()).toBe(notes?.code.trim());
    expect(JSON.parse(stdout).rules.length).toBeGreaterThan(0);
  },
);

it("has pictures that the models of today draw", async () => {
  for (const [name, svg] of await pictures())
    expect(readFileSync(inProject("docs/pictures", name), "utf8")).toBe(svg);
});

describe("the site", () => {
  beforeAll(async () => {
    await buildSite(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** @param {string} path */
  const read = (path) => readFileSync(join(folder, path), "utf8");
  const htmlFiles = () =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(".html"));

  it("links only to what the site has", () => {
    expect(htmlFiles().length).toBeGreaterThan(20);
    const dead = htmlFiles().flatMap((path) =>
      [...read(path).matchAll(/ (?:href|src)="([^"#:]{1,300})(?:#[^"]*)?"/g)]
        .filter(([, to = ""]) => !existsSync(join(folder, dirname(path), to)))
        .map(([, to]) => `${path} links to ${to}`),
    );
    expect(dead).toEqual([]);
  });

  it("shows code as text, and none of the comments that tests read", () => {
    const html = read("docs/start/fetch.html");
    expect(html).toContain("Bun");
    expect(html).not.toMatch(/<!-- given|declare const Bun/);
    expect(html).toContain("createGate(guard, { peer: (_, event: RequestEvent) =&gt;");
  });

  it("has every heading in the search, with its page", () => {
    /** @type {{ to: string; text: string; of: string }[]} */
    const entries = JSON.parse(read("assets/search.json"));
    expect(entries).toContainEqual({
      to: "docs/tasks/trusted-proxies.html#protected-ranges",
      text: "Protected ranges",
      of: "Name your proxies",
    });
    const [{ anchor = "" } = {}] = entries
      .flatMap(({ to }) => [{ anchor: to.split("#")[1] ?? "" }])
      .filter(({ anchor }) => anchor);
    expect(htmlFiles().some((path) => read(path).includes(`id="${anchor}"`))).toBe(true);
  });
});
