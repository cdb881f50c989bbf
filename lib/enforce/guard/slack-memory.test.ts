import { expect, it, vi } from "vitest";
import { resetCounters } from "../../manage/customers/reset.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { connectCounters } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { customer } from "../customers/vitest.customers.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { burst, inTurn, newClient, periodSeconds, ruleOf, tallyOf, testNodes } from "./vitest.nodes.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);

const nodes = testNodes(2);
const slack = 0.1;
const reason = "a test";
const allowing = (limit: number) => ({ levels: [{ limit, periodSeconds }] });

/** Both nodes remember the client as far below its limit: each has passed 20 of its requests, and asked for few of them. */
async function remember(request: GuardRequest): Promise<readonly Verdict[]> {
  const before = await nodes.calls();
  const verdicts: Verdict[] = [];
  for (const guard of nodes.guards) verdicts.push(...(await inTurn(guard, 20, request)));
  expect(tallyOf(verdicts).denied).toBe(0);
  expect((await nodes.calls()) - before).toBeLessThan(30);
  return verdicts;
}

/** Not all of them: a busy machine is late to count some. */
const untilCounted = (request: GuardRequest, least: number) =>
  eventually(async () => expect(await nodes.used(request)).toBeGreaterThanOrEqual(least), 10_000);

/** Of the next check of each node. */
const nextOutcomes = (request: GuardRequest) =>
  Promise.all(nodes.guards.map(async (guard) => (await guard.check(request)).outcome));

it("enforces a lower limit with the next check", async () => {
  await nodes.enforce([ruleOf("loose", "fixed", { slack })]);
  const ip = newClient();
  await remember({ ip });
  await untilCounted({ ip }, 20);
  await nodes.enforce([ruleOf("loose", "fixed", { slack, ...allowing(20) })]);
  expect(await nextOutcomes({ ip })).toEqual(["throttled", "throttled"]);
});

it("enforces the limit of a customer's new tier with the next check", async () => {
  const tiers = { large: allowing(300), small: allowing(20) };
  await nodes.enforce([ruleOf("customers", "fixed", { slack, client: "customer", levels: "tier" })], tiers);
  const id = customer("acme");
  const request = { ip: newClient(), customerId: id };
  await nodes.applied(await setTier(nodes.by(), { id, tier: "large", reason }));
  await remember(request);
  await untilCounted(request, 20);
  await nodes.applied(await setTier(nodes.by(), { id, tier: "small", reason }));
  expect(await nextOutcomes(request)).toEqual(["throttled", "throttled"]);
  await nodes.applied(await setTier(nodes.by(), { id, tier: "large", reason }));
  expect(await nextOutcomes(request)).toEqual(["pass", "pass"]);
});

it("counts from 0 after a customer's counters were reset", async () => {
  const tiers = { large: allowing(300) };
  await nodes.enforce([ruleOf("reset", "fixed", { slack, client: "customer", levels: "tier" })], tiers);
  const id = customer("initech");
  const request = { ip: newClient(), customerId: id };
  await nodes.applied(await setTier(nodes.by(), { id, tier: "large", reason }));
  await remember(request);
  await untilCounted(request, 20);
  const counters = connectCounters(nodes.counters.url, "patiently");
  try {
    await nodes.applied(await resetCounters(nodes.by(), counters, { id, reason }));
  } finally {
    counters.disconnect();
  }
  for (const guard of nodes.guards) {
    const { headers } = await guard.check(request);
    // Less at most what had passed and was charged after the reset.
    expect(Number(/;r=(\d+);/.exec(headers.ratelimit ?? "")?.[1])).toBeGreaterThan(275);
  }
});

it.each([
  ["blocklist", "blocked"],
  ["safelist", "safelisted"],
] as const)(
  "enforces an entry of the %s with the next check, also once it is removed",
  async (list, outcome) => {
    await nodes.enforce([ruleOf(`loose/${list}`, "fixed", { slack })]);
    const ip = newClient();
    await remember({ ip });
    const change = { list, addresses: [at(ip)], reason };
    await nodes.applied(await addEntries(nodes.by(), change));
    expect(await nextOutcomes({ ip })).toEqual([outcome, outcome]);
    await nodes.applied(await removeEntries(nodes.by(), change));
    expect(await nextOutcomes({ ip })).toEqual(["pass", "pass"]);
  },
);

it("counts nothing while the mode is off, charges what passed before, and then knows what others have counted", async () => {
  const [rule, limit] = ["loose/off", 300];
  await nodes.enforce([ruleOf(rule, "fixed", { slack, ...allowing(limit) })]);
  const ip = newClient();
  const verdicts = [...(await remember({ ip }))];
  for (const guard of nodes.guards) verdicts.push(...(await burst(guard, 5, { ip })));
  const { passed, unsure } = tallyOf(verdicts);
  await nodes.applied(await setMode(nodes.by(), { mode: "off", reason }));
  for (const guard of nodes.guards)
    for (const { outcome, headers } of await inTurn(guard, 20, { ip }))
      expect([outcome, headers]).toEqual(["pass", {}]);
  const window = Math.floor(Date.now() / 1_000 / periodSeconds);
  const key = keys.fixedWindow(rule, window) + ip;
  const counted = async () => Number(await nodes.counters.client.get(key));
  await eventually(async () => expect(await counted()).toBeGreaterThanOrEqual(passed), 10_000);
  expect(await counted()).toBeLessThanOrEqual(passed + unsure);
  await nodes.counters.client.set(key, limit);
  await nodes.applied(await setMode(nodes.by(), { mode: "enforce", reason }));
  expect(await nextOutcomes({ ip })).toEqual(["throttled", "throttled"]);
});

it("keeps to the slack of a customer whose tier changes ten times in a second", async () => {
  const [one, other] = [allowing(300), allowing(301)];
  await nodes.enforce([ruleOf("often", "fixed", { slack, client: "customer", levels: "tier" })], {
    one,
    other,
  });
  const id = customer("globex");
  const request = { ip: newClient(), customerId: id };
  const verdicts: Verdict[] = [];
  for (let i = 0; i < 10; i++) {
    await nodes.applied(await setTier(nodes.by(), { id, tier: i % 2 ? "one" : "other", reason }));
    for (const guard of nodes.guards) verdicts.push(...(await inTurn(guard, 7, request)));
  }
  for (let i = 0; i < 5; i++)
    for (const guard of nodes.guards) verdicts.push(...(await burst(guard, 50, request)));
  const { passed, unsure } = tallyOf(verdicts);
  expect(passed).toBeLessThanOrEqual(330);
  expect(passed + unsure).toBeGreaterThanOrEqual(300);
});
