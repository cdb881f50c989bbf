import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listNodes } from "../../observe/stats/nodes.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";

let control: TestRedis;
let counters: TestRedis;
let guard: Guard;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
});

beforeEach(async () => {
  guard = createGuard({ redis: control.url, counters: counters.url, app: "shop", log: () => {} });
  await guard.ready();
});

afterEach(() => guard.close());

afterAll(() => Promise.all([control.stop(), counters.stop()]));

it("tells the fleet how much a node has to do, and what of it is denied, in few bytes", async () => {
  await control.client.set("blocklist:203.0.113.9", "x");
  await eventually(async () => expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked"));
  for (let i = 0; i < 200; i++) await guard.check({ ip: i % 4 ? "192.0.2.1" : "203.0.113.9" });
  // A heartbeat may come between these requests, or between the last ones and their report.
  await eventually(async () => {
    const [node] = await listNodes(control.client);
    expect(node).toMatchObject({ app: "shop", counters: "ok" });
    // 200 requests within ten seconds, and a fourth of them denied, beside those of the wait.
    expect(node?.requestsPerSecond).toBeGreaterThanOrEqual(20);
    expect(node?.deniedPerSecond).toBeGreaterThanOrEqual(5);
    expect(node?.deniedPerSecond).toBeLessThan(node?.requestsPerSecond ?? 0);
  });
  const [key = ""] = await control.client.keys("sluice:node:*");
  expect(Object.entries(await control.client.hgetall(key)).join("").length).toBeLessThan(400);
});

it("tells the fleet that a node has lost its counters", async () => {
  await counters.kill();
  await eventually(async () => expect(await listNodes(control.client)).toMatchObject([{ counters: "away" }]));
});
