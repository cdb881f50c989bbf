import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { CounterScan, periodOf, readHighestCounters } from "./counter-scan.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("knows how long a running window is by its number, and which windows are over", () => {
  for (const now of [1_700_000_000, 1_763_456_789, 1_900_000_001.5]) {
    for (const period of [1, 2, 7, 10, 60, 300, 900, 1_800, 3_600, 7_200, 86_400, 604_800]) {
      const window = Math.floor(now / period);
      expect([period, periodOf(window, now)]).toEqual([period, period]);
      if (period < 40_000) expect(periodOf(window - 1, now)).not.toBe(period);
    }
  }
});

it("finds the highest counters that another system writes, and one process of several scans", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const key = (period: number, rest: string) => `rack::attack:${Math.floor(now / period)}:${rest}`;
  // Also those of the next hour, which may begin before the scan does. Until then a scan skips them.
  const hourly = (rest: string, count: number) =>
    [0, 1].flatMap((more) => [`rack::attack:${Math.floor(now / 3_600) + more}:${rest}`, String(count)]);
  const many = Array.from({ length: 3_000 }, (_, i) =>
    hourly(`logins/ip:10.0.${i >> 8}.${i & 255}`, 1 + (i % 5)),
  );
  await server.client.mset(...many.flat());
  await server.client.mset(...hourly("logins/ip:2001:db8::7", 77), key(86_400, "day/user:joe"), "50");
  await server.client.mset(`rack::attack:${Math.floor(now / 3_600) - 5}:logins/ip:203.0.113.5`, "999");
  await server.client.rpush(key(3_600, "odd:thing"), "a");
  const scans = [new CounterScan(redis, redis), new CounterScan(redis, redis)];
  const runs = scans.map((scan) => scan.run());
  const found = await eventually(async () => {
    const highest = await readHighestCounters(redis);
    expect(highest).toBeDefined();
    return highest;
  }, 15_000);
  expect(found?.counters).toHaveLength(100);
  expect(found?.counters.slice(0, 2)).toEqual([
    { rule: "logins/ip", client: "2001:db8::7", periodSeconds: 3_600, count: 77 },
    { rule: "day/user", client: "joe", periodSeconds: 86_400, count: 50 },
  ]);
  for (const scan of scans) scan.stop();
  await Promise.all(runs);
});
