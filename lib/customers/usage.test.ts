import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { createScales, type RedisScales } from "../limits/scales.ts";
import { customerPlan } from "../policy/customer-plan.ts";
import { defaultPolicy } from "../policy/defaults.ts";
import { type CountersConnection, connectCounters } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { resetCounters } from "./reset.ts";
import { readUsage } from "./usage.ts";
import { customer } from "./vitest.customers.ts";

const log = testLog();
const acme = customer("Acme");
let server: TestRedis;
let counters: CountersConnection;
let scales: RedisScales;

beforeAll(async () => {
  server = await startRedis();
  counters = connectCounters(server.url, "patiently");
  scales = createScales(counters, { withinMs: 2_000 });
});
beforeEach(async () => void (await server.client.flushall()));
afterAll(async () => {
  counters.disconnect();
  await server.stop();
});

const usage = async () =>
  (await readUsage(log.signed().redis, scales, acme)).map(({ rule, limit, periodSeconds, used }) =>
    [rule, limit, periodSeconds, used].join(" "),
  );

it("tells each level of the customer's tier with what was counted, until that is reset", async () => {
  await log.client.set(keys.tier(acme), "pro");
  const plan = customerPlan(defaultPolicy, defaultPolicy.tiers.pro?.levels ?? []);
  await eventually(async () => {
    // Again if a minute ends meanwhile.
    await server.client.flushall();
    for (let i = 0; i < 3; i++) await scales.weigh({ plan, clients: [acme, acme], costs: [1, 1] });
    expect(await usage()).toEqual(["req/customer 100 60 3", "req/customer 5000 3600 3"]);
    expect(await usage()).toEqual(["req/customer 100 60 3", "req/customer 5000 3600 3"]);
  });
  await resetCounters(log.signed(), counters, { id: acme, reason: "" });
  expect(await usage()).toEqual(["req/customer 100 60 0", "req/customer 5000 3600 0"]);
});

it("has nothing to tell of an anonymous one", async () => {
  expect(await usage()).toEqual([]);
  await log.client.set(keys.tier(acme), "gold");
  expect(await usage()).toEqual([]);
});

it("says so when the counters are away", async () => {
  await log.client.set(keys.tier(acme), "pro");
  const away = connectCounters(server.url, "promptly");
  away.disconnect();
  await expect(readUsage(log.signed().redis, createScales(away), acme)).rejects.toMatchObject({
    code: "redis-unavailable",
    message: "The counters do not answer now; try again.",
  });
});
