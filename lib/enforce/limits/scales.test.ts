import { expect, it, vi } from "vitest";
import { type Algorithm, algorithms, windowAlgorithms } from "../algorithms/algorithms.ts";
import type { CountedRequest, Plan } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { one, second, startMicros, stepOf, verdicts, weighAll, weighed } from "./vitest.differential.ts";

const counters = testCounters();
/** These tests are about what is counted, not how fast. */
const withinMs = 10_000;
/** One moment, so that no window ends during a test. */
const clock = () => startMicros;
const exact = windowAlgorithms.filter((algorithm) => algorithm !== "sliding");

/** Everything that is held, to compare. */
async function held(): Promise<Record<string, string>> {
  const names = (await counters.client.keys("*")).sort();
  const dumps = await Promise.all(
    names.map(async (name) => (await counters.client.dumpBuffer(name)).toString("hex")),
  );
  return Object.fromEntries(names.map((name, i) => [name, dumps[i] ?? ""]));
}

const usedOf = async (plan: Plan, client: string) => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const { readings } = weighed(
    await scales.read({ plan, clients: plan.steps.map(() => client), costs: plan.steps.map(() => 1) }),
  );
  return readings.map(({ used }) => used);
};

it.each(algorithms)("%s: a rule that denies spends no other rule's quota", async (algorithm) => {
  if (algorithm === "earrrl") return;
  const scales = createScales(counters.redis, { clock, withinMs });
  const plan = {
    steps: [stepOf(algorithm, "wide", { limit: 100 }), stepOf("fixed", "narrow", { limit: 2 })],
  };
  const found = await verdicts(scales, plan, ["a", "a", "a", "a", "a"]);
  expect(found).toEqual([-1, -1, 1, 1, 1]);
  const [wide] = await usedOf(plan, "a");
  expect(wide).toBeCloseTo(2, 9);
});

it("charges a denied request to EARRRL alone", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const steps = [
    stepOf("earrrl", "rate", { limit: 1_000 }),
    ...exact.map((algorithm) => stepOf(algorithm, "all", { limit: 1 })),
  ];
  await verdicts(scales, { steps }, ["a"]);
  const before = await held();
  expect(await verdicts(scales, { steps }, ["a", "a", "a"])).toEqual([1, 1, 1]);
  const after = await held();
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(changed).toEqual([expect.stringContaining("earrrl")]);
  const rate = weighed(
    await scales.read({ plan: { steps }, clients: steps.map(() => "a"), costs: steps.map(() => 1) }),
  );
  expect(rate.readings[0]?.used).toBeCloseTo((4 * Math.LN2) / 60, 12);
});

it("does not charge a shadowed rule that would deny, and denies no request by it", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  for (const algorithm of exact) {
    const plan = {
      steps: [
        stepOf(algorithm, "shadow", { limit: 2, isShadowed: true }),
        stepOf("fixed", algorithm, { limit: 4 }),
      ],
    };
    expect(await verdicts(scales, plan, ["a", "a", "a", "a", "a"])).toEqual([-1, -1, -1, -1, 1]);
    const [shadowed, inForce] = await usedOf(plan, "a");
    expect(shadowed).toBeCloseTo(2, 9);
    expect(inForce).toBe(4);
  }
});

/** Keys that other people left where ours belong. */
const foreign: Record<string, (key: string) => Promise<unknown>> = {
  hash: (key) => counters.client.hset(key, "field", "value"),
  list: (key) => counters.client.lpush(key, "value"),
  "sorted set": (key) => counters.client.zadd(key, 1, "value"),
  word: (key) => counters.client.set(key, "not a number"),
  "word of sixteen": (key) => counters.client.set(key, "1234567890123456x".slice(1)),
  "number of sixteen": (key) => counters.client.set(key, "1234.67890123456"),
};

it.each(algorithms)(
  "%s: a key that is not ours spoils its own step alone, and is left as it is",
  async (algorithm) => {
    for (const [kind, put] of Object.entries(foreign)) {
      await counters.client.flushall();
      const scales = createScales(counters.redis, { clock, withinMs });
      const steps = [
        stepOf("fixed", "first", { limit: 3 }),
        stepOf(algorithm, "spoiled"),
        stepOf("gcra", "last"),
      ];
      await verdicts(scales, { steps }, ["a"]);
      const key = (await counters.client.keys("*:spoiled:a")).at(0) ?? "";
      await counters.client.del(key);
      await put(key);
      const before = (await held())[key];
      const answers = await weighAll(scales, { steps }, ["b", "a", "c", "a", "a"].map(one));
      expect([kind, answers.map(({ deniedBy }) => deniedBy)]).toEqual([kind, [-1, -1, -1, -1, 0]]);
      // Who is denied anyway charges nothing, and need not notice.
      const spoiled = answers.slice(0, 4).map(({ trouble }) => trouble.join());
      expect([kind, spoiled]).toEqual([kind, ["", "1", "", "1"]]);
      expect((await held())[key]).toBe(before);
    }
  },
);

it("lets loads of one batch see what the others left, also where they share one client of several", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  for (const algorithm of exact) {
    const plan = {
      steps: [stepOf(algorithm, "own", { limit: 3 }), stepOf(algorithm, "shared", { limit: 5 })],
    };
    const load = (client: string): CountedRequest => ({
      plan,
      clients: [client, "everybody"],
      costs: [1, 1],
    });
    const clients = ["a", "a", "a", "a", "b", "b", "b", "c"];
    const answers = await Promise.all(clients.map((client) => scales.weigh(load(client))));
    expect(answers.map((answer) => weighed(answer).deniedBy)).toEqual([-1, -1, -1, 0, -1, -1, 1, 1]);
  }
});

