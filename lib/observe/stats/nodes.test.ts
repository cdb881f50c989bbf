import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { acknowledge, heartbeat, leave, type NodeReport } from "../../enforce/stats/membership.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { changeProgress, countNodes, isInSync, listNodes, readNewestChange } from "./nodes.ts";

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

it("reads what a node's version reports: how busy it is, and the state of its counters", async () => {
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

it("counts the nodes that are live, not the names that the dead have left", async () => {
  expect(await countNodes(server.client)).toBe(0);
  for (const id of ["a", "b", "dead"]) await heartbeat(server.client, report(id));
  expect(await countNodes(server.client)).toBe(3);
  await server.client.zincrby("sluice:nodes", -8_001, "dead");
  expect(await countNodes(server.client)).toBe(2);
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
    const slowest: number[] = [];
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
      });
      slowest.push(Math.max(...reached.map(({ tookMs }) => tookMs)));
    }
    // The median: on a busy machine, a single change may take longer.
    expect(slowest.toSorted((a, b) => a - b)[4]).toBeLessThanOrEqual(250);
  } finally {
    await Promise.all(fleet.map((guard) => guard.close()));
  }
});

it("reads the newest change, when it was made, and Redis' clock", async () => {
  const before = Date.now();
  await server.client.mset("sluice:live:change", 7);
  await server.client.hset("sluice:change:7", "at", before);
  const newest = await readNewestChange(server.client);
  expect(newest).toMatchObject({ number: 7, at: before });
  expect(Math.abs(newest.now - before)).toBeLessThan(5_000);
});

it("knows of no change, and of one that was made long ago", async () => {
  expect(await readNewestChange(server.client)).toMatchObject({ number: 0, at: undefined });
  await server.client.set("sluice:live:change", 3);
  expect(await readNewestChange(server.client)).toMatchObject({ number: 3, at: undefined });
});

const newest = { number: 7, at: 10_000, now: 60_000 };
const node = (change: number, replicaAgeMs = 400) => ({ change, replicaAgeMs });

it("holds a node against the newest change", () => {
  expect(isInSync(node(7), newest)).toBe(true);
  expect(isInSync(node(6), newest)).toBe(false);
  expect(isInSync(node(Number.NaN), newest)).toBe(false);
});

it("knows that numbers begin again when Redis was emptied", () => {
  expect(isInSync(node(41), { number: 1, at: undefined, now: 60_000 })).toBe(true);
});

it("gives a change a moment to arrive, but not to a node that missed the one before, too", () => {
  const fresh = { ...newest, now: newest.at + 999 };
  expect(isInSync(node(6), fresh)).toBe(true);
  expect(isInSync(node(5), fresh)).toBe(false);
  expect(isInSync(node(6), { ...fresh, now: newest.at + 1_000 })).toBe(false);
  expect(isInSync(node(6), { ...fresh, at: undefined })).toBe(false);
});

it("trusts no copy that was not confirmed for five seconds", () => {
  expect(isInSync(node(7, 5_000), newest)).toBe(true);
  expect(isInSync(node(7, 5_001), newest)).toBe(false);
  expect(isInSync(node(7, Number.POSITIVE_INFINITY), newest)).toBe(false);
});
