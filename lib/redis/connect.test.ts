import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createGuard } from "../enforce/guard/guard.ts";
import { connectControl, connectCounters } from "./connect.ts";
import { eventually, startRedis } from "./testing.ts";
import { startCluster, startSentinelSet } from "./testing-topologies.ts";

it("finds the master through Sentinel, and its successor after a failover", { timeout: 60_000 }, async () => {
  const set = await startSentinelSet();
  const guard = createGuard({ redis: set.url, app: "shop", log: () => {} });
  const becomesBlocked = (ip: string) =>
    eventually(async () => expect((await guard.check({ ip })).outcome).toBe("blocked"));
  try {
    await guard.ready();
    await set.master.client.set("blocklist:203.0.113.9", "x");
    await becomesBlocked("203.0.113.9");
    expect(await set.master.client.wait(1, 10_000)).toBeGreaterThanOrEqual(1);
    await set.master.kill();
    expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
    await set.promotion();
    await set.replica.client.set("blocklist:203.0.113.10", "x");
    await becomesBlocked("203.0.113.10");
    expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked");
  } finally {
    await guard.close();
    await set.stop();
  }
});

it("keeps counters on a cluster, and refuses one for the lists", { timeout: 60_000 }, async () => {
  const cluster = await startCluster();
  const counters = connectCounters(cluster.url, "patiently");
  try {
    const names = Array.from({ length: 50 }, (_, i) => `counter:{client-${i}}`);
    await Promise.all(names.map((name) => counters.incrby(name, 2)));
    expect(await Promise.all(names.map((name) => counters.get(name)))).toEqual(names.map(() => "2"));
    const sizes = await Promise.all(cluster.nodes.map(({ client }) => client.dbsize()));
    expect(sizes.every((size) => size > 0)).toBe(true);
    expect(() => connectControl(cluster.url, "patiently")).toThrow(
      /only COUNTERS_REDIS_URL may be a cluster/,
    );
  } finally {
    counters.disconnect();
    await cluster.stop();
  }
});

it("shows every node of a cluster the password that one of its addresses has", {
  timeout: 60_000,
}, async () => {
  const cluster = await startCluster();
  for (const { client } of cluster.nodes) await client.config("SET", "requirepass", "s3cret");
  const counters = connectCounters(`redis://:s3cret@${cluster.url.replace("redis://", "")}`, "patiently");
  try {
    const names = Array.from({ length: 20 }, (_, i) => `counter:{client-${i}}`);
    await Promise.all(names.map((name) => counters.set(name, "1")));
    const sizes = await Promise.all(cluster.nodes.map(({ client }) => client.dbsize()));
    expect(sizes.every((size) => size > 0)).toBe(true);
  } finally {
    counters.disconnect();
    await cluster.stop();
  }
});

it("copies the settings of an instance that an app hands over, and leaves the instance alone", async () => {
  const server = await startRedis("--requirepass", "s3cret");
  const url = server.url.replace("//", "//:s3cret@");
  const own = connectControl(url, "patiently", "the app's own");
  const guard = createGuard({ redis: own, app: "shop", log: () => {} });
  try {
    await guard.ready();
    await own.set("blocklist:203.0.113.9", "x");
    await eventually(async () => expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked"));
    await guard.close();
    expect(await own.ping()).toBe("PONG");
  } finally {
    own.disconnect();
    await server.stop();
  }
});

it("fails at once while there is no server, when told to be prompt", async () => {
  const server = await startRedis();
  await server.stop();
  const redis = connectControl(server.url, "promptly");
  await expect(redis.get("x")).rejects.toThrow();
  redis.disconnect();
});

it("reaches a server by its socket, whatever is in its path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice socket %41 ?#"));
  const path = join(folder, "redis.sock");
  const server = await startRedis("--unixsocket", path);
  const guard = createGuard({ redis: path, app: "shop", log: () => {} });
  try {
    await guard.ready();
    await server.client.set("blocklist:203.0.113.9", "x");
    await eventually(async () => expect((await guard.check({ ip: "203.0.113.9" })).outcome).toBe("blocked"));
  } finally {
    await guard.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
