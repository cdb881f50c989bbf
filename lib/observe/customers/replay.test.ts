import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { models } from "../../enforce/algorithms/algorithms.ts";
import type { Model } from "../../enforce/algorithms/model.ts";
import { type CostedStep, type MinuteCount, replay } from "./replay.ts";

const midnight = 1_700_006_400 / 60;

function step(limit: number, periodSeconds: number, more: Partial<CostedStep> = {}): CostedStep {
  const usual = {
    rule: "req/customer",
    algorithm: "fixed",
    overageWeight: 1,
    isShadowed: false,
    cost: 1,
  } as const;
  return { ...usual, limit, periodSeconds, ...more };
}

/** So many in each minute from midnight on. */
const from = (counts: readonly number[]): MinuteCount[] =>
  counts.map((requests, i) => ({ minute: midnight + i, requests }));
const evenly = (minutes: number, requests: number) => from(new Array<number>(minutes).fill(requests));

describe("a day of ten requests a minute", () => {
  const day = evenly(1_440, 10);

  it("passes a hundred of each hour of Free, and not one more", () => {
    const { requests, denied, windows, deniedOf, levels } = replay(day, [step(100, 3_600)]);
    expect([requests, denied, windows]).toEqual([14_400, 14_400 - 24 * 100, 24]);
    expect(deniedOf.slice(0, 12)).toEqual([...new Array(10).fill(0), 10, 10]);
    expect(levels).toMatchObject([{ peak: 600, denied: 12_000, windows: 24 }]);
  });

  it("passes whole under Pro", () => {
    const { denied, windows, levels } = replay(day, [step(100, 60), step(5_000, 3_600)]);
    expect([denied, windows]).toEqual([0, 0]);
    expect(levels.map(({ peak }) => peak)).toEqual([10, 600]);
  });

  it("costs what the rule says", () => {
    expect(replay(day, [step(100, 3_600, { cost: 5 })])).toMatchObject({ denied: 14_400 - 24 * 20 });
    expect(replay(day, [step(4, 3_600, { cost: 5 })]).denied).toBe(14_400);
  });

  it("is denied nothing by a level in shadow, which says what it would have done", () => {
    const shadow = step(100, 3_600, { rule: "tighter", isShadowed: true });
    const { denied, shadowed, levels } = replay(day, [step(300, 3_600), shadow]);
    expect([denied, shadowed]).toEqual([24 * 300, 24 * 200]);
    expect(levels.map((level) => level.denied)).toEqual([24 * 300, 24 * 200]);
  });
});

it("says which level denied: one that still had room did not", () => {
  const { denied, windows, levels } = replay(from([70, 0, 30]), [step(50, 60), step(90, 3_600)]);
  expect([denied, windows]).toEqual([20, 1]);
  expect(levels.map((level) => [level.denied, level.windows])).toEqual([
    [20, 1],
    [0, 0],
  ]);
});

it("spreads a minute where windows are shorter than it", () => {
  expect(replay(from([120]), [step(2, 1)]).denied).toBe(0);
  expect(replay(from([180]), [step(2, 1)])).toMatchObject({ denied: 60, windows: 60 });
  expect(replay(from([0, 60]), [step(30, 60, { algorithm: "gcra" })]).denied).toBeLessThan(30);
});

it("counts nothing without levels, and no request without requests", () => {
  expect(replay(evenly(3, 5), [])).toMatchObject({ requests: 15, denied: 0, levels: [] });
  expect(replay([], [step(1, 60)])).toMatchObject({ requests: 0, denied: 0, windows: 0 });
});

/** Request by request, as a model is called for a request. */
function oneByOne(minutes: readonly MinuteCount[], steps: readonly CostedStep[]) {
  const states = steps.map((): unknown => undefined);
  const modelOf = (one: CostedStep): Model<unknown> => models[one.algorithm];
  let [denied, shadowed] = [0, 0];
  for (const { minute, requests } of minutes)
    for (let i = 0; i < requests; i++) {
      const now = minute * 60_000_000;
      const isOver = steps.map(
        (one, s) =>
          modelOf(one).read(modelOf(one).peek(states[s], one, one.cost, now), one, one.cost, now).isOver,
      );
      if (steps.some(({ isShadowed }, s) => !isShadowed && isOver[s])) denied++;
      else {
        if (isOver.some(Boolean)) shadowed++;
        steps.forEach((one, s) => {
          if (!isOver[s]) states[s] = modelOf(one).charge(states[s], one, one.cost, now);
        });
      }
    }
  return { denied, shadowed };
}

it("says of any traffic what the model says of its requests one by one", () => {
  const anyStep = fc
    .record({
      limit: fc.integer({ min: 1, max: 60 }),
      periodSeconds: fc.constantFrom(60, 120, 300, 3_600),
      isShadowed: fc.boolean(),
      cost: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ limit, periodSeconds, ...more }) => step(limit, periodSeconds, more));
  const traffic = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(traffic, fc.array(anyStep, { maxLength: 4 }), (counts, steps) => {
      const { denied, shadowed } = replay(from(counts), steps);
      expect({ denied, shadowed }).toEqual(oneByOne(from(counts), steps));
    }),
    { numRuns: 300 },
  );
});
