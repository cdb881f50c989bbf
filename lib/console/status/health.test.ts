import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { controlConnection } from "../../redis/connections.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { getHealth } from "./health.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
  vi.stubEnv("REDIS_URL", redis.url);
});
afterAll(async () => {
  controlConnection(redis.url).disconnect();
  vi.unstubAllEnvs();
  await redis.stop();
});

const pings = async () => {
  const [, calls = "0"] = /cmdstat_ping:calls=(\d+)/.exec(await redis.client.info("commandstats")) ?? [];
  return Number(calls);
};

it("asks Redis once for many who ask at a time", async () => {
  const before = await pings();
  const answers = await Promise.all(Array.from({ length: 50 }, () => getHealth()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await answers[0]?.json()).toEqual({ status: "ok" });
  expect((await pings()) - before).toBe(1);
});
