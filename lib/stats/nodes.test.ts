import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../guard/guard.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { acknowledge, changeProgress, heartbeat, leave, listNodes, type NodeReport } from "./nodes.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(() => server.client.flushall());

const report = (id: string, change = 0): NodeReport => ({
  id,
  app: "shop",
  version: "0.1.0",
  host: "web-1",
  startedAt: 1,
  change,
  replicaAgeMs: 12,
  safelisted: 3,
  blocklisted: 40,
  unknownClients: 0,
});

const made = (change: number) => server.client.hset(`sluice:change:${change}`, "at", Date.now());

it("lists the nodes that speak, as they last described themselves", async () => {
  await heartbeat(server.client, report("a", 7));
  expect(await listNodes(server.client)).toEqual([{ ...report("a", 7), seenAt: expect.any(Number) }]);
  await leave(server.client, "a");
  expect(await listNodes(server.client)).toEqual([]);
});

it("knows of a node what its version tells: how busy it is, and how it finds its counters", async () => {
  const telling = {
    ...report("a"),
    requestsPerSecond: 12.5,
    deniedPerSecond: 0.3,
    counters: "late",
  } as const;
  await heartbeat(server.client, telling);
  expect(await listNodes(server.client)).toEqual([{ ...telling, seenAt: expect.any(Number) }]);
  await server.client.hset("sluice:node:a", "counters", "a word of a later version");
  const { counters: _, ...rest } = telling;
  expect(await listNodes(server.client)).toEqual([{ ...rest, seenAt: expect.any(Number) }]);
});

it("forgets a node that died, within ten seconds", async () => {
  await heartbeat(server.client, report("dead"));
  expect(await server.client.pttl("sluice:node:dead")).toBeLessThanOrEqual(10_000);
  await server.client.pexpire("sluice:node:dead", 1);
  await eventually(async () => expect(await listNodes(server.client)).toEqual([]));
});

it("knows how far a change got, and names the node that lags", async () => {
  for (const id of ["a", "b", "c"]) await heartbeat(server.client, report(id, 1));
  await made(2);
  await made(3);
  await acknowledge(server.client, "a", 1, 3);
  await acknowledge(server.client, "b", 1, 2);
  expect(await changeProgress(server.client, 2)).toMatchObject({
    nodes: 3,
    reached: expect.arrayContaining([
      { id: "a", app: "shop", tookMs: expect.any(Number) },
      { id: "b", app: "shop", tookMs: expect.any(Number) },
    ]),
    lagging: [{ id: "c", app: "shop" }],
  });
  const { lagging } = await changeProgress(server.client, 3);
  expect(lagging.map(({ id }) => id)).toEqual(["b", "c"]);
});

it("acknowledges nothing on behalf of a change that is long over", async () => {
  await heartbeat(server.client, report("a"));
  await acknowledge(server.client, "a", 0, 5_000);
  expect(await server.client.keys("sluice:change:*")).toEqual([]);
});

it("hears from each node of a fleet soon after a change, also when Redis was emptied", async () => {
  const fleet = ["a", "b", "c"].map((app) => createGuard({ redis: server.url, app, log: () => {} }));
  try {
    await Promise.all(fleet.map((guard) => guard.ready()));
    await eventually(async () => expect(await listNodes(server.client)).toHaveLength(3));
    for (const change of [1, 2, 3, 4, 5, 1, 2, 3]) {
      if (change === 1) await server.client.flushall();
      await server.client
        .multi()
        .set(`blocklist:192.0.2.${change}`, "x")
        .hset(`sluice:change:${change}`, "at", Date.now())
        .set("sluice:live:change", change)
        .exec();
      const { reached } = await eventually(async () => {
        const progress = await changeProgress(server.client, change);
        expect(progress.reached).toHaveLength(3);
        return progress;
      }, 2_000);
      expect(Math.max(...reached.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(250);
    }
  } finally {
    await Promise.all(fleet.map((guard) => guard.close()));
  }
});
