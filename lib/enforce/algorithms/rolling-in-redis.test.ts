import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScales } from "../limits/scales.ts";
import { testCounters } from "../limits/vitest.counters.ts";
import {
  expectSame,
  passedAroundTheEdge,
  second,
  startMicros,
  stepOf,
  traffic,
  verdicts,
  weighAll,
} from "../limits/vitest.differential.ts";

const counters = testCounters();

const sizes = {
  "rolling-list": (key: string) => counters.client.llen(key),
  "rolling-set": (key: string) => counters.client.zcard(key),
} as const;

describe.each(["rolling-list", "rolling-set"] as const)("%s", (algorithm) => {
  it("decides in Redis what its model decides, on any traffic", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(traffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
        await expectSame(counters.redis, stepOf(algorithm, `rule-${run++}`, { limit }), moments);
      }),
      { numRuns: 600 },
    );
  }, 60_000);

  it("counts two hits of the same microsecond as two", async () => {
    const scales = createScales(counters.redis, { clock: () => startMicros, withinMs: 10_000 });
    const plan = { steps: [stepOf(algorithm, "sms", { limit: 2 })] };
    expect(await verdicts(scales, plan, ["a", "a", "a"])).toEqual([-1, -1, 0]);
    expect(await verdicts(scales, plan, ["a"])).toEqual([0]);
  });

  it("lets exactly five through around a minute's edge where a fixed window lets ten", async () => {
    expect(await passedAroundTheEdge(counters.redis, algorithm)).toBe(5);
  });

  it("keeps an element for an admitted hit, whatever it costs, and drops those that are over", async () => {
    let now = startMicros;
    const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
    const plan = { steps: [stepOf(algorithm, "transfer", { limit: 200_000 })] };
    for (let hit = 0; hit < 300; hit++) {
      await weighAll(scales, plan, [{ client: "a", cost: 1_000 }]);
      now += second;
    }
    const [key = ""] = await counters.client.keys("*");
    expect(await sizes[algorithm](key)).toBeLessThanOrEqual(61);
  });
});
