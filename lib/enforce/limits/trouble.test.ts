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
  const freeze = async () => {
    const used = await answered();
    server.freeze();
    const { answer, ms } = await timed();
    expect(answer).toMatchObject({ outcome: "unweighed", reason: "late" });
    return { used, ms };
  };
  let { used: before, ms } = await freeze();
  // The quickest of five: a busy machine is late itself.
  for (let round = 1; round < 5 && ms >= 50; round++) {
    server.thaw();
    ({ used: before, ms } = await freeze());
  }
  expect(ms).toBeLessThan(50);
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
  const took: number[] = [];
  for (let i = 0; i < 5; i++) took.push((await timed()).ms);
  expect(Math.min(...took)).toBeLessThan(50);
  await server.restart();
  expect(await answered()).toBe(0);
});

it("names a server that is full, and has charged nothing", async () => {
  await answered();
  const patient = createScales(redis, { withinMs: 10_000 });
  const used = async () => weighed(await patient.read(load)).readings[0]?.used;
  const before = await used();
  await server.client.config("SET", "maxmemory", "1");
  const full = { outcome: "unweighed", reason: "refused", message: expect.stringMatching(/^OOM/) };
  expect(await patient.weigh(load)).toMatchObject(full);
  await server.client.config("SET", "maxmemory", "0");
  expect(before).toBeGreaterThan(0);
  expect(await used()).toBe(before);
});

it("names a server that became a replica", async () => {
  await answered();
  await server.client.replicaof("127.0.0.1", 1);
  const { answer } = await timed();
  expect(answer).toMatchObject({ outcome: "unweighed" });
  await server.client.replicaof("NO", "ONE");
  await answered();
});
