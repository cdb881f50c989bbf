import fc from "fast-check";
import { expect, it } from "vitest";
import { createScales } from "../limits/scales.ts";
import { testCounters } from "../limits/vitest.counters.ts";
import { expectSame, second, startMicros, stepOf, traffic, verdicts } from "../limits/vitest.differential.ts";

const counters = testCounters();

it("decides in Redis what its model decides, on any traffic", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(traffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
      await expectSame(counters.redis, stepOf("first-hit", `rule-${run++}`, { limit }), moments);
    }),
    { numRuns: 600 },
  );
}, 60_000);

it("lasts a period from its first hit, to the microsecond", async () => {
  let now = startMicros;
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  const plan = { steps: [stepOf("first-hit", "sms", { limit: 1 })] };
  expect(await verdicts(scales, plan, ["a", "a"])).toEqual([-1, 0]);
  now += 60 * second - 1;
  expect(await verdicts(scales, plan, ["a"])).toEqual([0]);
  now += 1;
  expect(await verdicts(scales, plan, ["a"])).toEqual([-1]);
});
