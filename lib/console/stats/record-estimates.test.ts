import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { tellOfClient } from "../clients/client-now.ts";
import { theConsole } from "../console.ts";
import { recordEstimates } from "./record-estimates.ts";

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
});
afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  for (const name of ["console", "statistics", "trends"]) forgetOnce(name);
  await server.stop();
  vi.unstubAllEnvs();
});

it("knows a busy client's estimates of before anyone opened its page", async () => {
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
  const ip = "203.0.113.7";
  let first = 0;
  await eventually(async () => {
    await guard.check({ ip });
    first = Date.now();
    expect(await recordEstimates(first)).toBeGreaterThan(0);
  }, 15_000);
  for (const laterMs of [5_000, 10_000]) await recordEstimates(first + laterMs);
  const { estimates } = await tellOfClient(ip, {});
  expect(estimates.map(({ at }) => at - first)).toEqual([0, 5_000, 10_000]);
  expect(estimates[0]?.estimate).toBeGreaterThan(0);
  await guard.close();
});
