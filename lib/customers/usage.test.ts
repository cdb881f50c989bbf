import { expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import type { Load, Weighed } from "../limits/plan.ts";
import { keys } from "../redis/keys.ts";
import { readUsage } from "./usage.ts";
import { customer } from "./vitest.customers.ts";

const log = testLog();
const acme = customer("acme");

/** Stands for the counters: the room of limits tests those. */
function counts() {
  const asked: Load[] = [];
  const read = async (load: Load): Promise<Weighed> => {
    asked.push(load);
    const readings = load.plan.steps.map((_, i) => ({ used: 10 + i, resetMs: 1_000, isOver: false }));
    return { outcome: "weighed", deniedBy: -1, readings, trouble: [] };
  };
  return { asked, read };
}

it("tells each level of the customer's tier, with what was counted", async () => {
  await log.client.set(keys.tier(acme), "pro");
  const reader = counts();
  const usage = await readUsage(log.signed().redis, reader, acme);
  expect(usage.map(({ rule, limit, periodSeconds, used }) => [rule, limit, periodSeconds, used])).toEqual([
    ["req/customer", 100, 60, 10],
    ["req/customer", 5_000, 3_600, 11],
  ]);
  expect(reader.asked[0]).toMatchObject({ clients: ["acme", "acme"], costs: [1, 1] });
});

it("has nothing to tell of an anonymous one, and does not ask", async () => {
  const reader = counts();
  expect(await readUsage(log.signed().redis, reader, acme)).toEqual([]);
  await log.client.set(keys.tier(acme), "gold");
  expect(await readUsage(log.signed().redis, reader, acme)).toEqual([]);
  expect(reader.asked).toEqual([]);
});

it("says so when the counters are away", async () => {
  await log.client.set(keys.tier(acme), "pro");
  const read = async () => ({ outcome: "unweighed", reason: "late", message: "x" }) as const;
  await expect(readUsage(log.signed().redis, { read }, acme)).rejects.toMatchObject({
    code: "redis-unavailable",
    message: "The counters do not answer now; try again.",
  });
});
