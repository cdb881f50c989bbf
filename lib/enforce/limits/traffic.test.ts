import fc from "fast-check";
import { expect, it } from "vitest";
import { arrivalsOf, mostArrivals, secondsOf } from "./traffic.ts";

const phase = fc.record({
  seconds: fc.integer({ min: 1, max: 120 }),
  perSecond: fc.oneof(fc.constantFrom(0, 0.1, 0.3, 1 / 3), fc.double({ min: 0, max: 20, noNaN: true })),
});
const phases = fc.array(phase, { minLength: 1, maxLength: 6 });

const wholeUp = (count: number) => Math.ceil(count - 1e-9);

it("spaces requests evenly, and neither adds nor loses any at the end of a phase", () => {
  expect(arrivalsOf([{ seconds: 2, perSecond: 2 }])).toEqual(
    [0, 0.5, 1, 1.5].map((atSeconds) => ({ atSeconds })),
  );
  fc.assert(
    fc.property(phases, (given) => {
      const arrivals = arrivalsOf(given, { most: Infinity });
      const wanted = given.reduce((sum, { seconds, perSecond }) => sum + seconds * perSecond, 0);
      expect(Math.abs(arrivals.length - wholeUp(wanted))).toBeLessThanOrEqual(
        Number.isInteger(wanted) ? 0 : 1,
      );
      expectInOrder(arrivals, secondsOf(given));
    }),
  );
});

it("draws random requests from a seed, at the rate of the phase, with the gaps of a Poisson process", () => {
  const steady = [{ seconds: 2_000, perSecond: 5 }];
  const arrivals = arrivalsOf(steady, { seed: 7 });
  expect(arrivals).toEqual(arrivalsOf(steady, { seed: 7 }));
  expect(arrivals).not.toEqual(arrivalsOf(steady, { seed: 8 }));
  expectInOrder(arrivals, 2_000);
  // Ten thousand on average, give or take four standard deviations.
  expect(Math.abs(arrivals.length - 10_000)).toBeLessThan(400);
  const gaps = arrivals.slice(1).map(({ atSeconds }, i) => atSeconds - (arrivals[i]?.atSeconds ?? 0));
  expect(gaps.filter((gap) => gap > 0.2).length / gaps.length).toBeCloseTo(Math.exp(-1), 1);
});

it("sends nothing in a pause, and no more than may be", () => {
  const pause = { seconds: 60, perSecond: 0 };
  const burst = { seconds: 10, perSecond: 1 };
  for (const seed of [undefined, 3]) {
    const times = arrivalsOf([pause, burst, pause, burst], { seed }).map(({ atSeconds }) => atSeconds);
    expect(times.length).toBeGreaterThan(10);
    expect(times.every((at) => (at >= 60 && at < 70) || (at >= 130 && at < 140))).toBe(true);
  }
  expect(arrivalsOf([{ seconds: 3_600, perSecond: 100 }])).toHaveLength(mostArrivals);
});

function expectInOrder(arrivals: readonly { atSeconds: number }[], endSeconds: number): void {
  let before = 0;
  for (const { atSeconds } of arrivals) {
    expect(atSeconds).toBeGreaterThanOrEqual(before);
    expect(atSeconds).toBeLessThan(endSeconds);
    before = atSeconds;
  }
}
