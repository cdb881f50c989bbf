import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard } from "../../../lib/guard/guard.ts";
import { eventually, startRedis, type TestRedis } from "../../../lib/redis/testing.ts";
import { theConsole } from "../../_server/console.ts";
import { GET } from "./route.ts";

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
  GET(new Request("http://localhost/api/metrics", { headers }));
const scrape = async () => (await ask({ authorization: `Bearer ${token}` })).text();

it("tells whoever shows the token, and nobody else", async () => {
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
