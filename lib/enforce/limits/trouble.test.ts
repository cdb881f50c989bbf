import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import type { CountedRequest, Unweighed, Weighed } from "./plan.ts";
import { createScales, type RedisScales } from "./scales.ts";
import { stepOf, weighed } from "./vitest.differential.ts";

const plan = {
  steps: [stepOf("fixed", "req/ip", { limit: 1_000, periodSeconds: 86_400 }), stepOf("earrrl", "rate")],
};
const load: CountedRequest = { plan, clients: ["a", "a"], costs: [1, 1] };

let server: TestRedis;
let redis: Connection;
let scales: RedisScales;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "promptly");
  scales = createScales(redis);
  await answered();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Waits until Redis weighs again, and says what was used until then. */
const answered = () => eventually(async () => weighed(await scales.weigh(load)).readings[0]?.used ?? 0);

async function timed(): Promise<{ answer: Weighed | Unweighed; ms: number }> {
  const from = performance.now();
  const answer = await scales.weigh(load);
  return { answer, ms: performance.now() - from };
}

it("names a frozen server within 50 ms, asks it no more than now and then, and is back with its first answer", async () => {
  const before = await answered();
  server.freeze();
  const first = await timed();
  expect(first.answer).toMatchObject({ outcome: "unweighed", reason: "late" });
  expect(first.ms).toBeLessThan(50);
  const others = await Promise.all(Array.from({ length: 50 }, timed));
  for (const { answer } of others) expect(answer).toMatchObject({ reason: "late" });
  server.thaw();
  // The frozen server had read the first one, and perhaps a probe: once each, and none of the others.
  const after = await answered();
  expect(after - before).toBeGreaterThanOrEqual(1);
  expect(after - before).toBeLessThanOrEqual(6);
});

it("answers by what has arrived, though this very process paused for longer than the time limit", async () => {
  await answered();
  const weighing = scales.weigh(load);
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + 120;
  while (performance.now() < until);
  expect(await weighing).toMatchObject({ outcome: "weighed" });
});

it("names a server that is gone at once, and counts nothing twice when it is back", async () => {
  await server.kill();
  await eventually(async () => expect((await timed()).answer).toMatchObject({ reason: "away" }));
  const { ms } = await timed();
  expect(ms).toBeLessThan(50);
  await server.restart();
  expect(await answered()).toBe(0);
});

it("names a server that is full, and has charged nothing", async () => {
  const before = await answered();
  await server.client.config("SET", "maxmemory", "1");
  expect((await timed()).answer).toMatchObject({ reason: "refused", message: expect.stringMatching(/^OOM/) });
  await server.client.config("SET", "maxmemory", "0");
  expect(await answered()).toBe(before + 1);
});

it("names a server that became a replica", async () => {
  await answered();
  await server.client.replicaof("127.0.0.1", 1);
  const { answer } = await timed();
  expect(answer).toMatchObject({ outcome: "unweighed" });
  await server.client.replicaof("NO", "ONE");
  await answered();
});
