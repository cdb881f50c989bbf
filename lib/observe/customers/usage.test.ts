import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { createScales, type RedisScales } from "../../enforce/limits/scales.ts";
import { customerLoad, customerPlan } from "../../enforce/policy/customer-plan.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { resetCounters } from "../../manage/customers/reset.ts";
import { type CountersConnection, connectCounters } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { readUsage } from "./usage.ts";

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

it("reads each level of the customer's tier with its count, until that is reset", async () => {
  await log.client.set(keys.tier(acme), "pro");
  const plan = customerPlan(defaultPolicy, defaultPolicy.tiers.pro?.levels ?? []);
  await eventually(async () => {
    // Again if a minute ends during the test.
    await server.client.flushall();
    for (let i = 0; i < 3; i++) await scales.weigh({ plan, clients: [acme, acme], costs: [1, 1] });
    expect(await usage()).toEqual(["req/customer 100 60 3", "req/customer 5000 3600 3"]);
    expect(await usage()).toEqual(["req/customer 100 60 3", "req/customer 5000 3600 3"]);
  });
  await resetCounters(log.signed(), counters, { id: acme, reason: "" });
  expect(await usage()).toEqual(["req/customer 100 60 0", "req/customer 5000 3600 0"]);
});

it("holds one without limits of its own against those for anonymous clients, which count it by its id", async () => {
  const plan = customerPlan(defaultPolicy, undefined);
  await eventually(async () => {
    await server.client.flushall();
    for (let i = 0; i < 3; i++) await scales.weigh(customerLoad(plan, acme));
    expect(await usage()).toEqual(["req/ip/1 300 300 3", "req/ip/2 600 1800 3"]);
    await log.client.set(keys.tier(acme), "gold");
    expect(await usage()).toEqual(["req/ip/1 300 300 3", "req/ip/2 600 1800 3"]);
  });
  expect((await server.client.keys("rack::attack:*:customer:acme")).length).toBe(2);
  await resetCounters(log.signed(), counters, { id: acme, reason: "" });
  expect(await usage()).toEqual(["req/ip/1 300 300 0", "req/ip/2 600 1800 0"]);
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
