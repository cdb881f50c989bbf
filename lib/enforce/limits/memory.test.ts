import fc from "fast-check";
import { expect, it } from "vitest";
import { algorithms } from "../algorithms/algorithms.ts";
import { createMemoryScales } from "./memory.ts";
import type { CountedRequest, Step, Weighed } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { second, startMicros, stepOf, weighed } from "./vitest.differential.ts";

const counters = testCounters();

/** Plans of several steps, some of them shadowed, and loads that count for one client here and another one there. */
const plans = fc.array(
  fc.record({
    algorithm: fc.constantFrom(...algorithms),
    limit: fc.integer({ min: 1, max: 6 }),
    periodSeconds: fc.constantFrom(10, 60),
    overageWeight: fc.constantFrom(0.5, 1),
    isShadowed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);
const moments = fc.array(
  fc.record({
    advance: fc.oneof(fc.constantFrom(0, 1, 10 * second), fc.integer({ min: 0, max: 60 * second })),
    loads: fc.array(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom(0, 1, 1, 2)), {
        minLength: 5,
        maxLength: 5,
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

function rounded({ deniedBy, readings, trouble }: Weighed) {
  return {
    deniedBy,
    trouble,
    readings: readings.map((reading) => ({ ...reading, used: reading.used.toPrecision(9) })),
  };
}

it("weighs whole plans as Redis does, load for load", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(plans, moments, async (settings, traffic) => {
      run++;
      const steps = settings.map((some, i): Step => stepOf(some.algorithm, `rule-${run}-${i}`, some));
      const plan = { steps };
      let now = startMicros;
      const inRedis = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
      const inMemory = createMemoryScales({ clock: () => now });
      for (const { advance, loads } of traffic) {
        now += advance;
        const asked = loads.map(
          (load): CountedRequest => ({
            plan,
            clients: load.map(([client]) => client),
            costs: load.map(([, cost]) => cost),
          }),
        );
        const expected = asked.map((load) => inMemory.weighNow(load));
        const actual = (await Promise.all(asked.map((load) => inRedis.weigh(load)))).map(weighed);
        expect(actual.map(rounded)).toEqual(expected.map(rounded));
      }
    }),
    { numRuns: 1_500 },
  );
}, 120_000);

it("stays within its bounds, and forgets first what was not used for longest", () => {
  const scales = createMemoryScales({ mostCounters: 100, clock: () => startMicros });
  const load = (client: string): CountedRequest => {
    return { plan: { steps: [stepOf("fixed", "ip", { limit: 1 })] }, clients: [client], costs: [1] };
  };
  scales.weighNow(load("busy"));
  for (let i = 0; i < 1_000; i++) {
    scales.weighNow(load(`client-${i}`));
    expect(scales.weighNow(load("busy")).deniedBy).toBe(0);
  }
  expect(scales.weighNow(load("client-0")).deniedBy).toBe(-1);
  expect(scales.weighNow(load("client-999")).deniedBy).toBe(0);
});

it("tells without charging, and forgets when told to", async () => {
  const scales = createMemoryScales({ clock: () => startMicros });
  const load: CountedRequest = {
    plan: { steps: [stepOf("gcra", "ip", { limit: 2 })] },
    clients: ["a"],
    costs: [2],
  };
  for (let i = 0; i < 3; i++) expect(scales.readNow(load).readings[0]?.used).toBe(0);
  expect(weighed(await scales.weigh(load)).deniedBy).toBe(-1);
  expect(weighed(await scales.read(load)).deniedBy).toBe(0);
  scales.clear();
  expect(scales.readNow(load).deniedBy).toBe(-1);
});
