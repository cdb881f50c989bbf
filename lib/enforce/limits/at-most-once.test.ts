import { afterAll, beforeAll, expect, it } from "vitest";
import { type CountersConnection, connectCounters } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { AtMostOnce, hashedScript } from "./at-most-once.ts";

let server: TestRedis;
let redis: CountersConnection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectCounters(server.url, "promptly");
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("asks a server on, whose answer was there before this process, which had paused, looked at its time limit", async () => {
  const caller = new AtMostOnce(redis);
  const script = hashedScript("return struct.pack('<d', 1)");
  await expect.poll(() => caller.call(script, 0, 0, [], 10_000)).toEqual(Float64Array.of(1));
  const calledAt = performance.now();
  const answer = caller.call(script, 0, 0, [], 10);
  // Once the call is sent, both its answer and its time limit come due during the pause. After 100 ms it would be asked in any case.
  await new Promise((resolve) => setImmediate(resolve));
  const until = calledAt + 85;
  while (performance.now() < until);
  expect(await answer).toEqual(Float64Array.of(1));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(caller.isSilent(0)).toBe(false);
  expect(await caller.call(script, 0, 0, [], 10_000)).toEqual(Float64Array.of(1));
});
