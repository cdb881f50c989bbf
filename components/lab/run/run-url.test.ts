import fc from "fast-check";
import { expect, it } from "vitest";
import { algorithms, isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import {
  type Bounds,
  isPresetName,
  type Limiter,
  limitBounds,
  periodBounds,
  phaseRateBounds,
  phaseSecondsBounds,
  presets,
  type Run,
  recounted,
  seedBounds,
  weightBounds,
} from "./run.ts";
import { presetOf, readRun, writeRun } from "./run-url.ts";

const read = (query: string) => readRun(new URLSearchParams(query));

function numberIn({ least, most, isWhole }: Bounds): fc.Arbitrary<number> {
  if (isWhole) return fc.integer({ min: least, max: most });
  return fc.integer({ min: least * 1_000, max: most * 1_000 }).map((thousandths) => thousandths / 1_000);
}

const limiter = fc.constantFrom(...algorithms).chain(
  (algorithm): fc.Arbitrary<Limiter> =>
    fc.record({
      algorithm: fc.constant(algorithm),
      limit: numberIn(limitBounds(algorithm)),
      periodSeconds: numberIn(periodBounds(algorithm)),
    }),
);

const phase = fc.record({ seconds: numberIn(phaseSecondsBounds), perSecond: numberIn(phaseRateBounds) });

const anyRun: fc.Arbitrary<Run> = fc.record({
  a: limiter,
  b: limiter,
  overageWeight: numberIn(weightBounds),
  phases: fc.array(phase, { minLength: 1, maxLength: 6 }),
  seed: fc.option(numberIn(seedBounds), { nil: undefined }),
  users: fc.constantFrom("cold", "between"),
});

it("reads every run back from its link, which stays short", () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const link = writeRun(run);
      expect(read(link)).toEqual({ run, unread: [] });
      expect(link.length).toBeLessThan(200);
      expect(new URLSearchParams(link).toString()).toBe(link.slice(1));
    }),
    { numRuns: 500 },
  );
});

it("calls a preset by its name, and nothing else", () => {
  for (const name of Object.keys(presets).filter(isPresetName)) {
    expect(writeRun(presets[name])).toBe(`?preset=${name}`);
    expect(read(`preset=${name}`)).toEqual({ run: presets[name], unread: [] });
    expect(presetOf({ ...presets[name], overageWeight: 0.5 })).toBeUndefined();
  }
  expect(read("").run).toEqual(presets.burst);
});

it("takes single parameters on top of a preset", () => {
  const { run, unread } = read("preset=s5-reform&weight=0.25&seed=9");
  expect(unread).toEqual([]);
  expect(run).toEqual({ ...presets["s5-reform"], overageWeight: 0.25, seed: 9 });
});

it("keeps the usual value where a link says what may not be, and tells which", () => {
  const bad: [query: string, name: string][] = [
    ["preset=toString", "preset"],
    ["a=fixed_0_60", "a"],
    ["a=fixed_1.5_60", "a"],
    ["a=fixed_30_60_1", "a"],
    ["a=leaky_30_60", "a"],
    ["b=earrrl_0.5_601", "b"],
    ["b=earrrl_1e1_60", "b"],
    ["b=", "b"],
    ["weight=1.1", "weight"],
    ["weight=-1", "weight"],
    ["phases=60x0.3-", "phases"],
    ["phases=60x0.3-0x1", "phases"],
    [`phases=${Array(7).fill("1x1").join("-")}`, "phases"],
    [`phases=${"1x1".padEnd(100_000, "0")}`, "phases"],
    ["phases=60xNaN", "phases"],
    ["phases=60x100.001", "phases"],
    ["seed=0", "seed"],
    ["users=all", "users"],
  ];
  for (const [query, name] of bad)
    expect([query.slice(0, 40), read(query)]).toEqual([
      query.slice(0, 40),
      { run: presets.burst, unread: [name] },
    ]);
});

it("counts in another way at about the same rate, within what that way allows", () => {
  const window = { algorithm: "fixed", limit: 30, periodSeconds: 60 } as const;
  const estimate = { algorithm: "earrrl", limit: 0.5, periodSeconds: 60 } as const;
  expect(recounted(window, "earrrl")).toEqual(estimate);
  expect(recounted(estimate, "fixed")).toEqual(window);
  expect(recounted(window, "gcra")).toEqual({ ...window, algorithm: "gcra" });
  fc.assert(
    fc.property(limiter, fc.constantFrom(...algorithms), (from, wish) => {
      const run = { ...presets.steady, a: recounted(from, wish) };
      expect(isRate(run.a.algorithm)).toBe(wish === "earrrl");
      expect(read(writeRun(run))).toEqual({ run, unread: [] });
    }),
  );
});
