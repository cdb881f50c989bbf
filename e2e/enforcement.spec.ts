import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import { installStorefront, startStorefront } from "./fixtures/storefront.ts";
import { expect, test } from "./fixtures/storefront-test.ts";

const offender = "203.0.113.9";

test("an entry written with redis-cli bites, and lifting it frees", async ({ shop }) => {
  const { client } = shop.redis;
  await expect.poll(() => shop.status(offender)).toBe(200);
  await client.setex(`blocklist:${offender}`, 604_800, "x");
  await expect.poll(() => shop.status(offender)).toBe(403);
  await client.set(`safelist:${offender}`, "x");
  await expect.poll(() => shop.status(offender)).toBe(200);
  await client.del(`safelist:${offender}`);
  await expect.poll(() => shop.status(offender)).toBe(403);
  await client.del(`blocklist:${offender}`);
  await expect.poll(() => shop.status(offender)).toBe(200);
});

test("an entry with two seconds to live lets go by itself", async ({ shop }) => {
  await shop.redis.client.set(`blocklist:${offender}`, "x");
  await expect.poll(() => shop.status(offender)).toBe(403);
  await shop.redis.client.expire(`blocklist:${offender}`, 2);
  await expect.poll(() => shop.status(offender), { timeout: 4_000 }).toBe(200);
});

test("ranges of both families cover what is in them and nothing else", async ({ shop }) => {
  await shop.redis.client.mset("blocklist:198.51.100.0/25", "x", "blocklist:2001:db8:7:9::/64", "x");
  await expect.poll(() => shop.status("198.51.100.127")).toBe(403);
  await expect.poll(() => shop.status("2001:db8:7:9:a::1")).toBe(403);
  expect(await shop.status("198.51.100.128")).toBe(200);
  expect(await shop.status("2001:db8:7:a::1")).toBe(200);
});

test("a foreign entry for the whole internet harms nobody", async ({ shop }) => {
  await shop.redis.client.mset(
    "blocklist:0.0.0.0/0",
    "x",
    "blocklist:127.0.0.1",
    "x",
    `blocklist:${offender}`,
    "x",
  );
  await expect.poll(() => shop.status(offender)).toBe(403);
  expect(await shop.status("198.51.100.1")).toBe(200);
  expect(await shop.status("127.0.0.1")).toBe(200);
});

test("the sluice command blocks and frees, tells how far that got, and doctor flags what nobody obeys", async ({
  shop,
}) => {
  const sluice = async (...words: string[]) => {
    const env = {
      ...process.env,
      REDIS_URL: shop.redis.url,
      NEXTAUTH_SECRET: "a secret of at least thirty-two characters",
    };
    const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words], { env });
    return stdout;
  };
  // It waits a second for the nodes, which a pause of this machine may exceed.
  expect(await sluice("block", "add", offender, "--reason", "scraper")).toMatch(
    /applied on (1 of 1 node in \d+ ms|0 of 1 node)/,
  );
  await expect.poll(() => shop.status(offender)).toBe(403);
  expect(await sluice("explain", offender)).toContain("is blocked (403)");
  await sluice("block", "remove", offender);
  await expect.poll(() => shop.status(offender)).toBe(200);
  await shop.redis.client.set("blocklist:0.0.0.0/0", "x");
  const doctor = await sluice("doctor").catch(
    ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout}`,
  );
  expect(doctor).toMatch(/^1 /);
  expect(doctor).toContain("blocklist:0.0.0.0/0: it is wider than /16");
});

test("a missing address of Redis ends the server at start, with one message", async () => {
  const started = startStorefront(installStorefront("16"), { REDIS_URL: "" });
  await expect(started).rejects.toThrow(
    /the server ended \(1\):[\s\S]*sluice: createGuard: redis is missing/,
  );
});

test("a script with a guard ends by itself once its check is answered", async ({ shop }) => {
  const script = `import { createGuard } from "sluice";
    const guard = createGuard({ redis: process.env.REDIS_URL, app: "script" });
    console.log((await guard.check({ ip: "${offender}" })).outcome);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: installStorefront("16"),
    env: { ...process.env, REDIS_URL: shop.redis.url },
    timeout: 10_000,
  });
  expect(stdout.trim()).toBe("pass");
});

