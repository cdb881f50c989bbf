import fc from "fast-check";
import { expect, it } from "vitest";
import { eventually } from "../../redis/testing.ts";
import { type Algorithm, algorithms, models, windowAlgorithms } from "../algorithms/algorithms.ts";
import { createMemoryScales } from "./memory.ts";
import type { CountedRequest, Plan, Step } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { type Moment, second, startMicros, stepOf, traffic, weighed } from "./vitest.differential.ts";

const counters = testCounters();

const failed = (algorithm: Algorithm, rule: string, some: Partial<Step> = {}) =>
  stepOf(algorithm, rule, { countWhen: "failed", ...some });

/** Requests, and which of those under way are settled after them, with what is charged. */
interface SettledMoment extends Moment {
  readonly settled: readonly { readonly place: number; readonly charged: number }[];
}

const settledTraffic = (periodSeconds: number): fc.Arbitrary<SettledMoment[]> => {
  const settlement = fc.record({ place: fc.nat(20), charged: fc.integer({ min: 0, max: 4 }) });
  return traffic(periodSeconds).chain((moments) =>
    fc
      .array(fc.array(settlement, { maxLength: 6 }), { minLength: moments.length, maxLength: moments.length })
      .map((all) => moments.map((moment, i) => ({ ...moment, settled: all[i] ?? [] }))),
  );
};

/** The same requests and settlements by Redis and by the models of this process. */
async function expectSame(plan: Plan, moments: readonly SettledMoment[]): Promise<void> {
  let now = startMicros;
  let hold = 0;
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  const modelled = createMemoryScales({ clock: () => now });
  const open: { readonly request: CountedRequest & { hold: string }; readonly atMicros: number }[] = [];
  for (const { advanceMicros, hits, settled } of moments) {
    now += advanceMicros;
    const requests = hits.map(({ client, cost }) => ({
      plan,
      clients: plan.steps.map(() => client),
      costs: plan.steps.map(() => cost),
      hold: `hold-${hold++}`,
    }));
    const expected = requests.map((request) => modelled.weighNow(request));
    const actual = await Promise.all(requests.map(async (request) => weighed(await scales.weigh(request))));
    expect(actual.map(({ readings }) => readings)).toEqual(expected.map(({ readings }) => readings));
    requests.forEach((request, i) => {
      if (expected[i]?.deniedBy === -1) open.push({ request, atMicros: now });
    });
    const ended = settled.flatMap(({ place, charged }) =>
      open.splice(place, 1).map(({ request, atMicros }) => ({
        settlement: { ...request, charged: plan.steps.map(() => charged) },
        atMicros,
      })),
    );
    // Apart, as a call has the moment of its last request, and a window of the first hit begins with that.
    for (const { settlement, atMicros } of ended) {
      modelled.settleNow(settlement, atMicros);
      await scales.settle(settlement, atMicros);
    }
  }
}

const kinds: readonly [string, (rule: string, limit: number) => Step[]][] = [
  ["requests at once", (rule, limit) => [stepOf("concurrent", rule, { limit })]],
  ...algorithms
    .filter((algorithm) => models[algorithm].findsUsed)
    .map((algorithm): [string, (rule: string, limit: number) => Step[]] => [
      `${algorithm} with holds`,
      (rule, limit) => [failed(algorithm, rule, { limit })],
    ]),
  [
    "several levels and rules",
    (rule, limit) => [
      stepOf("fixed", `${rule}-all`, { limit: 20 }),
      failed("fixed", rule, { limit }),
      failed("fixed", rule, { limit: limit + 3, periodSeconds: 600 }),
      stepOf("concurrent", `${rule}-at-once`, { limit: 6, isShadowed: true }),
      stepOf("concurrent", `${rule}-few`, { limit: 4 }),
    ],
  ],
];

