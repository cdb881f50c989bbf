import { afterAll, beforeAll, expect, it } from "vitest";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import { Series, sumOf } from "../../observe/stats/series.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { freshInstall, writePolicy } from "../policy/stored.ts";
import { ruleNames } from "./fields.ts";
import { type Sent, testFleet } from "./vitest.fleet.ts";

const fleet = testFleet();
const clients = 200_000;
const rules = ruleNames(freshInstall.policy);
/** A node remembers the clients of a rule with slack, which is more memory than the statistics take. */
const exact = freshInstall.policy.rules.map(({ slack: _, ...rule }) => rule);
let server: TestRedis;
let counters: TestRedis;
let redis: Connection;

beforeAll(async () => {
  [server, counters] = await Promise.all([startRedis(), startRedis()]);
  redis = connectControl(server.url, "patiently");
  const policy = { ...freshInstall.policy, rules: exact };
  const saved = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "", policy };
  await server.client.set(keys.policy(), writePolicy(saved));
});

afterAll(async () => {
  redis.disconnect();
  await Promise.all([server.stop(), counters.stop()]);
});

function sumUp(sent: readonly Sent[]) {
  const outcomes = new Map<string, number>();
  const came = new Map<string, number>();
  for (const one of sent) {
    for (const [name, count] of Object.entries(one.outcomes))
      outcomes.set(name, (outcomes.get(name) ?? 0) + count);
    for (const [name, count] of one.came) came.set(name, (came.get(name) ?? 0) + count);
  }
  return { outcomes, came };
}

const minuteNow = () => Math.floor(Date.now() / 60_000);

it("reports exactly the requests of four processes, and the true top twenty among 200,000, in memory that does not grow", async () => {
  const nodes = await fleet.start({ redis: server.url, counters: counters.url, processes: 4, clients });
  const firstMinute = minuteNow();
  const sending = Promise.all(nodes.map((node) => fleet.send(node)));
  await eventually(async () => expect(await redis.hlen("sluice:totals")).toBeGreaterThan(0));
  const early = await Promise.all(nodes.map((node) => fleet.heap(node)));
  const { outcomes, came } = sumUp(await sending);

  const series = new Series(redis);
  await eventually(async () => {
    const [totals] = await readTotals(redis, rules);
    expect(new Map(totals?.outcomes)).toEqual(outcomes);
    const hours = await series.read(3_600, 2, Date.now());
    for (const [outcome, count] of outcomes) expect(sumOf(hours, outcome, "crowd")).toBe(count);
  }, 10_000);
  const requests = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  expect(requests).toBe(clients + [...came.values()].reduce((sum, count) => sum + count, 0));
  expect(outcomes.get("throttled")).toBeGreaterThan(0);

  const minutes = Array.from({ length: minuteNow() - firstMinute + 1 }, (_, i) => firstMinute + i);
  const top = await new ClientCounts(redis).top({ minutes, most: 20, by: "requests", rules });
  const truth = [...came].toSorted((a, b) => b[1] - a[1]).slice(0, 20);
  expect(top.map(({ name }) => name.client)).toEqual(truth.map(([client]) => client));
  // A client with one request in a second full of others may go unreported.
  for (const { name, requests } of top) {
    const actual = came.get(name.client) ?? 0;
    expect(requests).toBeLessThanOrEqual(actual);
    expect(requests).toBeGreaterThanOrEqual(0.98 * actual - 1);
  }

  const late = await Promise.all(nodes.map((node) => fleet.heap(node)));
  // Addresses of recent clients are remembered, too, in a number that is bounded.
  for (const [i, heap] of late.entries()) expect(heap).toBeLessThan((early[i] ?? 0) + 18);
  for (const key of await server.client.keys("sluice:hitters:*"))
    expect(await server.client.zcard(key)).toBeLessThanOrEqual(4_000);
});
