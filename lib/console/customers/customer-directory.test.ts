import { afterEach, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { customerPlan } from "../../enforce/policy/customer-plan.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { keys } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually } from "../../redis/testing.ts";
import { directoryOf, findPage } from "./customer-directory.ts";

const log = testLog();
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  forgetOnce("console customers");
});

async function source() {
  const { host, port } = log.connect().options;
  const { directory, mirror } = await directoryOf({ redisUrl: `redis://${host}:${port}` });
  closers.push(() => mirror.close());
  const counters = log.connect();
  return {
    redis: log.signed().redis,
    counts: createScales(counters, { withinMs: 2_000 }),
    directory,
    ageMs: 3,
  };
}

const all = { search: "", group: "all", offset: 0 } as const;

it("shows each customer with what it used of the level it is closest to", async () => {
  await log.client.set(keys.tier(customer("1042")), "free");
  await log.client.set(keys.tier(customer("2210")), "gold");
  await log.client.hset(keys.override(customer("acme")), "60", "5");
  await log.client.pexpire(keys.override(customer("acme")), 60_000);
  const from = await source();
  const levels = defaultPolicy.tiers.free?.levels ?? [];
  const plan = customerPlan(defaultPolicy, levels);
  await eventually(async () => {
    await from.counts.weigh({ plan, clients: ["1042"], costs: [1] });
    const page = await findPage(from, all);
    expect(page.customers[0]?.usage?.used).toBe(100);
    expect(page).toMatchObject({
      mode: "enforce",
      tiers: ["free", "pro", "enterprise"],
      total: 3,
      counts: { all: 3, "tier:free": 1, "tier:gold": 1, "no-tier": 1, "own-levels": 1, "not-obeyed": 1 },
      customers: [
        { id: "1042", tier: "free", override: null, usage: { limit: 100, isOver: true }, isFlagged: false },
        { id: "2210", tier: "gold", usage: { rule: "req/ip/1", used: 0 }, isFlagged: true },
        { id: "acme", tier: null, override: { levels: [{ limit: 5 }] }, usage: { used: 0, limit: 5 } },
      ],
      areCountersUp: true,
      isNewId: false,
    });
    expect((page.customers[2]?.override?.expiresAt ?? 0) - page.now).toBeGreaterThan(0);
  });
});

it("offers an id of which nothing is known, if it is one", async () => {
  await log.client.set(keys.tier(customer("1042")), "free");
  const from = await source();
  expect(await findPage(from, { ...all, search: "104" })).toMatchObject({ total: 1, isNewId: true });
  expect(await findPage(from, { ...all, search: "1042" })).toMatchObject({ total: 1, isNewId: false });
  expect(await findPage(from, { ...all, search: "<b>" })).toMatchObject({ total: 0, isNewId: false });
});

it("tells the rest while the counters are away", async () => {
  await log.client.set(keys.tier(customer("1042")), "free");
  const from = await source();
  const away = log.connect();
  away.disconnect();
  expect(await findPage({ ...from, counts: createScales(away) }, all)).toMatchObject({
    areCountersUp: false,
    customers: [{ id: "1042", usage: null }],
  });
});
