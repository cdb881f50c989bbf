import { Cluster } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connectCounters } from "../../redis/connect.ts";
import { eventually } from "../../redis/testing.ts";
import { startCluster } from "../../redis/testing-topologies.ts";
import { algorithms, windowAlgorithms } from "../algorithms/algorithms.ts";
import { createMemoryScales } from "./memory.ts";
import type { CountedRequest, Plan } from "./plan.ts";
import { createScales, type RedisScales } from "./scales.ts";
import { second, startMicros, stepOf, weighed } from "./vitest.differential.ts";
import { laneOf, slotOf } from "./wire-plan.ts";

let servers: Awaited<ReturnType<typeof startCluster>>;
let redis: Cluster;
let now = startMicros;
let scales: RedisScales;

beforeAll(async () => {
  servers = await startCluster();
  const connection = connectCounters(servers.url, "patiently");
  if (!(connection instanceof Cluster)) throw new Error("a comma list is a cluster");
  redis = connection;
  scales = createScales(redis, { clock: () => now, withinMs: 10_000 });
  await eventually(async () => weighed(await scales.weigh(loadOf({ steps: [stepOf("fixed", "up")] }, "a"))));
}, 60_000);
beforeEach(async () => {
  now = startMicros;
  await Promise.all(redis.nodes("master").map((node) => node.flushall()));
});
afterAll(async () => {
  redis.disconnect();
  await servers.stop();
});

const loadOf = (plan: Plan, ...clients: string[]): CountedRequest => {
  return {
    plan,
    clients: plan.steps.map((_, i) => clients[i % clients.length] ?? ""),
    costs: plan.steps.map(() => 1),
  };
};

it("knows a client's slot as the cluster does, whatever the client is called", async () => {
  for (const tag of ["a", "10.0.0.1", "2001:db8::/64", "café", "x".repeat(300)]) {
    expect(slotOf(tag)).toBe(await redis.cluster("KEYSLOT", `anything{${tag}}`));
  }
  const plan = { steps: algorithms.map((algorithm) => stepOf(algorithm, "odd{rule}")) };
  for (const client of ["{", "}", "{}", "}{", "a}b{c", "%7b", ""]) {
    expect(weighed(await scales.weigh(loadOf(plan, client))).trouble).toEqual([]);
    const names = (await Promise.all(redis.nodes("master").map((node) => node.keys("*")))).flat();
    const slots = await Promise.all(names.map((name) => redis.cluster("KEYSLOT", name)));
    expect(new Set(slots)).toEqual(new Set([laneOf(client)]));
    await Promise.all(redis.nodes("master").map((node) => node.flushall()));
  }
});

it("gives the same verdicts as one server", async () => {
  const plan = { steps: algorithms.map((algorithm) => stepOf(algorithm, "same", { limit: 3 })) };
  const inMemory = createMemoryScales({ clock: () => now });
  for (let moment = 0; moment < 20; moment++, now += 9 * second) {
    const loads = Array.from({ length: 12 }, (_, i) => loadOf(plan, `client-${(i * moment) % 5}`));
    const expected = loads.map((load) => inMemory.weighNow(load));
    const actual = (await Promise.all(loads.map((load) => scales.weigh(load)))).map(weighed);
    expect(actual.map(({ deniedBy }) => deniedBy)).toEqual(expected.map(({ deniedBy }) => deniedBy));
  }
});

it.each(windowAlgorithms)(
  "%s: what is charged in one slot is given back if a step in another slot denies",
  async (algorithm) => {
    const plan = {
      steps: [stepOf(algorithm, "own", { limit: 100 }), stepOf("fixed", "shared", { limit: 2 })],
    };
    expect(laneOf("a")).not.toBe(laneOf("everybody"));
    for (const expected of [-1, -1, 1, 1]) {
      now += 1_000;
      expect(weighed(await scales.weigh(loadOf(plan, "a", "everybody"))).deniedBy).toBe(expected);
    }
    const { readings } = weighed(await scales.read(loadOf(plan, "a", "everybody")));
    expect(readings[0]?.used).toBeCloseTo(2, 1);
    expect(readings[1]?.used).toBe(2);
  },
);

