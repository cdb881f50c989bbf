import { afterAll, beforeAll, expect, it } from "vitest";
import { isCanonical } from "../../ip/parse.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { FailureCounts } from "./sign-in-failures.ts";
import { levelsOfAttempt } from "./sign-in-levels.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  await redis.ping();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("makes at most 600 keys a minute for 10,000 networks, and counts the others in this process", async () => {
  const counts = new FailureCounts(redis);
  let now = Date.now();
  const failFrom = (i: number, isAdding = true) => {
    const address = `2001:db8:${(i + 1).toString(16)}::1`;
    if (!isCanonical(address)) throw new Error(address);
    const levels = levelsOfAttempt(
      address as Parameters<typeof levelsOfAttempt>[0],
      `${i}@example.org`,
      false,
    );
    return counts.ask({ levels, isAdding, now }).answer;
  };
  for (let from = 0; from < 10_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, i) => failFrom(from + i)));
  expect(await server.client.dbsize()).toBe(600);
  expect((await failFrom(0)).map(({ count }) => count)).toEqual(new Array(12).fill(2));
  expect((await failFrom(9_999)).map(({ count }) => count)).toEqual(new Array(12).fill(2));
  expect((await failFrom(9_999, false)).map(({ count }) => count)).toEqual(new Array(12).fill(2));
  expect(await server.client.dbsize()).toBe(600);
  now += 60_000;
  await failFrom(20_000);
  expect(await server.client.dbsize()).toBe(612);
});
