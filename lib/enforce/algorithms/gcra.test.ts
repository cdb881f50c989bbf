import fc from "fast-check";
import { expect, it } from "vitest";
import { testCounters } from "../limits/vitest.counters.ts";
import { expectSame, Modelled, second, startMicros, stepOf, traffic } from "../limits/vitest.differential.ts";

const counters = testCounters();

it("decides in Redis what its model decides, on any traffic", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(traffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
      await expectSame(counters.redis, stepOf("gcra", `rule-${run++}`, { limit }), moments);
    }),
    { numRuns: 600 },
  );
}, 60_000);

it("is GCRA: its theoretical arrival time, in fractions, decides the same", () => {
  fc.assert(
    fc.property(traffic(60), fc.integer({ min: 1, max: 12 }), (moments, limit) => {
      const step = stepOf("gcra", "api", { limit });
      const modelled = new Modelled(step);
      const arrivals = new Map<string, bigint>();
      let now = startMicros;
      for (const { advanceMicros, hits } of moments) {
        now += Math.max(0, advanceMicros);
        for (const { client, cost } of hits) {
          // In units of 1/limit µs: one request takes a period, and may arrive at most `limit` of them early.
          const time = BigInt(now) * BigInt(limit);
          const before = arrivals.get(client) ?? 0n;
          const next = (before > time ? before : time) + BigInt(Math.max(1, cost)) * 60_000_000n;
          const isOver = next - time > BigInt(limit) * 60_000_000n;
          expect(modelled.hit(client, cost, now).isOver).toBe(isOver);
          if (!isOver && cost > 0) arrivals.set(client, next);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

it("lets a hit through exactly when a unit has drained, after a hundred thousand of them", () => {
  const modelled = new Modelled(stepOf("gcra", "api", { limit: 3, periodSeconds: 3 }));
  let now = startMicros;
  for (const client of ["a", "a", "a"]) expect(modelled.hit(client, 1, now).isOver).toBe(false);
  for (let hit = 0; hit < 100_000; hit++) {
    expect(modelled.hit("a", 1, now + second - 1).isOver).toBe(true);
    now += second;
    expect(modelled.hit("a", 1, now).isOver).toBe(false);
  }
});
