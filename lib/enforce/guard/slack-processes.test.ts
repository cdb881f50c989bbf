import { expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { windowAlgorithms } from "../algorithms/algorithms.ts";
import {
  limit,
  newClient,
  overOf,
  periodSeconds,
  ruleOf,
  save,
  slackAlgorithms,
  type Tally,
  tallyOf,
  untilApplied,
} from "./vitest.nodes.ts";
import { testProcesses } from "./vitest.processes.ts";

const count = 4;
const slack = 0.1;
const nodes = testProcesses(count);

async function enforce(...rules: Parameters<typeof save>[1]): Promise<void> {
  await untilApplied(nodes.control, await save(nodes.control, rules), count);
}

it.each(windowAlgorithms)(
  "%s: of a thousand requests at once from four processes exactly the limit passes a rule without slack",
  async (algorithm) => {
    await enforce(ruleOf("exact", algorithm, { slack: 0 }));
    const request = { ip: newClient() };
    // With the first one, a process that may remember the client does so.
    const { passed, unsure } = tallyOf((await nodes.askAll({ request, sizes: [1, 250] })).flat());
    // Of counters that answered late, a verdict says so. What they counted never exceeds the limit.
    expect(passed).toBeLessThanOrEqual(limit);
    expect(passed + unsure).toBeGreaterThanOrEqual(limit);
    const used = Math.round(await nodes.used(request));
    expect(used).toBeLessThanOrEqual(limit);
    expect(used + unsure).toBeGreaterThanOrEqual(limit);
  },
);

it("four processes pass a tenth more than the limit at most, and report how much", async () => {
  const rules = slackAlgorithms.map((algorithm) => `loose/${algorithm}`);
  const ruleWithPath = (algorithm: (typeof slackAlgorithms)[number]) =>
    ruleOf(`loose/${algorithm}`, algorithm, { slack, match: { only: [`/loose/${algorithm}`] } });
  await enforce(...slackAlgorithms.map(ruleWithPath));
  const ip = newClient();
  const sizes = [1, 8, 1, 20, 8, 1, 20, 8, 1, 50, 50];
  const found = new Map<string, Tally>();
  for (const rule of rules) {
    const tally = tallyOf((await nodes.askAll({ request: { ip, path: `/${rule}` }, sizes })).flat());
    expect(tally.passed).toBeLessThanOrEqual(limit * (1 + slack));
    expect(tally.passed + tally.unsure).toBeGreaterThanOrEqual(limit);
    expect(tally.denied + tally.unsure).toBeGreaterThan(0);
    found.set(rule, tally);
  }
  await eventually(async () => {
    for (const [rule, { passed, unsure }] of found) {
      const over = await overOf(nodes.control, rule);
      // Of a leaky meter, a part of a request may be above the limit.
      const part = rule.endsWith("gcra") ? 1 : 0;
      expect(over, rule).toBeGreaterThanOrEqual(passed - limit - part);
      expect(over, rule).toBeLessThanOrEqual(Math.max(0, passed + unsure - limit));
    }
  }, 10_000);
});

it("loses what a killed process has not charged, in the client's favour", async () => {
  const rule = "killed";
  await enforce(ruleOf(rule, "fixed", { slack }));
  const request = { ip: newClient() };
  const window = Math.floor(Date.now() / 1_000 / periodSeconds);
  const counted = async () =>
    Number(await nodes.counters.client.get(`${keys.fixedWindow(rule, window)}${request.ip}`));
  expect(tallyOf(await nodes.ask(3, { request, sizes: [1, 1] }))).toMatchObject({ passed: 2 });
  await eventually(async () => expect(await counted()).toBe(2), 10_000);

  const last = tallyOf(await nodes.askLast(3, { request, sizes: [3] }));
  const lost = 2 + last.passed - (await counted());
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual((slack * limit) / count);

  const sizes = Array.from({ length: limit + 50 }, () => 1);
  const others = await nodes.ask(0, { request, sizes });
  const { passed, unsure } = tallyOf(others);
  const all = 2 + last.passed + passed;
  expect(all + unsure).toBeGreaterThanOrEqual(limit);
  expect(all).toBeLessThanOrEqual(limit + lost);
  const first = others.findIndex(({ outcome }) => outcome !== "pass");
  expect(2 + last.passed + (first === -1 ? others.length : first)).toBeGreaterThanOrEqual(limit);
  expect(tallyOf(await nodes.ask(1, { request, sizes: [5] }))).toMatchObject({ passed: 0 });
});