it("ends a hold in one slot if a step in another slot denies, and settles in all slots", async () => {
  const plan = {
    steps: [
      stepOf("concurrent", "at-once", { limit: 5 }),
      stepOf("fixed", "login", { limit: 5, countWhen: "failed" }),
      stepOf("fixed", "shared", { limit: 2 }),
      stepOf("rolling-list", "shared-login", { limit: 5, countWhen: "failed" }),
    ],
  };
  const load = { ...loadOf(plan), clients: ["a", "a", "everybody", "everybody"] };
  const held = async () => {
    const { readings } = weighed(await scales.read(load));
    return readings.map(({ used, held }) => [used, held]);
  };
  const holds = ["one", "two", "three"].map((hold) => ({ ...load, hold }));
  for (const [i, request] of holds.entries())
    expect(weighed(await scales.weigh(request)).deniedBy).toBe(i < 2 ? -1 : 2);
  await eventually(async () =>
    expect(await held()).toEqual([
      [2, 2],
      [2, 2],
      [2, undefined],
      [2, 2],
    ]),
  );
  const [one, two] = holds;
  if (!one || !two) throw new Error("two requests are held");
  await scales.settle({ ...one, charged: [0, 1, 0, 1] }, now);
  await scales.settle({ ...two, charged: [0, 0, 0, 0] }, now);
  expect(await held()).toEqual([
    [0, 0],
    [1, 0],
    [2, undefined],
    [1, 0],
  ]);
  await scales.correct(load, [0, 0, -1, 0], now);
  expect((await held())[2]).toEqual([1, undefined]);
});

it.each(windowAlgorithms)("%s: in several slots, too, no client passes beyond a limit", async (algorithm) => {
  const plan = {
    steps: [stepOf(algorithm, "own", { limit: 20 }), stepOf(algorithm, "shared", { limit: 50 })],
  };
  const loads = Array.from({ length: 300 }, (_, i) => loadOf(plan, `client-${i % 4}`, "everybody"));
  const answers = (await Promise.all(loads.map((load) => scales.weigh(load)))).map(weighed);
  const passed = answers.filter(({ deniedBy }) => deniedBy === -1).length;
  expect(passed).toBeLessThanOrEqual(50);
  expect(passed).toBeGreaterThan(0);
  const { readings } = weighed(await scales.read(loadOf(plan, "nobody", "everybody")));
  expect(readings[1]?.used).toBeGreaterThanOrEqual(passed);
});

it("takes back the hit itself where others came after it, and leaves theirs", async () => {
  for (const algorithm of ["rolling-list", "rolling-set"] as const) {
    const own = { steps: [stepOf(algorithm, "own", { limit: 10 })] };
    const both = { steps: [...own.steps, stepOf("fixed", algorithm, { limit: 0 })] };
    const denied = scales.weigh(loadOf(both, "a", "everybody"));
    const others = await Promise.all(Array.from({ length: 4 }, () => scales.weigh(loadOf(own, "a"))));
    expect(others.map((answer) => weighed(answer).deniedBy)).toEqual([-1, -1, -1, -1]);
    expect(weighed(await denied).deniedBy).toBe(1);
    expect(weighed(await scales.read(loadOf(own, "a"))).readings[0]?.used).toBe(4);
    now += second;
    const answers = await Promise.all(Array.from({ length: 8 }, () => scales.weigh(loadOf(own, "a"))));
    expect(answers.filter((answer) => weighed(answer).deniedBy === -1)).toHaveLength(6);
    now += 60 * second;
  }
});

it.each(windowAlgorithms.filter((name) => name !== "concurrent"))(
  "%s: gives costs back in every slot, and forgets clients in all of them",
  async (algorithm) => {
    const plan = { steps: [stepOf(algorithm, "one", { limit: 9 }), stepOf(algorithm, "two", { limit: 9 })] };
    const load = loadOf(plan, "a", "b");
    expect(laneOf("a")).not.toBe(laneOf("b"));
    const used = async () => weighed(await scales.read(load)).readings.map((reading) => reading.used);
    for (const _ of [1, 2, 3]) await scales.weigh(load);
    expect(await used()).toEqual([3, 3]);
    expect(await scales.refund(load)).toBe(true);
    expect(await used()).toEqual([2, 2]);
    expect(await scales.refund({ ...load, costs: [3, 3] })).toBe(false);
    expect(await used()).toEqual([2, 2]);
    expect(await scales.forget(load)).toBe(true);
    expect(await used()).toEqual([0, 0]);
    expect(await scales.refund(load)).toBe(false);
  },
);
