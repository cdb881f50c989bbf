import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { createScales, type RedisScales } from "../../enforce/limits/scales.ts";
import { allLevels, customerPlan } from "../../enforce/policy/customer-plan.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { type CountersConnection, connectCounters } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { type CustomerDraft, previewLevels, viewCustomer } from "./customer-view.ts";
import { tightestOf, type Usage } from "./usage.ts";

const log = testLog();
const acme = customer("acme");
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

/** As many requests as the customer of this tier would have made; the whole within one minute. */
async function use(times: number, tier: "free" | "pro" = "free") {
  await server.client.flushall();
  const levels = tier === "free" ? (defaultPolicy.tiers.free?.levels ?? []) : allLevels(defaultPolicy, []);
  const plan = customerPlan(defaultPolicy, levels);
  const clients = plan.steps.map(() => acme);
  for (let i = 0; i < times; i++) await scales.weigh({ plan, clients, costs: plan.steps.map(() => 1) });
}

const say = (usage: readonly Usage[] = []) =>
  usage.map(
    ({ limit, periodSeconds, used, isOver }) =>
      `${used}/${limit} in ${periodSeconds}${isOver ? " over" : ""}`,
  );
const preview = async (wish: CustomerDraft) => {
  const { before, after } = await previewLevels(log.signed().redis, scales, acme, wish);
  return [say(before), say(after)];
};

it("shows Free that throttles, and Pro that would let the next request pass", async () => {
  await log.client.set(keys.tier(acme), "free");
  await eventually(async () => {
    await use(100);
    expect(await preview({})).toEqual([["100/100 in 3600 over"], ["100/100 in 3600 over"]]);
    expect(await preview({ tier: "pro" })).toEqual([
      ["100/100 in 3600 over"],
      ["0/100 in 60", "100/5000 in 3600"],
    ]);
    const anonymous = ["0/300 in 300", "0/600 in 1800"];
    expect(await preview({ tier: null })).toEqual([["100/100 in 3600 over"], anonymous]);
    expect(await preview({ tier: "gold" })).toEqual([["100/100 in 3600 over"], anonymous]);
  });
});

it("reads the counters of periods that are only wished for", async () => {
  await log.client.set(keys.tier(acme), "free");
  await eventually(async () => {
    await use(5, "pro");
    const levels = [
      { limit: 5, periodSeconds: 60 },
      { limit: 9, periodSeconds: 86_400 },
    ];
    expect(await preview({ levels })).toEqual([["5/100 in 3600"], ["5/5 in 60 over", "0/9 in 86400"]]);
    expect(await log.client.exists(keys.override(acme))).toBe(0);
  });
});

it("holds an override above any tier, until the draft is without it", async () => {
  await log.client.set(keys.tier(acme), "pro");
  await log.client.hset(keys.override(acme), "60", "1");
  const own = ["0/1 in 60"];
  expect(await preview({ tier: "free" })).toEqual([own, own]);
  expect(await preview({ levels: null })).toEqual([own, ["0/100 in 60", "0/5000 in 3600"]]);
  expect(await preview({ levels: null, tier: "free" })).toEqual([own, ["0/100 in 3600"]]);
});

it("asks for what the next request costs", async () => {
  const rules = defaultPolicy.rules.map((rule) =>
    rule.name === "req/customer" ? { ...rule, cost: 200 } : rule,
  );
  await setPolicy(log.signed(), { policy: { ...defaultPolicy, rules }, basedOn: 0, reason: "" });
  await log.client.set(keys.tier(acme), "free");
  expect(await preview({ tier: "enterprise" })).toEqual([
    ["0/100 in 3600 over"],
    ["0/200 in 60", "0/10000 in 3600"],
  ]);
});

it("shows the customer with what it used, and without while the counters are away", async () => {
  await log.client.set(keys.tier(acme), "free");
  await eventually(async () => {
    await use(3);
    const { usage, customer: found, mode, now } = await viewCustomer(log.signed().redis, scales, acme);
    expect(say(usage)).toEqual(["3/100 in 3600"]);
    expect([found.tier?.name, mode]).toEqual(["free", "enforce"]);
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  });
  const away = connectCounters(server.url, "promptly");
  away.disconnect();
  expect(await viewCustomer(log.signed().redis, createScales(away), acme)).toMatchObject({
    usage: undefined,
    customer: { tier: { name: "free" } },
  });
});

it("finds of many customers the level that is used up most", async () => {
  await eventually(async () => {
    await use(4, "pro");
    const pro = defaultPolicy.tiers.pro?.levels;
    const free = defaultPolicy.tiers.free?.levels;
    const tightest = await tightestOf(scales, defaultPolicy, [
      { id: acme, levels: pro },
      { id: acme, levels: free },
      { id: customer("other"), levels: free },
      { id: customer("anonymous"), levels: undefined },
    ]);
    expect(tightest.map((one) => one && say([one])[0])).toEqual([
      "4/100 in 60",
      "4/100 in 3600",
      "0/100 in 3600",
      "0/300 in 300",
    ]);
  });
});
