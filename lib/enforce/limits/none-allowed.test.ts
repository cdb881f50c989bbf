import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { algorithms, isRate } from "../algorithms/algorithms.ts";
import { createGuard } from "../guard/guard.ts";
import { createTestGuard } from "../guard/test-guard.ts";
import { definePolicy, type PolicyInput } from "../policy/define.ts";
import { formatOf } from "../policy/versions.ts";
import { createScales } from "./scales.ts";
import { expectSame, one, startMicros, stepOf, traffic, weighAll } from "./vitest.differential.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(() => server.client.flushall());
afterAll(() => server.stop());

/** Requests at once have names, which the traffic of these tests lacks. */
const compared = algorithms.filter((name) => name !== "concurrent");

describe.each(compared)("%s with a limit of 0", (algorithm) => {
  for (const isShadowed of [false, true]) {
    it(`denies the same in Redis and in the model, and leaves no key${isShadowed ? ", in shadow" : ""}`, async () => {
      const step = stepOf(algorithm, "none", { limit: 0, isShadowed });
      await fc.assert(
        fc.asyncProperty(traffic(step.periodSeconds), async (moments) => {
          await expectSame(server.client, step, moments);
          expect(await server.client.dbsize()).toBe(0);
        }),
        { numRuns: 15 },
      );
    });
  }
});

describe.each(algorithms)("%s with a limit of 0", (algorithm) => {
  it("denies beside other steps, which are charged nothing but rates", async () => {
    const clock = () => startMicros;
    const scales = createScales(server.client, { clock, withinMs: 10_000 });
    const plan = { steps: [stepOf("fixed", "other"), stepOf(algorithm, "none", { limit: 0 })] };
    const [first] = await weighAll(scales, plan, [one("a")]);
    expect(first).toMatchObject({
      deniedBy: 1,
      readings: [
        { used: 0, isOver: false },
        { used: 0, isOver: true },
      ],
    });
    expect(first?.readings[1]?.resetMs).toBeGreaterThan(0);
    expect(await server.client.dbsize()).toBe(0);
  });

  it("answers 429 with a time to wait", async () => {
    const levels = isRate(algorithm)
      ? [{ limitPerSecond: 0, halfLifeSeconds: 60 }]
      : [{ limit: 0, periodSeconds: 60 }];
    const rules = [{ name: "none", client: "ip", algorithm, levels }] as PolicyInput["rules"];
    const guard = createTestGuard({ policy: { mode: "enforce", rules, tiers: {} } });
    for (let i = 0; i < 3; i++) {
      const found = await guard.check({ ip: "203.0.113.9" });
      expect(found).toMatchObject({ outcome: "throttled", status: 429, rule: "none", remaining: 0 });
      expect(found.retryAfterSeconds).toBeGreaterThan(0);
      expect(found.retryAfterSeconds).toBeLessThanOrEqual(120);
    }
    const cheap = await guard.check({ ip: "203.0.113.9", cost: 0 });
    expect(cheap.outcome).toBe("throttled");
  });
});

it("asks the counters nothing for a customer whose override is 0, by any program", async () => {
  const counters = await startRedis();
  const guard = createGuard({ redis: server.url, counters: counters.url, app: "shop", log: () => {} });
  try {
    for (const id of ["acme", "other"]) await server.client.hset(`customer:${id}:throttle_hash`, "3600", "0");
    await guard.ready();
    const policy = {
      mode: "enforce",
      rules: [byTier],
      tiers: { free: { levels: [{ limit: 0, periodSeconds: 60 }] } },
    };
    await server.client.set(keys.policy(), JSON.stringify({ version: 1, reason: "", policy }));
    const check = (customerId: string) => guard.check({ ip: "203.0.113.9", customerId });
    await eventually(async () => expect((await check("acme")).rule).toBe("by-tier"));
    await counters.client.flushall();
    await counters.client.config("RESETSTAT");
    // No denial of this one is known.
    expect(await check("other")).toMatchObject({ status: 429, rule: "by-tier", limit: 0 });
    expect(await counters.client.info("commandstats")).not.toContain("evalsha");
    expect(await counters.client.dbsize()).toBe(0);
    expect((await guard.usage({ customerId: "acme" })).levels).toMatchObject([{ limit: 0, remaining: 0 }]);
  } finally {
    await guard.close();
    await counters.stop();
  }
});

const byTier = { name: "by-tier", client: "customer", algorithm: "fixed", levels: "tier" };

it("a node of an earlier version prevents a policy with such a limit from being saved", () => {
  const rules = (limit: number): PolicyInput["rules"] => [
    { name: "x", client: "ip", algorithm: "fixed", levels: [{ limit, periodSeconds: 60 }] },
  ];
  const formatWith = (limit: number) =>
    formatOf(definePolicy({ mode: "enforce", rules: rules(limit), tiers: {} }));
  expect([formatWith(1), formatWith(0)]).toEqual([1, 5]);
});
