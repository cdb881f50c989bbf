import { expect, it } from "vitest";
import { RedisClock, redisNow } from "./redis-clock.ts";

it("takes over Redis' clock from a reply, to the time that the reply took", () => {
  const clock = new RedisClock();
  const asked = performance.now();
  clock.heard(5_000_000, asked, asked + 3);
  const now = clock.now() - (performance.now() - asked) * 1_000;
  expect(now).toBeGreaterThanOrEqual(5_000_000 - 3_001);
  expect(now).toBeLessThanOrEqual(5_000_001);
});

it("keeps a narrow span when a slow reply follows", () => {
  const clock = new RedisClock();
  const asked = performance.now();
  clock.heard(5_000_000, asked, asked + 0.1);
  const before = clock.now() - performance.now() * 1_000;
  clock.heard(5_400_000, asked, asked + 900);
  expect(clock.now() - performance.now() * 1_000).toBeCloseTo(before, -3);
});

it("reads Redis' clock in whole milliseconds", async () => {
  expect(await redisNow({ time: async () => ["1700000000", "123999"] })).toBe(1_700_000_000_123);
});
