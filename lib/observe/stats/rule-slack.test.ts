import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { at } from "../../at.ts";
import { stepOf } from "../../enforce/policy/levels.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { readSlack } from "./rule-slack.ts";
import { Series } from "./series.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(() => server.client.flushall());

const rule = at(defaultPolicy.rules, 0);
const rules = [{ rule, steps: [stepOf(rule, { limit: 300, periodSeconds: 300 }, false)] }];

/** Counts what passed above the rule's limit so many minutes ago. */
async function countOver(app: string, minutesAgo: number, amount: number): Promise<void> {
  const minute = Math.floor((await redisNow(server.client)) / 60_000) - minutesAgo;
  await server.client.hset(keys.series(60, minute), `${app}\0over req/ip/1`, amount);
}

it("adds up what passed above a limit in the last hour, at every app", async () => {
  await countOver("shop", 0, 1_000);
  await countOver("docs", 58, 7);
  await countOver("shop", 61, 500);
  const source = { redis: server.client, series: new Series(server.client) };
  for (const id of ["a", "b", "c", "d"])
    await server.client.zadd(keys.nodes(), await redisNow(server.client), id);
  expect(await readSlack(source, rules)).toEqual([
    {
      rule: "req/ip/1",
      over: 1_007,
      says: "Slack of req/ip/1 is 10%: up to 28 of 300 more, with 4 nodes. In the last hour, 1,007 passed above its limit.",
    },
  ]);
  expect(await readSlack(source, [])).toEqual([]);
});

it("says that the amount is unknown when the statistics cannot be read, and what the policy says all the same", async () => {
  const series = { read: async () => Promise.reject(new Error("no statistics")) };
  await server.client.set(keys.nodes(), "not a sorted set");
  expect(await readSlack({ redis: server.client, series }, rules)).toEqual([
    {
      rule: "req/ip/1",
      over: undefined,
      says: "Slack of req/ip/1 is 10% of each limit. What passed above its limit in the last hour cannot be read.",
    },
  ]);
});
