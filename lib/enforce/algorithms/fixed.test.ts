import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScales } from "../limits/scales.ts";
import { testCounters } from "../limits/vitest.counters.ts";
import {
  expectSame,
  one,
  passedAroundTheEdge,
  second,
  startMicros,
  stepOf,
  traffic,
  weighAll,
} from "../limits/vitest.differential.ts";
import { calendarOf } from "./model.ts";

const counters = testCounters();

it("decides in Redis what its model decides, on any traffic", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(traffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
      await expectSame(counters.redis, stepOf("fixed", `rule-${run++}`, { limit }), moments);
    }),
    { numRuns: 600 },
  );
}, 60_000);

it("is rack-attack's own counter: its key, a plain number, and a life until a second after the window", async () => {
  // Redis' own clock, which alone says how long a key lives, and a window that does not end while the test runs.
  const scales = createScales(counters.redis, { withinMs: 10_000 });
  const periodSeconds = 366 * 86_400;
  const plan = { steps: [stepOf("fixed", "req/ip", { periodSeconds })] };
  await weighAll(scales, plan, [{ client: " Joe\u0000", cost: 3 }]);
  const [now] = await counters.client.time();
  const window = Math.floor(Number(now) / periodSeconds);
  const key = `rack::attack:${window}:req/ip:joe`;
  expect(await counters.client.keys("*")).toEqual([key]);
  expect(await counters.client.get(key)).toBe("3");
  const [left, [after]] = await Promise.all([counters.client.ttl(key), counters.client.time()]);
  expect(Math.abs(Number(after) + left - ((window + 1) * periodSeconds + 1))).toBeLessThanOrEqual(1);
});

it("counts on from what a foreign writer counted", async () => {
  const scales = createScales(counters.redis, { clock: () => startMicros, withinMs: 10_000 });
  const plan = { steps: [stepOf("fixed", "req/ip", { periodSeconds: 86_400, limit: 5 })] };
  const now = startMicros / second;
  await counters.client.incrby(`rack::attack:${Math.floor(now / 86_400)}:req/ip:a`, 4);
  const [fifth, sixth] = await weighAll(scales, plan, [one("a"), one("a")]);
  expect([fifth?.deniedBy, sixth?.deniedBy]).toEqual([-1, 0]);
  expect(fifth?.readings[0]?.used).toBe(4);
});

it("lets ten hits through within two seconds around a minute's edge, for a limit of five", async () => {
  expect(await passedAroundTheEdge(counters.redis, "fixed")).toBe(10);
});

describe("windows of the calendar", () => {
  const calendars = [
    { period: "day", timeZone: "Europe/Berlin" },
    { period: "day", timeZone: "America/Havana" },
    { period: "month", timeZone: "Asia/Kathmandu", startsOn: 31 },
  ] as const;

  it.each(calendars)("decide in Redis what their model decides, on any traffic: %j", async (terms) => {
    let run = 0;
    const calendar = calendarOf(terms);
    await fc.assert(
      fc.asyncProperty(traffic(86_400), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
        const step = stepOf("fixed", `${terms.timeZone}-${run++}`, {
          limit,
          periodSeconds: 86_400,
          calendar,
        });
        await expectSame(counters.redis, step, moments);
      }),
      { numRuns: 60 },
    );
  });

  it("have keys by their start, which live until a second after their end", async () => {
    const scales = createScales(counters.redis, { withinMs: 10_000 });
    const calendar = calendarOf({ period: "month", timeZone: "Asia/Kathmandu", startsOn: 15 });
    const step = stepOf("fixed", "quota", { periodSeconds: 2_678_400, calendar });
    await weighAll(scales, { steps: [step] }, [{ client: "acme", cost: 3 }]);
    const micros = Number((await counters.client.time())[0]) * second;
    const key = `rack::attack:month-${calendar.startAt(micros)}:quota:acme`;
    expect(await counters.client.keys("*")).toEqual([key]);
    expect(await counters.client.get(key)).toBe("3");
    const [left, [after]] = await Promise.all([counters.client.ttl(key), counters.client.time()]);
    expect(Math.abs(Number(after) + left - (calendar.endAt(micros) + 1))).toBeLessThanOrEqual(1);
  });
});
