import fc from "fast-check";
import { expect, it } from "vitest";
import type { Reading, Step } from "../limits/plan.ts";
import { createScales } from "../limits/scales.ts";
import { testCounters } from "../limits/vitest.counters.ts";
import {
  expectSame,
  Modelled,
  one,
  second,
  startMicros,
  stepOf,
  traffic,
  weighAll,
} from "../limits/vitest.differential.ts";
import { earrrl, secondsUntilClear } from "./earrrl.ts";
import vectors from "./earrrl.vectors.json" with { type: "json" };

const counters = testCounters();
const reference = stepOf("earrrl", "reference", {
  limit: vectors.limitPerSecond,
  periodSeconds: vectors.halfLifeSeconds,
});

/** To 1e-9; who is over may differ only where the estimate is the limit to that precision. */
const alike =
  ({ limit }: Step) =>
  (actual: Reading, expected: Reading) => {
    expect(Math.abs(actual.used - expected.used)).toBeLessThanOrEqual(1e-9 * expected.used);
    if (Math.abs(expected.used / limit - 1) > 1e-9) expect(actual.isOver).toBe(expected.isOver);
    expect(Math.abs(actual.resetMs - expected.resetMs)).toBeLessThanOrEqual(1);
  };

it("estimates in Redis what its model does, to a billionth, on any traffic", async () => {
  let run = 0;
  const some = fc.record({
    limit: fc.constantFrom(0.02, 0.1, 0.5, 3),
    periodSeconds: fc.constantFrom(0.5, 10, 60),
    overageWeight: fc.constantFrom(0, 0.25, 1),
  });
  await fc.assert(
    fc.asyncProperty(traffic(60), some, async (moments, settings) => {
      const step = stepOf("earrrl", `rule-${run++}`, settings);
      await expectSame(counters.redis, step, moments, alike(step));
    }),
    { numRuns: 600 },
  );
}, 60_000);

it("gives the reference run, in its model and in Redis", async () => {
  let now = startMicros;
  const modelled = new Modelled(reference);
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  for (const { at, estimateBefore, limited } of vectors.hits) {
    now = startMicros + at * second;
    const [inRedis] = await weighAll(scales, { steps: [reference] }, [one("a")]);
    for (const reading of [modelled.hit("a", 1, now), inRedis?.readings[0]]) {
      expect(reading?.used).toBeCloseTo(estimateBefore, 9);
      expect(reading?.isOver).toBe(limited);
    }
  }
  expect(modelled.look("a", 1, now).used).toBeCloseTo(vectors.estimateRightAfterLastHit, 9);
  expect(modelled.look("a", 1, now + 10 * second).used).toBeCloseTo(
    vectors.estimateTenSecondsAfterLastHit,
    9,
  );
});

it("keeps an abuser out until they slow down, then lets them in; a window lets them in each time", async () => {
  const midnight = 28_333_334 * 60 * second;
  const passedOf = async (step: Step) => {
    let now = midnight;
    const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
    return async (fromSecond: number, toSecond: number, everySeconds: number) => {
      let count = 0;
      for (let at = fromSecond; at < toSecond; at += everySeconds) {
        now = midnight + at * second;
        const [{ deniedBy } = { deniedBy: 0 }] = await weighAll(scales, { steps: [step] }, [one("abuser")]);
        if (deniedBy < 0) count++;
      }
      return count;
    };
  };
  // Once a second, where 36 a minute are allowed; then, from the 180th second on, every two seconds.
  const inWindows = await passedOf(stepOf("fixed", "api", { limit: 36, periodSeconds: 60 }));
  const byEstimate = await passedOf(stepOf("earrrl", "api", { limit: 0.6, periodSeconds: 10 }));
  for (const minute of [0, 60, 120]) expect(await inWindows(minute, minute + 60, 1)).toBe(36);
  expect(await byEstimate(0, 60, 1)).toBeGreaterThan(0);
  expect(await byEstimate(60, 150, 1)).toBe(0);
  expect(await byEstimate(180, 240, 2)).toBe(30);
});

it("lets a client slightly over its rate in now and then if overage weighs less", () => {
  const share = (overageWeight: number) => {
    const modelled = new Modelled(stepOf("earrrl", "api", { limit: 0.9, periodSeconds: 10, overageWeight }));
    let passed = 0;
    for (let at = 0; at < 1_000; at++) if (!modelled.hit("a", 1, startMicros + at * second).isOver) passed++;
    return passed / 1_000;
  };
  expect(share(1)).toBeLessThan(0.05);
  expect(share(0)).toBeGreaterThan(0.8);
});

it("does not inflate when the clock steps back", () => {
  const state = earrrl.charge({ sum: 3, at: startMicros }, reference, 1, startMicros - 60 * second);
  expect(state).toEqual({ sum: 4, at: startMicros });
});

it("says when a denied client is clear, counting the denied hit", () => {
  const modelled = new Modelled(reference);
  for (let hit = 0; hit < 20; hit++) modelled.hit("a", 1, startMicros);
  const { resetMs } = modelled.hit("a", 1, startMicros);
  expect(modelled.look("a", 1, startMicros + (resetMs - 1) * 1_000).isOver).toBe(true);
  expect(modelled.look("a", 1, startMicros + resetMs * 1_000).isOver).toBe(false);
});

it("is clear when it says so", () => {
  const seconds = secondsUntilClear(2, reference);
  expect(2 * 2 ** (-seconds / reference.periodSeconds)).toBeCloseTo(reference.limit, 12);
  expect(secondsUntilClear(0.1, reference)).toBe(0);
});

it("lives in Redis until less than a thousandth of the limit is left", async () => {
  const scales = createScales(counters.redis, { withinMs: 10_000 });
  for (const cost of [1, 40, 1_000]) {
    await weighAll(scales, { steps: [reference] }, [{ client: `client-${cost}`, cost }]);
    const life = 10 * Math.log2((cost * Math.LN2) / 10 / (0.5 / 1_000));
    const [key = ""] = await counters.client.keys(`*client-${cost}`);
    const left = (await counters.client.pttl(key)) / 1_000;
    expect(left).toBeGreaterThan(life - 1);
    expect(left).toBeLessThanOrEqual(life + 1);
  }
});