test("code for the Edge runtime is refused, in words that say what to set", async () => {
  const words = ["--conditions", "edge-light", "--input-type=module", "-e"];
  const load = (name: string) =>
    promisify(execFile)(process.execPath, [...words, `await import("${name}")`], {
      cwd: installStorefront("16"),
    });
  await expect(load("sluice")).rejects.toThrow(/needs-runtime-nodejs-in-the-config-of-middleware/);
  // Next compiles instrumentation for it, too.
  await load("sluice/next");
});

test("a header counts only from a peer that is trusted", async ({ shop }) => {
  const server = await startStorefront(installStorefront("16"), {
    REDIS_URL: shop.redis.url,
    TRUSTED_PROXIES: "127.0.0.2",
  });
  const statusFrom = (localAddress: string, headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      request(`${server.url}/api/stock`, { localAddress, headers }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on("error", reject)
        .end();
    });
  try {
    await shop.redis.client.set(`blocklist:${offender}`, "x");
    await expect.poll(() => statusFrom("127.0.0.2", { "x-forwarded-for": offender })).toBe(403);
    expect(await statusFrom("127.0.0.1", { "x-forwarded-for": offender })).toBe(200);
    expect(await statusFrom("127.0.0.1", { "x-forwarded-for": offender, "x-sluice-peer": "127.0.0.2" })).toBe(
      200,
    );
  } finally {
    await server.stop();
  }
});

test("no header that a client sends skips the check or names another client", async ({ shop }) => {
  await shop.redis.client.set(`blocklist:${offender}`, "x");
  await expect.poll(() => shop.status(offender)).toBe(403);
  const tricks: Record<string, string>[] = [
    { "next-router-prefetch": "1", rsc: "1" },
    { purpose: "prefetch", "sec-purpose": "prefetch" },
    { "x-middleware-prefetch": "1" },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-sluice-peer": "198.51.100.1" },
    { "x-real-ip": "198.51.100.1", forwarded: "for=198.51.100.1" },
    { "x-forwarded-for": `198.51.100.1, ${offender}` },
  ];
  for (const headers of tricks)
    expect((await shop.visit(offender, headers)).status, JSON.stringify(headers)).toBe(403);
});

test("the refusal speaks the caller's format, and is never cached", async ({ shop }) => {
  await shop.redis.client.set(
    `blocklist:${offender}`,
    '{"reason":"a secret of ours","by":"oncall@example.com"}',
  );
  await expect.poll(() => shop.status(offender)).toBe(403);
  const answer = async (accept: string) => {
    const { headers, body } = await shop.visit(offender, { accept });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(body).not.toMatch(/secret|oncall|blocklist/);
    return [headers.get("content-type"), body] as const;
  };
  expect(await answer("text/html,application/xhtml+xml,*/*;q=0.8")).toEqual([
    "text/html; charset=utf-8",
    expect.stringContaining("<h1>Access denied</h1>"),
  ]);
  const [type, problem] = await answer("application/json");
  expect(type).toBe("application/problem+json");
  expect(JSON.parse(problem)).toEqual({
    type: "about:blank",
    title: "Access denied",
    status: 403,
    detail: "Requests from your network address are not accepted here.",
  });
  expect(await answer("*/*")).toEqual([
    "text/plain; charset=utf-8",
    expect.stringMatching(/^Access denied\. /),
  ]);
});

test("200 changes are in force with a p99 of at most 250 ms", async ({ shop }) => {
  const took: number[] = [];
  for (let i = 0; i < 200; i++) {
    const address = `203.0.113.${i}`;
    const startedAt = performance.now();
    await shop.redis.client.setex(`blocklist:${address}`, 604_800, "x");
    while ((await shop.status(address)) !== 403) expect(performance.now() - startedAt).toBeLessThan(5_000);
    took.push(performance.now() - startedAt);
  }
  took.sort((a, b) => a - b);
  const [median = 0, p99 = 0] = [took[100], took[197]];
  test.info().annotations.push({
    type: "figure",
    description: `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  });
  console.log(`write to first 403: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  expect(p99).toBeLessThanOrEqual(250);
});
