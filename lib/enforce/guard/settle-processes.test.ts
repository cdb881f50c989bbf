import { beforeAll, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { newClient, periodSeconds, ruleOf, save, tallyOf, untilApplied } from "./vitest.nodes.ts";
import { testProcesses } from "./vitest.processes.ts";

const count = 4;
const nodes = testProcesses(count);
const reserved = 600;
const atOnce = 20;

beforeAll(async () => {
  const login = {
    levels: [{ limit: reserved, periodSeconds }],
    countWhen: "failed",
    match: { only: ["/login"] },
  };
  const slow = { levels: [{ limit: atOnce, periodSeconds: 2 }], match: { only: ["/slow"] } };
  const rules = [ruleOf("login", "fixed", login), ruleOf("at-once", "concurrent", slow)];
  await untilApplied(nodes.control, await save(nodes.control, rules), count);
});

it("has never more at once than the limit, and the limit again after a process was killed", async () => {
  const load = { request: { ip: newClient(), path: "/slow" }, sizes: [50] };
  const killed = tallyOf(await nodes.askLast(3, load));
  expect(killed.passed).toBeLessThanOrEqual(atOnce);
  expect(killed.passed + killed.unsure).toBeGreaterThanOrEqual(atOnce);
  expect(tallyOf(await nodes.ask(0, load)).passed).toBeLessThanOrEqual(atOnce - killed.passed);
  await nodes.settle(0, { status: 200 });
  // The dead process gives nothing back: its holds expire by the clock of Redis.
  await eventually(async () => {
    const { passed, unsure } = tallyOf(await nodes.ask(0, load));
    await nodes.settle(0, { status: 200 });
    expect(passed).toBeLessThanOrEqual(atOnce);
    expect([passed, unsure]).toEqual([atOnce, 0]);
  }, 10_000);
});

it("never reserves more than the limit of 1,000 requests, and gets back what killed processes had reserved", async () => {
  const ip = newClient();
  const request = { ip, path: "/login" };
  const load = { request, sizes: [334] };
  const key = `${keys.holds("login")}${ip}`;
  const held = async () => Math.max(0, (await nodes.counters.client.zcard(key)) - 1);

  const [zero, one, last] = await Promise.all([
    nodes.ask(0, load),
    nodes.ask(1, load),
    nodes.askLast(2, load),
  ]);
  const { passed, unsure } = tallyOf([...zero, ...one, ...last]);
  expect(passed).toBeLessThanOrEqual(reserved);
  expect(passed + unsure).toBeGreaterThanOrEqual(reserved);
  expect(await held()).toBe(reserved);

  await Promise.all([nodes.settle(0, { failed: true }), nodes.settle(1, { failed: false })]);
  const counter = async () => (await nodes.used(request)) - (await held());
  expect(await counter()).toBe(tallyOf(zero).passed);
  // What was reserved without an answer in time is lost with the process that was killed.
  const lost = await held();
  expect(lost).toBeGreaterThanOrEqual(tallyOf(last).passed);
  expect(lost).toBeLessThanOrEqual(tallyOf(last).passed + unsure);

  // A minute later: the ends of the holds have passed.
  const members = await nodes.counters.client.zrangebyscore(key, 1, "+inf");
  for (const member of members) await nodes.counters.client.zadd(key, 1, member);
  const left = reserved - (await nodes.used(request));
  expect(left).toBe(reserved - tallyOf(zero).passed);
  const again = tallyOf((await Promise.all([nodes.ask(0, load), nodes.ask(1, load)])).flat());
  expect(again.passed).toBeLessThanOrEqual(left);
  expect(again.passed + again.unsure).toBeGreaterThanOrEqual(Math.min(left, 668));
  expect(await nodes.used(request)).toBeLessThanOrEqual(reserved);
});
