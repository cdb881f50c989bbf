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
