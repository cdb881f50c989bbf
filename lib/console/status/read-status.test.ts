import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { heartbeat } from "../../enforce/stats/membership.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { switchEdge } from "../../manage/edge/switch.ts";
import { EdgeSync } from "../../manage/edge/sync.ts";
import { FakeDictionary } from "../../manage/edge/vitest.edge.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { connectControl, connectCounters } from "../../redis/connect.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { readStatus } from "./read-status.ts";

let server: TestRedis;
let own: TestRedis;
const open: { disconnect(): void }[] = [];

beforeAll(async () => {
  [server, own] = await Promise.all([startRedis("--appendonly", "yes"), startRedis()]);
});

afterAll(async () => {
  for (const connection of open) connection.disconnect();
  await Promise.all([server.stop(), own.stop()]);
});

beforeEach(async () => {
  forgetOnce(`warnings ${server.url}`);
  forgetOnce("mode since");
  await server.client.flushall();
});

const seal = sealFrom("a secret that Redis never sees");
const who = { email: "ada@example.org", role: "staff", address: undefined } as const;
const kept = <T extends { disconnect(): void }>(connection: T) => {
  open.push(connection);
  return connection;
};

function ask(countersUrl = server.url, counters = kept(connectCounters(countersUrl, "patiently"))) {
  const redis = kept(connectControl(server.url, "patiently"));
  const patient = { redis, url: server.url, countersUrl, protectedRanges: [], seal };
  return readStatus({ patient, counters, who });
}

it("tells of a fresh install: no node, no change, rules in force and in shadow", async () => {
  const status = await ask();
  expect(status).toMatchObject({
    you: { email: "ada@example.org", role: "staff", address: null },
    redis: { isUp: true },
    nodes: [],
    counts: null,
    mode: "enforce",
    modeSince: null,
    policyVersion: 0,
    policyProblem: null,
    edgeOff: null,
    modeUntilMs: null,
    attack: null,
    newestChange: { number: 0, at: null },
    warnings: [],
  });
  expect(status.redis.latencyMs).toBeGreaterThan(0);
  expect(status.rules.filter(({ mode }) => mode === "shadow").map(({ name }) => name)).toEqual(["rate/ip"]);
  expect(status.rules[0]).toMatchObject({ limits: "300 per 5 min", onStoreError: expect.any(String) });
});

it("counts the entries that a node holds, and knows it to be current", async () => {
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  try {
    await server.client.mset(
      "blocklist:192.0.2.1",
      "x",
      "blocklist:192.0.2.2",
      "x",
      "safelist:192.0.2.3",
      "x",
    );
    await guard.ready();
    await eventually(async () => {
      const { nodes, counts } = await ask();
      expect(nodes).toMatchObject([{ app: "shop", isInSync: true, isStamped: true, lastChange: 0 }]);
      expect(counts).toEqual({ blocklist: 2, safelist: 1 });
    });
  } finally {
    await guard.close();
  }
});

it("names a node that lags, and one that cannot say how old its copy is", async () => {
  const report = { app: "shop", version: "0.1.0", host: "web-1", startedAt: 1, unknownClients: 0 };
  const counts = { safelisted: 0, blocklisted: 0 };
  await server.client.set("sluice:live:change", 9);
  await heartbeat(server.client, { ...report, ...counts, id: "a", change: 9, replicaAgeMs: 20 });
  await heartbeat(server.client, { ...report, ...counts, id: "b", change: 4, replicaAgeMs: 20 });
  await heartbeat(server.client, {
    ...{ ...report, ...counts, unknownClients: 3 },
    ...{ id: "c", change: 9, replicaAgeMs: Number.POSITIVE_INFINITY },
  });
  const { nodes } = await ask();
  expect(nodes).toMatchObject([
    { id: "a", isInSync: true, lastChange: 9, replicaAgeMs: 20, isStamped: true },
    { id: "b", isInSync: false, lastChange: 4 },
    { id: "c", isInSync: false, replicaAgeMs: null, isStamped: false },
  ]);
});

it("tells how busy a node is and how it finds its counters, as far as its version tells", async () => {
  const report = { app: "shop", version: "0.1.0", host: "web-1", startedAt: 1, unknownClients: 0 };
  const copy = { safelisted: 0, blocklisted: 0, change: 0, replicaAgeMs: 20 };
  const busy = { requestsPerSecond: 120.4, deniedPerSecond: 30.1, counters: "refused" } as const;
  await heartbeat(server.client, { ...report, ...copy, id: "a", ...busy });
  await heartbeat(server.client, { ...report, ...copy, id: "b" });
  expect((await ask()).nodes).toMatchObject([
    { id: "a", ...busy },
    { id: "b", requestsPerSecond: null, deniedPerSecond: null, counters: null },
  ]);
});

it("says who switched the mode, when and why, and notices the next one who does", async () => {
  const redis = kept(connectControl(server.url, "patiently"));
  const as = (name: string) => ({ redis, seal, actor: { name, via: "console" } });
  await setMode(as("ada@example.org"), { mode: "shadow", reason: "the new rule stops customers" });
  expect(await ask()).toMatchObject({
    mode: "shadow",
    modeSince: { at: expect.any(String), by: "ada@example.org", reason: "the new rule stops customers" },
  });
  await setMode(as("ben@example.org"), { mode: "off", reason: "worse" });
  expect(await ask()).toMatchObject({ mode: "off", modeSince: { by: "ben@example.org", reason: "worse" } });
  await setMode(as("cy@example.org"), { mode: "enforce", reason: "over" });
  expect(await ask()).toMatchObject({ mode: "enforce", modeSince: null, policyVersion: 3 });
});

it("says who switched the edge off, as soon as there is an edge", async () => {
  const redis = kept(connectControl(server.url, "patiently"));
  const signed = { redis, seal, actor: { name: "ada@example.org", via: "console" } };
  await switchEdge(signed, { isOn: false, reason: "shoppers are denied" });
  expect(await ask()).toMatchObject({ edgeOff: null });
  await new EdgeSync({ redis, dictionaries: [new FakeDictionary()] }).once();
  expect(await ask()).toMatchObject({
    edgeOff: { at: expect.any(String), by: "ada@example.org", reason: "shoppers are denied" },
  });
  await switchEdge(signed, { isOn: true, reason: "over" });
  expect(await ask()).toMatchObject({ edgeOff: null });
});

it("tells that the policy in Redis is not enforced", async () => {
  await server.client.set("sluice:live:policy", "{}");
  expect(await ask()).toMatchObject({
    mode: "enforce",
    policyProblem: expect.stringContaining("not enforced"),
  });
});

it("tells when counters have a Redis of their own, and that one is away", async () => {
  const counters = kept(connectCounters(own.url, "patiently"));
  // Connecting may take longer than a status waits for the counters.
  await counters.ping();
  expect((await ask(own.url, counters)).counters).toMatchObject({
    isUp: true,
    latencyMs: expect.any(Number),
  });
  own.freeze();
  try {
    expect((await ask(own.url, counters)).counters).toEqual({ isUp: false, latencyMs: null });
  } finally {
    own.thaw();
  }
});

it("warns of a Redis that may drop entries", async () => {
  await server.client.config("SET", "maxmemory-policy", "allkeys-lru");
  try {
    expect((await ask()).warnings).toEqual([expect.stringMatching(/allkeys-lru.*noeviction/)]);
  } finally {
    await server.client.config("SET", "maxmemory-policy", "noeviction");
  }
});
