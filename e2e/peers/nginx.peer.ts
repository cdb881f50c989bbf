import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nginxAnswer } from "@/lib/console/check/answer.ts";
import { type Verdict, verdict } from "@/lib/enforce/guard/verdict.ts";
import { isCanonical } from "@/lib/ip/parse.ts";
import { keys } from "@/lib/redis/keys.ts";
import { eventually, freePort, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { ensureBuilt } from "@/scripts/build-app.mjs";
import { startConsole } from "../fixtures/console.ts";
import { savePolicy } from "../fixtures/policy.ts";
import type { Served } from "../fixtures/server.ts";
import { UncountedPass, whileCounted } from "./while-counted.ts";

const token = "a-token-for-nginx";
const shipped = readFileSync(fileURLToPath(new URL("../../deploy/nginx.conf", import.meta.url)), "utf8");

interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Nginx {
  url: string;
  /** Lines about requests that passed without a verdict. */
  unchecked(): string[];
  stop(): Promise<void>;
}

const patience = [
  ["proxy_connect_timeout 250ms;", "proxy_connect_timeout 20s;"],
  ["proxy_read_timeout 500ms;", "proxy_read_timeout 20s;"],
];

const ends: (() => Promise<void>)[] = [];
let redis: TestRedis;
let sluice: Served;
let app: { port: number; seen: Seen[] };
let nginx: Nginx;

beforeAll(async () => {
  await ensureBuilt();
  redis = await startRedis();
  ends.push(() => redis.stop());
  // Clients come from loopback, which nobody can block. So the tests play a CDN in front of nginx, at 127.0.0.0/8.
  sluice = await startConsole({
    REDIS_URL: redis.url,
    SLUICE_CHECK_TOKEN: token,
    SLUICE_TRUSTED_PROXIES: "127.0.0.0/8",
  });
  ends.push(() => sluice.stop());
  const seen: Seen[] = [];
  const port = await listen(async (request, response) => {
    seen.push(await see(request));
    response.statusCode = request.url === "/forbidden" ? 403 : 200;
    response.end("from the app");
  });
  app = { port, seen };
  nginx = await startNginx(new URL(sluice.url).port);
}, 300_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function see(request: IncomingMessage): Promise<Seen> {
  return { url: request.url ?? "", headers: request.headers, body: await text(request) };
}

async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return port;
}

interface NginxOptions {
  readonly shown?: string;
  /** Keeps the time within which the shipped file expects Sluice's answer. */
  readonly isImpatient?: boolean;
}

/**
 * The shipped file with nothing changed but the addresses, the token and, unless a test is about a late answer, the time within which
 * nginx expects one: after a pause of a busy machine a request would pass without a verdict.
 */
async function startNginx(
  sluicePort: number | string,
  { shown = token, isImpatient = false }: NginxOptions = {},
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-nginx-"));
  // Started by root, nginx works as a user of its own, who keeps uploads in here.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const site = [
    ["server 127.0.0.1:3000;", `server 127.0.0.1:${sluicePort};`],
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${app.port};`],
    ["listen 80;", `listen 127.0.0.1:${port};`],
    [`"\${SLUICE_CHECK_TOKEN}"`, `"${shown}"`],
    ["/var/cache/nginx-sluice ", `${join(folder, "cache")} `],
    ["/var/log/nginx/sluice-unchecked.log ", `${join(folder, "unchecked.log")} `],
    ...(isImpatient ? [] : patience),
  ].reduce((text, [from = "", to = ""]) => {
    if (text.split(from).length !== 2) throw new Error(`deploy/nginx.conf does not say ${from} once`);
    return text.replace(from, to);
  }, shipped);
  writeFileSync(join(folder, "nginx.conf"), around(folder, site));
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true });
  };
  ends.push(stop);
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${complaints}`);
    await fetch(url);
  });
  const unchecked = () =>
    readFileSync(join(folder, "unchecked.log"), "utf8").trim().split("\n").filter(Boolean);
  return { url, unchecked, stop };
}

