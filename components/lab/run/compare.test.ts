import { expect, it } from "vitest";
import { compare, edgesIn } from "./compare.ts";
import { type Limiter, presets, recounted } from "./run.ts";
import { settle, settledAfterSeconds, thinned, watchOf } from "./settling.ts";

const texts = (marks: readonly { text: string }[]) => marks.map(({ text }) => text);

it("shows a burst that a window lets in every minute, and that EARRRL keeps out", () => {
  const { a, b, heavy, fromSeconds, untilSeconds } = compare(presets.burst);
  expect({ fromSeconds, untilSeconds }).toEqual({ fromSeconds: 0, untilSeconds: 600 });
  expect(heavy).toEqual({ fromSeconds: 60, untilSeconds: 300, perSecond: 2 });
  expect(a.simulation.requests).toBe(18 + 480 + 60);
  expect(a.duringHeavy).toEqual({ permitted: 120, cutOffAfterSeconds: 15, forgivenAfterSeconds: 0 });
  expect(texts(a.marks)).toEqual(["every minute 30 more get in"]);

  // Once over, nothing passes until the estimate is down from about 1.9/s to 0.5/s.
  const { permitted, cutOffAfterSeconds = 0, forgivenAfterSeconds = 0 } = b.duringHeavy;
  expect(permitted).toBe(2 * cutOffAfterSeconds);
  expect(cutOffAfterSeconds).toBeLessThan(30);
  expect(forgivenAfterSeconds).toBeGreaterThan(100);
  expect(texts(b.marks)).toEqual([
    expect.stringMatching(/^cut off at 1:\d\d$/),
    expect.stringMatching(/^forgiven at [67]:\d\d$/),
  ]);
});

it("draws the sums that the simulation has, to the last request", () => {
  const { a } = compare(presets.burst);
  expect(a.sums).toHaveLength(241);
  expect(a.sums[24]).toEqual({ atSeconds: 60, requests: 19, permitted: 19 });
  expect(a.sums.at(-1)).toEqual({ atSeconds: 600, requests: 558, permitted: a.simulation.permitted });
});

it("looks closely at ten requests around a minute's edge", () => {
  const comparison = compare(presets["s2-boundary"]);
  const { a, b, fromSeconds, untilSeconds } = comparison;
  expect([a.simulation.permitted, b.simulation.permitted]).toEqual([10, 5]);
  expect([fromSeconds, untilSeconds]).toEqual([58, 64]);
  expect(edgesIn(a.limiter, comparison)).toEqual([60]);
  expect(edgesIn(b.limiter, comparison)).toEqual([]);
});

it("marks a window for a client 67% over the limit, and the time when EARRRL forgives", () => {
  const { a, b } = compare(presets["s5-reform"]);
  expect(texts(a.marks)).toEqual(["every 30 s 18 more get in"]);
  expect(a.duringHeavy).toEqual({ permitted: 90, cutOffAfterSeconds: 18, forgivenAfterSeconds: 0 });
  expect(texts(b.marks)).toEqual([
    expect.stringMatching(/^cut off at/),
    expect.stringMatching(/^forgiven at 3:/),
  ]);
});

it("tells how much still gets in where it is a little all the time", () => {
  const smooth = (algorithm: Limiter["algorithm"]) =>
    texts(compare({ ...presets.steady, a: recounted(presets.steady.a, algorithm) }).a.marks);
  expect(smooth("gcra")).toEqual(["about 30 a minute still get in"]);
  expect(texts(compare({ ...presets.steady, overageWeight: 0 }).b.marks)).toEqual([
    "about 30 a minute still get in",
  ]);
});

it("has nothing to tell where nothing is denied, or nothing comes", () => {
  for (const perSecond of [0, 0.1]) {
    const { a, b, heavy } = compare({ ...presets.steady, phases: [{ seconds: 60, perSecond }] });
    expect(heavy).toEqual({ fromSeconds: 0, untilSeconds: 60, perSecond });
    for (const { marks, duringHeavy } of [a, b]) {
      expect(marks).toEqual([]);
      expect(duringHeavy.cutOffAfterSeconds).toBeUndefined();
      expect(duringHeavy.forgivenAfterSeconds).toBeUndefined();
    }
  }
});

it("says where a run with too many requests ends", () => {
  const { cutShortAtSeconds, untilSeconds, a } = compare({
    ...presets.steady,
    phases: [{ seconds: 3_600, perSecond: 100 }],
  });
  expect(a.simulation.requests).toBe(20_000);
  expect(cutShortAtSeconds).toBe(199.99);
  expect(untilSeconds).toBe(199.99);
});

it("is within a tenth of the true rate after 3.3 half-lives, whatever the half-life", () => {
  for (const periodSeconds of [10, 60, 600]) {
    const after = settledAfterSeconds({ ...presets.burst.b, periodSeconds }) ?? Number.NaN;
    expect(after / periodSeconds).toBeCloseTo(Math.log2(10), 1);
  }
  // So short a one has its estimate waver with every request.
  expect(settledAfterSeconds({ ...presets.burst.b, periodSeconds: 1 })).toBe(3.8);
});

it("watches three users from t = 50 s to t = 200 s, and keeps the teeth of the saw", () => {
  const { a, b, users } = presets["s5-convergence"];
  for (const limiter of [a, b]) {
    const settlings = settle(limiter, watchOf(users, limiter));
    expect(settlings.map(({ perSecond, isDenied }) => [perSecond, isDenied])).toEqual([
      [10, true],
      [1, true],
      [0.1, false],
    ]);
    for (const { points } of settlings) {
      expect(points[0]?.atSeconds).toBe(50);
      expect(points.at(-1)?.atSeconds).toBe(250);
      expect(points.length).toBeLessThanOrEqual(700);
    }
  }
  const points = Array.from({ length: 10_000 }, (_, i) => ({ atSeconds: i, perSecond: i % 2 ? 1 : 9 }));
  const few = thinned(points);
  expect(few.length).toBeLessThanOrEqual(602);
  expect(new Set(few.map(({ perSecond }) => perSecond))).toEqual(new Set([1, 9]));
  expect(few.map(({ atSeconds }) => atSeconds)).toEqual(
    few.map(({ atSeconds }) => atSeconds).sort((one, other) => one - other),
  );
});
