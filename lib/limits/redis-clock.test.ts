import { expect, it } from "vitest";
import { RedisClock } from "./redis-clock.ts";

it("takes over Redis' clock from what a reply says, to the time that it took", () => {
  const clock = new RedisClock();
  const asked = performance.now();
  clock.heard(5_000_000, asked, asked + 3);
  const told = clock.now() - (performance.now() - asked) * 1_000;
  expect(told).toBeGreaterThanOrEqual(5_000_000 - 3_001);
  expect(told).toBeLessThanOrEqual(5_000_001);
});

it("is not led astray by slow replies once it knows better", () => {
  const clock = new RedisClock();
  const asked = performance.now();
  clock.heard(5_000_000, asked, asked + 0.1);
  const before = clock.now() - performance.now() * 1_000;
  clock.heard(5_400_000, asked, asked + 900);
  expect(clock.now() - performance.now() * 1_000).toBeCloseTo(before, -3);
});