function around(folder: string, site: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; worker_processes 1; pid ${join(folder, "pid")};
events { worker_connections 256; }
http { access_log off; ${temporary.join(" ")}
${site}
}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

async function visit(
  client: string,
  path = "/cart?id=1",
  headers: Record<string, string> = {},
  through = nginx,
) {
  const response = await fetch(through.url + path, {
    headers: { accept: "text/html", "x-forwarded-for": client, ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** For paths where a rule applies. */
async function countedVisit(...visited: Parameters<typeof visit>) {
  const answer = await visit(...visited);
  if (answer.status === 200 && answer.headers.get("ratelimit-policy") === null) throw new UncountedPass();
  return answer;
}

it("turns a blocked client away with a page, and lets it in when the entry is gone", async () => {
  expect(await visit("203.0.113.9")).toMatchObject({ status: 200, body: "from the app" });
  await redis.client.set("blocklist:203.0.113.9", "a scan");
  const page = await eventually(async () => {
    const answer = await visit("203.0.113.9");
    expect(answer.status).toBe(403);
    return answer;
  });
  expect(page.body).toContain("<h1>Access denied</h1>");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("cache-control")).toBe("private, no-store");
  expect(page.headers.get("retry-after")).toBeNull();
  expect((await visit("203.0.113.10")).status).toBe(200);
  await redis.client.del("blocklist:203.0.113.9");
  await eventually(async () => expect((await visit("203.0.113.9")).status).toBe(200));
});

it("never shows the app a request that was turned away, nor the token with one that was not", async () => {
  await redis.client.set("blocklist:203.0.113.20", "a scan");
  await eventually(async () => expect((await visit("203.0.113.20")).status).toBe(403));
  app.seen.length = 0;
  await visit("203.0.113.20", "/secret");
  await visit("203.0.113.21", "/open?id=1", { authorization: "Basic dTpw" });
  expect(app.seen.map(({ url }) => url)).toEqual(["/open?id=1"]);
  expect(app.seen[0]?.headers.authorization).toBe("Basic dTpw");
  expect(JSON.stringify(app.seen)).not.toContain(token);
});

it("is not talked out of it by headers of the client's own", async () => {
  await redis.client.mset("blocklist:203.0.113.30", "a scan", "safelist:203.0.113.31", "the office");
  await eventually(async () => expect((await visit("203.0.113.30")).status).toBe(403));
  expect((await visit("203.0.113.31, 203.0.113.30")).status).toBe(403);
  const claims = {
    "x-sluice-token": "mine",
    "x-sluice-status": "200",
    "x-original-uri": "/static/logo.png",
    "x-forwarded-uri": "/static/logo.png",
    "x-sluice-peer": "203.0.113.31",
  };
  expect((await visit("203.0.113.30", "/", claims)).status).toBe(403);
});

it("keeps the check itself, and the app's own refusals, as they are", async () => {
  expect((await visit("203.0.113.40", "/_sluice")).status).toBe(404);
  expect(await visit("203.0.113.40", "/forbidden")).toMatchObject({ status: 403, body: "from the app" });
});

it("throttles also by a policy of many rules with long names, whose headers nginx must still take", async () => {
  const levels = [
    { limit: 1, periodSeconds: 60 },
    { limit: 1_000, periodSeconds: 3_600 },
  ];
  const rules = Array.from({ length: 40 }, (_, i) => ({
    ...({ name: `many-${i}-`.padEnd(64, "x"), client: "ip", algorithm: "first-hit", levels } as const),
    match: { apps: ["edge"], only: ["/many"] },
  }));
  await savePolicy(redis.client, { rules });
  await eventually(async () => {
    await visit("203.0.113.60", "/many");
    expect((await visit("203.0.113.60", "/many")).status).toBe(429);
  });
});

async function throttleSearch(name: string, periodSeconds: number): Promise<void> {
  const match = { apps: ["edge"], only: ["/search"] };
  const levels = [{ limit: 2, periodSeconds }];
  await savePolicy(redis.client, {
    rules: [{ name, match, client: "ip", algorithm: "first-hit", levels }],
  });
}

it("throttles by the policy in Redis from the first request over the limit, and says what is left", async () => {
  await throttleSearch("search", 60);
  const search = (client: string) => countedVisit(client, "/search?q=tea");
  await eventually(async () =>
    expect((await search("203.0.113.50")).headers.get("ratelimit-policy")).toBe('"search";q=2;w=60'),
  );
  await whileCounted(async (attempt) => {
    const client = `198.51.100.${attempt}`;
    app.seen.length = 0;
    const left: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      const { status, headers, body } = await search(client);
      left.push([status, body, headers.get("ratelimit"), headers.get("retry-after")]);
    }
    const seconds = "(60|[345]\\d)";
    expect(left).toEqual([
      [200, "from the app", expect.stringMatching(`^"search";r=1;t=${seconds}$`), null],
      [200, "from the app", expect.stringMatching(`^"search";r=0;t=${seconds}$`), null],
    ]);
    const refused = await search(client);
    expect(refused.status).toBe(429);
    expect(refused.body).toContain("<h1>Too Many Requests</h1>");
    expect(refused.headers.get("retry-after")).toMatch(new RegExp(`^${seconds}$`));
    expect(refused.headers.get("ratelimit")).toMatch(new RegExp(`^"search";r=0;t=${seconds}$`));
    expect(refused.headers.get("ratelimit-policy")).toBe('"search";q=2;w=60');
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
    expect(app.seen).toHaveLength(2);

    expect((await search(`203.0.113.${100 + attempt}`)).status).toBe(200);
    expect((await visit(client, "/cart")).status).toBe(200);
  });
});

it("throttles until the window ends, and no longer", async () => {
  await throttleSearch("brief", 3);
  const search = () => visit("203.0.113.51", "/search?q=tea");
  const refused = await eventually(async () => {
    const answer = await search();
    expect(answer.status).toBe(429);
    return answer;
  });
  expect(refused.headers.get("ratelimit-policy")).toBe('"brief";q=2;w=3');
  expect(refused.headers.get("retry-after")).toMatch(/^[123]$/);
  await eventually(async () => expect((await search()).status).toBe(200), 10_000);
});

it("answers a Basic user over the limit by 503, and 400 to a header that names none", async () => {
  const rule = {
    name: "api",
    client: "user",
    requireBasic: true,
    algorithm: "first-hit",
    response: { status: 503 },
  } as const;
  const levels = [{ limit: 1, periodSeconds: 3_600 }];
  await savePolicy(redis.client, { rules: [{ ...rule, match: { only: ["/api/v1"] }, levels }] });
  const call = (authorization: string) => countedVisit("203.0.113.60", "/api/v1/orders", { authorization });
  const bad = await eventually(async () => {
    const answer = await call("Bearer abc");
    expect(answer.status).toBe(400);
    return answer;
  });
  expect(bad.headers.get("retry-after")).toBeNull();
  await whileCounted(async (attempt) => {
    const joe = `Basic ${Buffer.from(`joe-${attempt}:secret`).toString("base64")}`;
    expect((await call(joe)).status).toBe(200);
    const over = await call(joe);
    expect(over.status).toBe(503);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(3_500);
  });
});

const throttled: Verdict = {
  ...verdict.pass(),
  outcome: "throttled",
  status: 429,
  headers: { RateLimit: '"minute";r=0;t=42', "RateLimit-Policy": '"minute";q=60;w=60', "Retry-After": "42" },
};

interface Played {
  verdict: Verdict;
  /** A status without any verdict, or no answer at all. */
  instead?: number | "silence";
  /** An older console sends no bodies. */
  isOlder?: boolean;
}

/** A console that answers everything with one verdict, in the words of the real one. It can change its mind. */
async function answering(
  given: Verdict,
  options: NginxOptions = {},
): Promise<{ nginx: Nginx; asked: Seen[]; played: Played }> {
  const asked: Seen[] = [];
  const played: Played = { verdict: given };
  const port = await listen(async (request, response) => {
    asked.push(await see(request));
    if (played.instead === "silence") return;
    const isBodySent = request.url?.includes("body=headers") && !played.isOlder;
    const body = isBodySent ? { accept: request.headers.accept ?? null } : undefined;
    const { status, headers } = nginxAnswer(played.verdict, body);
    if (played.instead === undefined) response.writeHead(status, headers).end();
    else response.writeHead(played.instead).end();
  });
  return { nginx: await startNginx(port, options), asked, played };
}

it.each([
  [429, "Too many requests"],
  [503, "Over rate limit"],
  [400, "Bad request"],
  [403, "Access denied"],
])("answers %s where the rule asks for it, and says when to come back", async (status, title) => {
  const { nginx: throttling, played } = await answering({ ...throttled, status });
  expect((await visit("203.0.113.9", "/", {}, throttling)).status).toBe(status);
  played.isOlder = true;
  const answer = await visit("203.0.113.9", "/logo.png", {}, throttling);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(`<h1>${title}</h1>`);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("retry-after")).toBe("42");
  expect(answer.headers.get("ratelimit")).toBe('"minute";r=0;t=42');
  expect(answer.headers.get("ratelimit-policy")).toBe('"minute";q=60;w=60');
});

it("tells the client what is left, and Sluice the request as it came", async () => {
  const left = { RateLimit: '"minute";r=7;t=42', "RateLimit-Policy": '"minute";q=60;w=60' };
  const { nginx: counting, asked } = await answering({ ...verdict.pass(), headers: left });
  asked.length = 0;
  const answer = await visit("203.0.113.9", "/a/../b?c=1", { authorization: "Basic dTpw" }, counting);
  expect(answer).toMatchObject({ status: 200, body: "from the app" });
  expect(answer.headers.get("ratelimit")).toBe('"minute";r=7;t=42');
  expect(asked.map(({ url }) => url)).toEqual(["/api/check?mode=nginx&body=headers&app=edge"]);
  expect(asked[0]?.headers).toMatchObject({
    "x-sluice-token": token,
    "x-forwarded-for": "203.0.113.9, 127.0.0.1",
    "x-original-uri": "/b?c=1",
    "x-original-method": "GET",
    "x-original-host": "127.0.0.1",
    authorization: "Basic dTpw",
  });
});

it("asks about uploads without their body, and hands them on whole", async () => {
  const { nginx: asking, asked } = await answering(verdict.pass());
  asked.length = 0;
  app.seen.length = 0;
  const body = "x".repeat(200_000);
  const response = await fetch(`${asking.url}/upload`, { method: "POST", body });
  expect([response.status, await response.text()]).toEqual([200, "from the app"]);
  expect(app.seen.map((seen) => seen.body.length)).toEqual([body.length]);
  expect(asked).toMatchObject([{ body: "", headers: { "x-original-method": "POST" } }]);
  expect(asked[0]?.headers).not.toHaveProperty("content-length");
});

it("lets requests pass while the console is away or hangs", async () => {
  const away = await startNginx(await freePort(), { isImpatient: true });
  expect(await visit("203.0.113.9", "/", {}, away)).toMatchObject({ status: 200, body: "from the app" });
  const hung = await startNginx(await listen(() => {}), { isImpatient: true });
  const startedAt = performance.now();
  expect(await visit("203.0.113.9", "/", {}, hung)).toMatchObject({ status: 200, body: "from the app" });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

const [entry] = ["203.0.113.9"].filter(isCanonical);
if (!entry) throw new Error("the example is no address");

it("passes what gets no verdict, and keeps a line on each such request", async () => {
  const { nginx: unsure, played } = await answering(verdict.pass());
  const statuses = [401, 500, 502, 503, 504] as const;
  for (const status of statuses) {
    played.instead = status;
    expect([status, (await visit("203.0.113.9", "/cart", {}, unsure)).status]).toEqual([status, 200]);
  }
  await eventually(() => {
    const lines = unsure.unchecked();
    expect(lines).toHaveLength(statuses.length);
    for (const [i, status] of statuses.entries())
      expect(lines[i]).toMatch(
        new RegExp(`"GET /cart HTTP/1.1" passed unchecked: Sluice answered ${status}$`),
      );
  });
  // What a client can provoke by what it sends lets nobody pass.
  for (const status of [400, 404, 413, 414, 431]) {
    played.instead = status;
    expect([status, (await visit("203.0.113.9", "/cart", {}, unsure)).status]).toEqual([status, 500]);
  }
});

it("turns nobody away for a token that the console does not know", async () => {
  const rotated = await startNginx(new URL(sluice.url).port, { shown: "a-token-of-yesterday" });
  expect(await visit("203.0.113.70", "/", {}, rotated)).toMatchObject({ status: 200, body: "from the app" });
  await eventually(() => expect(rotated.unchecked()).toHaveLength(2));
  await eventually(() =>
    expect(sluice.output()).toMatch(/api\/check gave no verdict on a request: The token is missing or wrong/),
  );
});

it("asks a process that is check only, which has nothing else of a console", async () => {
  const other = await startRedis();
  ends.push(() => other.stop());
  await other.client.set("blocklist:203.0.113.80", "a scan");
  const check = await startConsole({
    REDIS_URL: other.url,
    NEXTAUTH_SECRET: "",
    SLUICE_ONLY_CHECK: "1",
    SLUICE_CHECK_TOKEN: token,
    SLUICE_TRUSTED_PROXIES: "127.0.0.0/8",
  });
  ends.push(() => check.stop());
  const asking = await startNginx(new URL(check.url).port);
  await eventually(async () => expect((await visit("203.0.113.80", "/", {}, asking)).status).toBe(403));
  expect((await visit("203.0.113.81", "/", {}, asking)).status).toBe(200);
  const statusAt = async (path: string, headers = {}) =>
    (await fetch(check.url + path, { headers, redirect: "manual" })).status;
  for (const path of ["/", "/signin", "/api/auth/csrf", "/api/overview", "/welcome/x"])
    expect([path, await statusAt(path)]).toEqual([path, 404]);
  expect(await statusAt("/api/health")).toBe(200);
  expect(await statusAt("/api/metrics", { "x-sluice-token": "wrong" })).not.toBe(404);
  await eventually(async () => expect(await other.client.exists(keys.nodes())).toBe(1));
  const nodes = await other.client.zrange(keys.nodes(), 0, "-1");
  expect(nodes).toEqual([expect.stringMatching(/^edge@/)]);
  expect(await other.client.exists(keys.users())).toBe(0);
  expect(await other.client.keys(keys.lease("*"))).toEqual([]);
});

it("lets no blocked client pass for sending more headers than the console reads", async () => {
  await redis.client.set("blocklist:203.0.113.71", "a scan");
  await eventually(async () => expect((await visit("203.0.113.71")).status).toBe(403));
  const part = "a".repeat(7_000);
  // As JSON, because the refusal of the others is remembered.
  const large = { accept: "application/json", "x-one": part, "x-two": part, "x-three": part };
  app.seen.length = 0;
  expect((await visit("203.0.113.71", "/", large)).status).not.toBe(200);
  expect(app.seen).toEqual([]);
});

it("answers programs with problem+json, and everyone with the rule's message", async () => {
  const message = 'Ça suffit.\n5 % <b>&</b> "zu viel" 寿司 $host';
  const levels = [{ limit: 1, periodSeconds: 3_600 }];
  const rule = {
    name: "api",
    client: "ip",
    algorithm: "first-hit",
    response: { status: 429, message },
  } as const;
  await savePolicy(redis.client, { rules: [{ ...rule, match: { only: ["/api/v2"] }, levels }] });
  const call = (accept: string) => visit("203.0.113.61", "/api/v2/orders.json", { accept });
  const json = await eventually(async () => {
    const answer = await call("application/json");
    expect(answer.status).toBe(429);
    return answer;
  });
  expect(json.headers.get("content-type")).toBe("application/problem+json");
  expect(JSON.parse(json.body)).toMatchObject({ status: 429, detail: message, "violated-policies": ["api"] });
  expect(json.headers.get("retry-after")).toMatch(/^\d+$/);
  const html = await call("text/html,*/*;q=0.8");
  expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html.body).toContain('<p>Ça suffit. 5 % &#60;b&#62;&#38;&#60;/b&#62; "zu viel" 寿司 $host</p>');
  const text = await call("text/plain");
  expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text.body).toContain("5 % <b>&</b>");
  expect((await visit("203.0.113.62", "/_sluice_refused.json")).status).toBe(404);
});

it("takes an answer with a policy of many limits", async () => {
  const name = (i: number) => `rule-${i}-${"x".repeat(50)}`;
  const many = (one: (i: number) => string) => Array.from({ length: 60 }, (_, i) => one(i)).join(", ");
  const headers = {
    RateLimit: many((i) => `"${name(i)}";r=0;t=42`),
    "RateLimit-Policy": many((i) => `"${name(i)}";q=60;w=60`),
  };
  const { nginx: wordy } = await answering({ ...throttled, headers });
  const answer = await visit("203.0.113.9", "/", {}, wordy);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("ratelimit-policy")).toBe(headers["RateLimit-Policy"]);
});

describe("a client that is blocked", () => {
  const client = "203.0.113.9";
  const statusOf = async (through: Nginx, who = client, headers = {}) =>
    (await visit(who, "/", headers, through)).status;

  it("is remembered for two seconds, and passes within three when its block is lifted", async () => {
    const { nginx: blocking, asked, played } = await answering(verdict.blocked(entry));
    for (let i = 0; i < 2; i++) expect(await statusOf(blocking)).toBe(403);
    asked.length = 0;
    for (let i = 0; i < 20; i++) expect(await statusOf(blocking)).toBe(403);
    expect(asked.length).toBeLessThan(20);
    // Each in its own format, and by its own address.
    const json = await visit(client, "/", { accept: "application/json" }, blocking);
    expect(json.headers.get("content-type")).toBe("application/problem+json");
    played.verdict = verdict.pass();
    expect(await statusOf(blocking, "203.0.113.10")).toBe(200);
    const liftedAt = performance.now();
    let lastRefusedAt = liftedAt;
    await eventually(async () => {
      const sentAt = performance.now();
      const status = await statusOf(blocking);
      if (status === 403) lastRefusedAt = sentAt;
      expect(status).toBe(200);
    });
    // nginx counts whole seconds, so its 2 s end after up to 3 s. Its clock may lag a little.
    expect(lastRefusedAt - liftedAt).toBeLessThan(3_100);
  });

  it("stays blocked while the console is away or late, and nobody else is", async () => {
    const { nginx: blocking, asked, played } = await answering(verdict.blocked(entry), { isImpatient: true });
    // nginx remembers the second answer. An answer that was late is no such answer.
    await eventually(async () => {
      for (let i = 0; i < 2; i++) expect(await statusOf(blocking)).toBe(403);
    });
    for (const instead of [503, "silence"] as const) {
      played.instead = instead;
      asked.length = 0;
      const statuses = new Set<number>();
      // What is remembered is out of date once the console is asked again.
      await eventually(async () => {
        statuses.add(await statusOf(blocking));
        expect(asked).not.toEqual([]);
      });
      expect([...statuses]).toEqual([403]);
      expect(await statusOf(blocking, "203.0.113.10")).toBe(200);
    }
    delete played.instead;
    played.verdict = verdict.pass();
    await eventually(async () => expect(await statusOf(blocking)).toBe(200));
  });
});

it("does not remember who is over a limit: another path may be open", async () => {
  const { nginx: throttling, played } = await answering(throttled);
  for (let i = 0; i < 3; i++) expect((await visit("203.0.113.9", "/a", {}, throttling)).status).toBe(429);
  played.verdict = verdict.pass();
  expect((await visit("203.0.113.9", "/b", {}, throttling)).status).toBe(200);
});
