import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import vectors from "../algorithms/earrrl.vectors.json" with { type: "json" };
import { createMemoryScales } from "./memory.ts";
import {
  type Algorithm,
  algorithms,
  arrivalsOf,
  convergence,
  type Estimate,
  estimates,
  simulate,
  traffics,
} from "./simulation.ts";
import { stepOf } from "./vitest.differential.ts";

const windows = algorithms.filter((algorithm) => algorithm !== "earrrl");
const fiveAMinute = (algorithm: Algorithm) => ({ algorithm, limit: 5, periodSeconds: 60 });

it("gives the reference run of EARRRL", () => {
  const limiter = {
    algorithm: "earrrl",
    limit: vectors.limitPerSecond,
    periodSeconds: vectors.halfLifeSeconds,
  } as const;
  const arrivals = vectors.hits.map(({ at }) => ({ atSeconds: at }));
  const run = simulate(limiter, arrivals);
  for (const [i, { estimateBefore, limited }] of vectors.hits.entries()) {
    expect(run.answers[i]?.used).toBeCloseTo(estimateBefore, 9);
    expect(run.answers[i]?.isOver).toBe(limited);
  }
  expect(run).toMatchObject({
    requests: 71,
    permitted: 11,
    cutOffAtSeconds: 11,
    forgivenAtSeconds: undefined,
  });

  const curve = estimates(limiter, arrivals, 80);
  expect(curve.at(2 * 70 + 1)?.perSecond).toBeCloseTo(vectors.estimateRightAfterLastHit, 9);
  expect(curve.at(-1)).toMatchObject({ atSeconds: 80 });
  expect(curve.at(-1)?.perSecond).toBeCloseTo(vectors.estimateTenSecondsAfterLastHit, 9);
});

it("decides as the scales of a process do, whatever the algorithm and the traffic", () => {
  const some = fc.record({
    algorithm: fc.constantFrom(...algorithms),
    limit: fc.constantFrom(1, 3, 5),
    periodSeconds: fc.constantFrom(1, 10, 60),
    overageWeight: fc.constantFrom(0, 0.25, 1),
    requests: fc.array(
      fc.record({
        gapMicros: fc.oneof(fc.constantFrom(0, 1, 1e6), fc.integer({ min: 0, max: 2e7 })),
        cost: fc.nat(4),
      }),
      { maxLength: 80 },
    ),
  });
  fc.assert(
    fc.property(some, ({ algorithm, requests, ...settings }) => {
      let now = 0;
      const step = stepOf(algorithm, "rule", settings);
      const scales = createMemoryScales({ clock: () => now });
      const expected = requests.map(({ gapMicros, cost }) => {
        now += gapMicros;
        const { readings } = scales.weighNow({ plan: { steps: [step] }, clients: ["a"], costs: [cost] });
        return { atSeconds: now / 1e6, cost, used: readings[0]?.used, isOver: readings[0]?.isOver };
      });
      const { answers } = simulate(step, expected);
      expect(answers.map(({ used, isOver }) => ({ used, isOver }))).toEqual(
        expected.map(({ used, isOver }) => ({ used, isOver })),
      );
    }),
    { numRuns: 1_000 },
  );
});

it("lets ten through a fixed window within two seconds around its edge, and never more than five where it rolls", () => {
  const arrivals = arrivalsOf(traffics.boundaryBurst);
  expect(arrivals.map(({ atSeconds }) => atSeconds)).toEqual([
    59, 59.2, 59.4, 59.6, 59.8, 60, 60.2, 60.4, 60.6, 60.8,
  ]);
  const through = (algorithm: Algorithm) => simulate(fiveAMinute(algorithm), arrivals).permitted;
  expect(through("fixed")).toBe(10);
  for (const algorithm of ["first-hit", "rolling-list", "rolling-set", "sliding", "gcra"] as const)
    expect([algorithm, through(algorithm)]).toEqual([algorithm, 5]);
});

it("keeps each window's promise on random traffic", () => {
  for (const algorithm of windows)
    for (let seed = 1; seed <= 20; seed++) {
      const { answers } = simulate(
        fiveAMinute(algorithm),
        arrivalsOf([{ seconds: 600, perSecond: 0.3 }], { seed }),
      );
      const passed = answers.filter(({ isOver }) => !isOver).map(({ atSeconds }) => atSeconds);
      expect(passed.length).toBeGreaterThan(20);
      expect(passed.length).toBeLessThan(answers.length);
      const most = algorithm.startsWith("rolling") ? 5 : 10;
      const within = passed.map((end) => passed.filter((at) => at > end - 60 && at <= end).length);
      expect(Math.max(...within)).toBeLessThanOrEqual(most);
    }
});