it.each(kinds)(
  "%s: Redis decides what the model decides, on any traffic",
  async (_, stepsOf) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(settledTraffic(60), fc.integer({ min: 0, max: 12 }), async (moments, limit) => {
        await expectSame({ steps: stepsOf(`rule-${run++}`, limit) }, moments);
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);

const requestOf = (plan: Plan, hold: string, cost = 1): CountedRequest & { hold: string } => ({
  plan,
  clients: plan.steps.map(() => "a"),
  costs: plan.steps.map(() => cost),
  hold,
});

it("holds nothing where a step in force denies, and keeps holds apart by their names", async () => {
  const plan = {
    steps: [
      stepOf("concurrent", "few", { limit: 2 }),
      failed("fixed", "login", { limit: 5 }),
      stepOf("fixed", "all", { limit: 1 }),
    ],
  };
  const scales = createScales(counters.redis, { clock: () => startMicros, withinMs: 10_000 });
  expect(weighed(await scales.weigh(requestOf(plan, "one"))).deniedBy).toBe(-1);
  expect(weighed(await scales.weigh(requestOf(plan, "two"))).deniedBy).toBe(2);
  const { readings } = weighed(await scales.read(requestOf(plan, "")));
  expect(readings.map(({ used, held }) => [used, held])).toEqual([
    [1, 1],
    [1, 1],
    [1, undefined],
  ]);
  const unknown = { ...requestOf({ steps: plan.steps.slice(0, 2) }, "two"), charged: [0, 0] };
  await scales.settle(unknown, startMicros);
  expect(weighed(await scales.read(requestOf(plan, ""))).readings.map(({ held }) => held)).toEqual([
    1,
    1,
    undefined,
  ]);
});

it("forgets holds that expired, and leaves no key", async () => {
  let now = startMicros;
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  const plan = { steps: [stepOf("concurrent", "few", { limit: 3, periodSeconds: 10 })] };
  const weigh = async (hold: string, cost = 1) =>
    weighed(await scales.weigh(requestOf(plan, hold, cost))).readings[0];
  expect(await weigh("one")).toEqual({ used: 0, held: 0, resetMs: 10_000, isOver: false });
  now += 4 * second;
  expect(await weigh("two", 2)).toMatchObject({ used: 1, isOver: false, resetMs: 6_000 });
  expect(await weigh("three")).toMatchObject({ used: 3, isOver: true, resetMs: 6_000 });
  now += 6 * second;
  expect(await weigh("four")).toMatchObject({ used: 2, isOver: false, resetMs: 4_000 });
  now += 4 * second;
  expect(await weigh("five")).toMatchObject({ used: 1, isOver: false, resetMs: 6_000 });
  for (const hold of ["four", "five"])
    await scales.settle({ ...requestOf(plan, hold), charged: [0] }, startMicros);
  expect(await counters.client.keys("*")).toEqual([]);
});

it("charges the window of the request, whenever it is settled", async () => {
  let now = startMicros;
  const scales = createScales(counters.redis, { clock: () => now, withinMs: 10_000 });
  const plan = { steps: [failed("fixed", "login")] };
  const answer = weighed(await scales.weigh(requestOf(plan, "one")));
  now += 60 * second;
  await scales.settle({ ...requestOf(plan, "one"), charged: [1] }, answer.at?.redisMicros ?? 0);
  expect(weighed(await scales.read(requestOf(plan, ""))).readings[0]?.used).toBe(0);
  now -= 60 * second;
  expect(weighed(await scales.read(requestOf(plan, ""))).readings[0]?.used).toBe(1);
});

const correctable = windowAlgorithms.filter((algorithm) => models[algorithm].refund);

/** Spends, corrects and reads in Redis and by the models of this process, which must agree. The first request costs 1,000. */
function tokensOf(algorithm: Algorithm, clock: () => number) {
  const plan = { steps: [stepOf(algorithm, "tokens", { limit: 10_000 })] };
  const both = [createScales(counters.redis, { clock, withinMs: 10_000 }), createMemoryScales({ clock })];
  const request = (cost: number) => requestOf(plan, "", cost);
  return {
    spend: (cost: number) => Promise.all(both.map((scales) => scales.weigh(request(cost)))),
    correctFirst: (to: number) =>
      Promise.all(both.map((scales) => scales.correct(request(1_000), [to - 1_000], startMicros))),
    async used() {
      const answers = await Promise.all(both.map((scales) => scales.read(request(1))));
      const [inRedis = Number.NaN, inMemory] = answers.map((answer) => weighed(answer).readings[0]?.used);
      expect(inMemory).toBe(inRedis);
      return inRedis;
    },
  };
}

it.each(correctable)("%s: a late correction gives back nothing of later requests", async (algorithm) => {
  let now = startMicros;
  const tokens = tokensOf(algorithm, () => now);
  await tokens.spend(1_000);
  now += 90 * second;
  await tokens.spend(995);
  await tokens.correctFirst(10);
  expect(await tokens.used()).toBeGreaterThanOrEqual(995);
});

it.each(correctable)("%s: a correction ends with its charge", async (algorithm) => {
  let now = startMicros;
  const tokens = tokensOf(algorithm, () => now);
  await tokens.spend(1_000);
  now += 5 * second;
  await tokens.spend(995);
  await tokens.correctFirst(10);
  expect(await tokens.used()).toBeGreaterThanOrEqual(995);
  for (const after of [54, 1, 4, 1, 60]) {
    now += after * second;
    expect(await tokens.used()).toBeGreaterThanOrEqual(0);
  }
});

it("ends the holds of requests whose answer came too late", async () => {
  const clock = () => startMicros;
  const patient = createScales(counters.redis, { clock, withinMs: 10_000 });
  const scales = createScales(counters.redis, { clock });
  const plan = { steps: [stepOf("concurrent", "few"), failed("fixed", "login")] };
  await patient.prepare();
  counters.server.freeze();
  const late = await Promise.all(["one", "two"].map((hold) => scales.weigh(requestOf(plan, hold))));
  expect(late).toEqual(late.map(() => expect.objectContaining({ reason: "late" })));
  counters.server.thaw();
  await eventually(async () => {
    const { readings } = weighed(await patient.read(requestOf(plan, "")));
    expect(readings.map(({ used, held }) => [used, held])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

it("sends settlements once Redis answers that it could not send while Redis was silent", async () => {
  const clock = () => startMicros;
  const patient = createScales(counters.redis, { clock, withinMs: 10_000 });
  const scales = createScales(counters.redis, { clock });
  // Of two plans, so that two calls are due: a silent server gets one at most.
  const plans = ["few", "others"].map((rule) => ({ steps: [stepOf("concurrent", rule)] }));
  const requests = plans.map((plan) => requestOf(plan, "one"));
  for (const request of requests) await patient.weigh(request);
  counters.server.freeze();
  await scales.weigh(requestOf({ steps: [stepOf("fixed", "all")] }, ""));
  await Promise.all(requests.map((request) => scales.settle({ ...request, charged: [0] }, startMicros)));
  counters.server.thaw();
  await eventually(async () => {
    const found = await Promise.all(requests.map(async (request) => weighed(await patient.read(request))));
    expect(found.map(({ readings }) => readings[0]?.held)).toEqual([0, 0]);
  });
});

it("overwrites no key of another program", async () => {
  const plan = { steps: [stepOf("concurrent", "few"), failed("fixed", "login")] };
  const scales = createScales(counters.redis, { withinMs: 10_000 });
  await counters.client.set("sluice:concurrent:60:few:a", "text");
  await counters.client.zadd("sluice:held:login:a", 1, "other");
  const { deniedBy, trouble } = weighed(await scales.weigh(requestOf(plan, "one")));
  expect({ deniedBy, trouble }).toEqual({ deniedBy: -1, trouble: [0, 1] });
  await scales.settle({ ...requestOf(plan, "one"), charged: [0, 1] }, startMicros);
  expect(await counters.client.get("sluice:concurrent:60:few:a")).toBe("text");
  expect(await counters.client.zrange("sluice:held:login:a", 0, "-1")).toEqual(["other"]);
});