it("gives every key an expiry", async () => {
  const scales = createScales(counters.redis, { withinMs });
  const plan = {
    steps: algorithms.map((algorithm) => stepOf(algorithm, "any", { limit: 10, periodSeconds: 30 })),
  };
  for (let batch = 0; batch < 30; batch++) {
    await weighAll(
      scales,
      plan,
      Array.from({ length: 40 }, (_, i) => ({ client: `client-${(i * batch) % 17}`, cost: i % 4 })),
    );
  }
  const names = await counters.client.keys("*");
  expect(names.length).toBeGreaterThan(17 * 6);
  for (const name of names) expect([name, (await counters.client.ttl(name)) > 0]).toEqual([name, true]);
});

it.each(exact)("%s: two thousand dollars a day, to the cent", async (algorithm) => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const plan = { steps: [stepOf(algorithm, "transfer", { limit: 200_000, periodSeconds: 86_400 })] };
  const transfers = [150_000, 49_999, 2, 1, 1].map((cost) => ({ client: "a", cost }));
  expect((await weighAll(scales, plan, transfers)).map(({ deniedBy }) => deniedBy)).toEqual([
    -1, -1, 0, -1, 0,
  ]);
  const [after] = await weighAll(scales, plan, [one("a")]);
  expect(after?.readings[0]?.used).toBe(200_000);
});

it("tells everything without a side effect", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const steps = algorithms.map((algorithm) => stepOf(algorithm, "any", { limit: 3 }));
  await verdicts(scales, { steps }, ["a", "a"]);
  const before = await held();
  const load: CountedRequest = { plan: { steps }, clients: steps.map(() => "a"), costs: steps.map(() => 2) };
  const read = weighed(await scales.read(load));
  weighed(await scales.read({ ...load, clients: steps.map(() => "nobody") }));
  expect(await held()).toEqual(before);
  expect(read.deniedBy).toBe(0);
  expect(read.readings[0]).toMatchObject({ used: 2, isOver: true });
});

it("learns the right window from Redis if its own clock is far off, and counts nothing in a wrong one", async () => {
  const real = Date.now();
  const wrong = vi.spyOn(Date, "now").mockReturnValue(real - 3_600_000 * 5);
  const scales = createScales(counters.redis, { withinMs });
  wrong.mockRestore();
  const plan = { steps: [stepOf("fixed", "req/ip", { limit: 2 }), stepOf("sliding", "req/ip")] };
  expect(await verdicts(scales, plan, ["a", "a", "a"])).toEqual([-1, -1, 0]);
  const windows = (await counters.client.keys("*")).map((name) => Number(/\d{6,}/.exec(name)?.[0]));
  const now = Number((await counters.client.time())[0]);
  expect(windows).toHaveLength(2);
  // The minute may have ended since.
  for (const window of windows) expect(Math.abs(window - now / 60)).toBeLessThanOrEqual(2);
});

it("follows a clock over the edge of a window", async () => {
  let now = Math.ceil(startMicros / (60 * second)) * 60 * second - 1;
  const scales = createScales(counters.redis, { clock: () => now, withinMs });
  const plan = { steps: [stepOf("fixed", "req/ip", { limit: 1 })] };
  expect(await verdicts(scales, plan, ["a", "a"])).toEqual([-1, 0]);
  now += 1;
  expect(await verdicts(scales, plan, ["a", "a"])).toEqual([-1, 0]);
});

it("heals a server that has lost its scripts, and counts each hit once", async () => {
  const scales = createScales(counters.redis, { clock, withinMs, mostRequests: 10 });
  const plan = { steps: [stepOf("fixed", "req/ip", { limit: 1_000, periodSeconds: 86_400 })] };
  await verdicts(scales, plan, ["a"]);
  for (let round = 0; round < 5; round++) {
    await counters.client.script("FLUSH");
    await verdicts(
      scales,
      plan,
      Array.from({ length: 50 }, () => "a"),
    );
  }
  expect(await usedOf(plan, "a")).toEqual([251]);
});

it("takes a cost that is no whole number for one, so that no caller spoils a batch", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const plan = { steps: [stepOf("fixed", "ip", { limit: 100 }), stepOf("gcra", "ip", { limit: 100 })] };
  const odd = [Number.NaN, -5, 0.5, Number.POSITIVE_INFINITY].map((cost) => ({ client: "a", cost }));
  expect((await weighAll(scales, plan, odd)).map(({ deniedBy }) => deniedBy)).toEqual([-1, -1, -1, -1]);
  expect((await usedOf(plan, "a"))[0]).toBe(4);
});

it("refuses plans that would count wrongly", async () => {
  const scales = createScales(counters.redis, { clock, withinMs });
  const weighWith = (limit: number, ...algorithm: Algorithm[]) => {
    const steps = algorithm.map((some) => stepOf(some, "twice", { limit }));
    return scales.weigh({ plan: { steps }, clients: ["a", "a"], costs: [1, 1] });
  };
  await expect(weighWith(0, "fixed", "fixed")).rejects.toThrow("Two levels of one rule count the same");
  await expect(weighWith(-1, "gcra")).rejects.toThrow("must be 0 or more");
  expect(await weighWith(0)).toMatchObject({ deniedBy: -1, readings: [] });
});
