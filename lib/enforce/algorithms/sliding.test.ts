import fc from "fast-check";
import { expect, it } from "vitest";
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

const counters = testCounters();

it("decides in Redis what its model decides, on any traffic", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(traffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
      await expectSame(counters.redis, stepOf("sliding", `rule-${run++}`, { limit }), moments);
    }),
    { numRuns: 600 },
  );
}, 60_000);

it("weighs the window before by the share that the last period still covers", async () => {
  let now = Math.ceil(startMicros / (60 * second)) * 60 * second;
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  const plan = { steps: [stepOf("sliding", "api", { limit: 10 })] };
  await weighAll(scales, plan, [{ client: "a", cost: 8 }]);
  now += 75 * second;
  const [weighed] = await weighAll(scales, plan, [one("a")]);
  expect(weighed?.readings[0]?.used).toBe(6);
});

it("tells when a cost would fit: not a millisecond before", () => {
  fc.assert(
    fc.property(traffic(60), fc.integer({ min: 1, max: 12 }), (moments, limit) => {
      const step = stepOf("sliding", "api", { limit });
      const modelled = new Modelled(step);
      let now = startMicros;
      for (const { advanceMicros, hits } of moments) {
        now += Math.max(0, advanceMicros);
        for (const { client, cost } of hits) {
          const reading = modelled.hit(client, cost, now);
          if (!reading.isOver || cost > limit) continue;
          expect(modelled.look(client, cost, now + reading.resetMs * 1_000 + 1).isOver).toBe(false);
          if (reading.resetMs > 1)
            expect(modelled.look(client, cost, now + (reading.resetMs - 2) * 1_000).isOver).toBe(true);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});
