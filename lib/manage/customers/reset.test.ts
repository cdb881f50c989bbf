import { afterAll, beforeAll, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { type CountersConnection, connectCounters } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { testLog } from "../audit/vitest.log.ts";
import { setPolicy } from "../policy/set.ts";
import { resetCounters } from "./reset.ts";

const log = testLog();
const acme = customer("Acme");
let server: TestRedis;
let counters: CountersConnection;

beforeAll(async () => {
  server = await startRedis();
  counters = connectCounters(server.url, "patiently");
});
afterAll(async () => {
  counters.disconnect();
  await server.stop();
});

/** What the rule of a fresh install would have counted, in every period of its tiers, and what others did. */
async function count() {
  await server.client.flushall();
  // Not within the last moments of a minute: its window would end before the counters are looked for.
  const seconds = await eventually(async () => {
    const [now] = await server.client.time();
    expect(Number(now) % 60).toBeLessThan(58);
    return Number(now);
  });
  const window = (period: number) => Math.floor(seconds / period);
  const own = [60, 3_600].map((period) => `${keys.fixedWindow("req/customer", window(period))}acme`);
  const others = [
    `${keys.fixedWindow("req/customer", window(3_600))}acme2`,
    `${keys.fixedWindow("req/ip/1", 1)}acme`,
  ];
  for (const key of [...own, ...others]) await server.client.set(key, 5);
  return { own, others };
}

it("deletes what was counted of the customer alone, whatever tier it was in, and tells the nodes", async () => {
  const { own, others } = await count();
  expect(await resetCounters(log.signed(), counters, { id: acme, reason: "by phone" })).toEqual({
    change: 1,
    deleted: 2,
  });
  expect(await server.client.exists(...own)).toBe(0);
  expect(await server.client.exists(...others)).toBe(2);
  expect(await log.client.pttl(keys.reset(acme))).toBeGreaterThan(50_000);
  expect(await log.records()).toMatchObject([
    { action: "customer.reset", reason: "by phone", change: 1, changes: [{ target: "Acme", before: null }] },
  ]);
  await log.expectSoundChain(1);
  expect(await resetCounters(log.signed(), counters, { id: acme, reason: "" })).toEqual({
    change: 2,
    deleted: 0,
  });
});

it("also finds periods of the customer's own, and other ways of counting", async () => {
  const [, , rule, ...rest] = defaultPolicy.rules;
  const policy = { ...defaultPolicy, rules: [{ ...rule, algorithm: "gcra" }, ...rest] };
  await setPolicy(log.signed(), { policy, basedOn: 0, reason: "" });
  await log.client.hset(keys.override(acme), "86400", "5");
  const key = `${keys.counter("gcra", 86_400, "req/customer")}acme`;
  await server.client.set(key, "x");
  expect((await resetCounters(log.signed(), counters, { id: acme, reason: "" })).deleted).toBe(1);
  expect(await server.client.exists(key)).toBe(0);
});

it("refuses a reason that cannot be kept, and deletes nothing", async () => {
  const { own } = await count();
  const attempt = resetCounters(log.signed(), counters, { id: acme, reason: "\x07" });
  await expect(attempt).rejects.toMatchObject({ message: "A reason has no control characters." });
  expect(await server.client.exists(...own)).toBe(2);
});