it("readmits a client 67% over the limit with each window, and by EARRRL once it has reformed", () => {
  const arrivals = arrivalsOf(traffics.reformedUser);
  const inWindows = simulate({ algorithm: "fixed", limit: 18, periodSeconds: 30 }, arrivals);
  const byEstimate = simulate({ algorithm: "earrrl", limit: 0.6, periodSeconds: 15 }, arrivals);
  const passed = ({ answers }: typeof inWindows, from: number, to: number) =>
    answers.filter(({ atSeconds, isOver }) => atSeconds >= from && atSeconds < to && !isOver).length;

  // Five windows of 18; then everything, from the first request on.
  expect([0, 30, 60, 90, 120].map((from) => passed(inWindows, from, from + 30))).toEqual([
    18, 18, 18, 18, 18,
  ]);
  expect(inWindows.forgivenAtSeconds).toBe(150);
  expect(passed(inWindows, 150, 300)).toBe(90);

  // A longer grace than in a window at first; then nothing until some time after the reform; then everything.
  const { cutOffAtSeconds = 0, forgivenAtSeconds = 0 } = byEstimate;
  expect(cutOffAtSeconds).toBeGreaterThan(inWindows.cutOffAtSeconds ?? 300);
  expect(cutOffAtSeconds).toBeLessThan(30);
  expect(passed(byEstimate, cutOffAtSeconds, forgivenAtSeconds)).toBe(0);
  expect(forgivenAtSeconds).toBeGreaterThan(180);
  expect(forgivenAtSeconds).toBeLessThan(230);
  const after = byEstimate.answers.filter(({ atSeconds }) => atSeconds >= forgivenAtSeconds);
  expect(after.every(({ isOver }) => !isOver)).toBe(true);
  expect(after.length).toBeGreaterThan(45);
});

it("lets those in sooner whose denied requests weigh less", () => {
  const arrivals = arrivalsOf(traffics.steady);
  const through = [0, 0.5, 0.9, 1].map(
    (overageWeight) =>
      simulate({ algorithm: "earrrl", limit: 0.5, periodSeconds: 60, overageWeight }, arrivals).permitted,
  );
  expect(through).toEqual([...through].sort((a, b) => b - a));
  expect(through[0]).toBeGreaterThan(2 * (through[3] ?? 0));
});

const { usersPerSecond, fromSeconds, toSeconds, untilSeconds } = convergence;

/** The estimate of a user who begins at t = 50 s and stops at t = 200 s. */
function curveOf(perSecond: number, halfLifeSeconds: number): readonly Estimate[] {
  const arrivals = arrivalsOf([
    { seconds: fromSeconds, perSecond: 0 },
    { seconds: toSeconds - fromSeconds, perSecond },
  ]);
  return estimates({ limit: 1, periodSeconds: halfLifeSeconds }, arrivals, untilSeconds);
}

/** Sums over hits that come at equal gaps, as the definition of the estimate has it. */
function expected(perSecond: number, halfLifeSeconds: number, hits: number, sinceLast: number): number {
  const lambda = Math.LN2 / halfLifeSeconds;
  let sum = 0;
  for (let i = 0; i < hits; i++) sum += Math.exp(-lambda * (sinceLast + i / perSecond));
  return lambda * sum;
}

it("converges to 10/s, 1/s and 0.1/s as the definition says, at a half-life of 10 s and of 1 s", () => {
  for (const halfLifeSeconds of [10, 1])
    for (const perSecond of usersPerSecond) {
      const curve = curveOf(perSecond, halfLifeSeconds);
      const hits = 150 * perSecond;
      expect(curve[0]).toEqual({ atSeconds: 50, perSecond: 0 });
      for (const n of [1, Math.ceil(hits / 2), hits])
        expect(curve[2 * n - 1]?.perSecond).toBeCloseTo(expected(perSecond, halfLifeSeconds, n, 0), 6);
      const sinceLast = untilSeconds - (fromSeconds + (hits - 1) / perSecond);
      expect(curve.at(-1)?.perSecond).toBeCloseTo(expected(perSecond, halfLifeSeconds, hits, sinceLast), 9);
    }
});

it("rises to half the true rate in a half-life, settles, and falls to half in another", () => {
  const curve = curveOf(10, 10);
  const at = (seconds: number) => curve.findLast(({ atSeconds }) => atSeconds <= seconds)?.perSecond ?? 0;
  expect(at(60)).toBeCloseTo(5, 0);
  expect(at(110)).toBeCloseTo(9.9, 1);
  expect(at(199.9)).toBeCloseTo(10, 1);
  expect(at(210) / at(200)).toBeCloseTo(0.5, 1);
  // The shorter the half-life, the larger the error: at 1 s, 0.1/s looks like up to 0.69/s.
  expect(Math.max(...curveOf(0.1, 1).map(({ perSecond }) => perSecond))).toBeCloseTo(0.694, 3);
});

it("is fast enough to follow a slider: an hour of one request a second within a frame", () => {
  const arrivals = arrivalsOf([{ seconds: 3_600, perSecond: 1 }]);
  const slowest = Math.max(
    ...algorithms.map((algorithm) =>
      fastestMs(() => simulate({ algorithm, limit: 30, periodSeconds: 60 }, arrivals)),
    ),
  );
  expect(slowest).toBeLessThan(16);
});

function fastestMs(work: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

it("reaches nothing of Node and no package, so that it runs in a browser", () => {
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, from = ""] of readFileSync(path, "utf8").matchAll(
      /^(?:import|export|\}) .*?from "(.+?)";$/gm,
    )) {
      expect([path, from]).toEqual([path, expect.stringMatching(/^\.\.?\//)]);
      expect(from).not.toContain("/redis/");
      visit(fileURLToPath(new URL(from, `file://${path}`)));
    }
  };
  visit(fileURLToPath(new URL("./simulation.ts", import.meta.url)));
  const names = [...seen].map((path) => basename(path));
  expect(names).toEqual(expect.arrayContaining(["algorithms.ts", "earrrl.ts", "windows.ts", "traffic.ts"]));
});
