import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { savePolicy } from "@/e2e/fixtures/policy.ts";
import { createGuard } from "../../enforce/guard/guard.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { getMetrics } from "./scrape.ts";

const token = "a-token-for-Prometheus";
let control: TestRedis;
let counters: TestRedis;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
  vi.stubEnv("REDIS_URL", control.url);
  vi.stubEnv("COUNTERS_REDIS_URL", counters.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  vi.stubEnv("SLUICE_TOKEN", token);
});

afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  await Promise.all([control.stop(), counters.stop()]);
  vi.unstubAllEnvs();
});

const ask = (headers: Record<string, string>) =>
  getMetrics(new Request("http://localhost/api/metrics", { headers }));
const scrape = async () => (await ask({ authorization: `Bearer ${token}` })).text();

it("answers requests with the token, and no others", async () => {
  for (const headers of [{}, { authorization: "Bearer another" }]) {
    const response = await ask(headers);
    expect([response.status, await response.text()]).toEqual([403, expect.not.stringContaining("sluice_")]);
  }
  const response = await ask({ authorization: `Bearer ${token}` });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await response.text()).toContain("sluice_redis_up 1\n");
});

it("takes a token of its own, and SLUICE_TOKEN only where there is none", async () => {
  const statusOf = async (shown: string) => (await ask({ authorization: `Bearer ${shown}` })).status;
  vi.stubEnv("SLUICE_CHECK_TOKEN", "a-token-for-the-proxies");
  expect(await statusOf(token)).toBe(200);
  vi.stubEnv("SLUICE_METRICS_TOKEN", "a-token-for-metrics-alone");
  expect(await statusOf("a-token-for-metrics-alone")).toBe(200);
  expect(await statusOf(token)).toBe(403);
  expect(await statusOf("a-token-for-the-proxies")).toBe(403);
  vi.stubEnv("SLUICE_METRICS_TOKEN", "");
  vi.stubEnv("SLUICE_CHECK_TOKEN", "");
});

it("tells what a node has decided, and how much it has to do", async () => {
  const guard = createGuard({ redis: control.url, counters: counters.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    for (let i = 0; i < 20; i++) await guard.check({ ip: "192.0.2.1" });
    await eventually(async () => {
      const text = await scrape();
      expect(text).toContain('sluice_verdicts_total{app="shop",outcome="pass"} 20\n');
      expect(text).toMatch(/sluice_node_requests_per_second\{app="shop",node="shop@[^"]+"\} [1-9]/);
      expect(text).toMatch(/sluice_node_counters_up\{app="shop",node="shop@[^"]+"\} 1\n/);
    });
  } finally {
    await guard.close();
  }
});

it("has one label for a rule, whatever its levels and whatever version of a node counted them", async () => {
  const levels = [
    { limit: 1, periodSeconds: 60 },
    { limit: 9, periodSeconds: 3_600 },
  ];
  await savePolicy(control.client, {
    rules: [{ name: "login", client: "ip", algorithm: "first-hit", levels }],
  });
  const old = { "denied login/60": 30, "denied login/3600": 400, "shadow login": 5 };
  for (const [field, count] of Object.entries(old))
    await control.client.hset("sluice:totals", `docs\0${field}`, count);
  const guard = createGuard({ redis: control.url, counters: counters.url, app: "docs", log: () => {} });
  try {
    await guard.ready();
    for (let i = 0; i < 3; i++) await guard.check({ ip: "192.0.2.7" });
    await eventually(async () => {
      const found = (await scrape()).split("\n").filter((line) => /^sluice_rule\w+\{app="docs"/.test(line));
      expect(found).toEqual([
        'sluice_rule_requests_total{app="docs",rule="login"} 3',
        'sluice_rule_near_limit_total{app="docs",rule="login"} 3',
        'sluice_rule_denials_total{app="docs",rule="login"} 432',
        'sluice_rule_shadow_denials_total{app="docs",rule="login"} 5',
      ]);
    });
  } finally {
    await guard.close();
  }
});

it.each([
  ["lists", () => control, ["sluice_redis_up 0", "sluice_counters_up 1"]],
  ["counters", () => counters, ["sluice_redis_up 1", "sluice_counters_up 0"]],
] as const)(
  "says in time that the Redis of %s hangs, and of the other that it does not",
  async (_, server, says) => {
    server().freeze();
    try {
      const startedAt = performance.now();
      const lines = (await scrape()).split("\n");
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect(lines).toEqual(expect.arrayContaining([...says]));
    } finally {
      server().thaw();
    }
  },
);
