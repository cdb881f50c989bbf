import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { version } from "../../enforce/guard/version.ts";
import { policyFormat } from "../../enforce/policy/versions.ts";
import { heartbeat, type NodeReport } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { nodes } from "./check-nodes.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => server.client.flushall());

const speak = (id: string, says: Partial<NodeReport>) =>
  heartbeat(server.client, {
    ...{ id, app: "shop", version, host: "there", startedAt: 0, change: 0, replicaAgeMs: 10 },
    ...{ safelisted: 0, blocklisted: 0, unknownClients: 0, policyFormat },
    ...says,
  });

const look = () =>
  nodes.run({ redis, url: server.url, countersUrl: server.url, protectedRanges: [], seal: undefined });

it("shows the rates of nodes that report them", async () => {
  await speak("busy", { requestsPerSecond: 120.4, deniedPerSecond: 30, counters: "ok" });
  await speak("silent", {});
  expect(await look()).toMatchObject([
    {
      status: "ok",
      details: expect.arrayContaining([
        expect.stringMatching(/^busy: .*120\.4 requests\/s of which 30 denied/),
        expect.not.stringContaining("requests/s"),
      ]),
    },
  ]);
});

it("names nodes of an earlier version, by their version or by the policies that they understand", async () => {
  await speak("current", {});
  await speak("next", { version: "10.0.0", policyFormat: policyFormat + 1 });
  await speak("last", { version: "0.0.12" });
  await speak("one before", { policyFormat: policyFormat - 1 });
  await speak("first", {});
  await server.client.hdel(keys.node("first"), "policyFormat");
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "note",
      says: expect.stringMatching(/^3 nodes of an earlier version: (?=.*last)(?=.*one before)(?=.*first)/),
      details: expect.arrayContaining([
        expect.stringContaining("last: host there, version 0.0.12,"),
        expect.stringContaining("first: host there, version 0.1.0, policy format 1;"),
      ]),
    },
  ]);
});

it("notes nodes whose account may not report customers of addresses", async () => {
  await speak("refused", { ownersFormat: 0 });
  await speak("starting", { ownersFormat: 0, startedAt: Date.now() });
  await speak("fine", { ownersFormat: 1 });
  await speak("older", {});
  expect(await look()).toMatchObject([
    { status: "ok" },
    { status: "note", says: expect.stringMatching(/^1 node cannot report customers/), details: ["refused"] },
  ]);
});

it("names nodes that ignore feeds, once there is a feed", async () => {
  await speak("fine", { feedsFormat: 1 });
  await speak("refused", { feedsFormat: 0 });
  await speak("older", {});
  expect(await look()).toMatchObject([{ status: "ok" }]);
  await server.client.hset(keys.feeds(), "scanners", "{}");
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "problem",
      details: [expect.stringMatching(/^older: version/)],
      cure: expect.stringContaining("Update"),
    },
    {
      status: "problem",
      details: [expect.stringMatching(/^refused: version/)],
      cure: expect.stringContaining("sluice:feed"),
    },
  ]);
});

it.each([
  ["15.5.3", true],
  ["15.5.20", true],
  ["15.5.21", false],
  ["15.6.0-canary.3", false],
  ["16.0.0", true],
  ["16.2.10", true],
  ["16.2.11", false],
  ["16.4.5", false],
  ["17.0.0", false],
  ["14.2.30", true],
  ["unreadable", true],
])("judges an app that runs Next %s: old is %s", async (next, isOld) => {
  await speak("one", { next, app: "blog" });
  await speak("other", { next: "16.4.5" });
  await speak("of an older version", {});
  const found = await look();
  expect(found[0]).toMatchObject({
    status: "ok",
    details: expect.arrayContaining([expect.stringContaining(`Next ${next}`)]),
  });
  const old = { status: "problem", says: expect.stringMatching(/past proxy\.ts.*: blog \(/) };
  expect(found.slice(1)).toMatchObject(isOld ? [old] : []);
});

it.each([
  ["18.20.8", true],
  ["20.20.0", true],
  ["21.7.3", true],
  ["22.12.0", false],
  ["23.11.1", true],
  ["24.1.0", false],
  ["25.0.0", false],
  ["26.0.0", false],
  ["unreadable", true],
])("judges an app that runs Node %s: unmaintained is %s", async (node, isOld) => {
  await speak("one", { node, app: "blog" });
  await speak("of an older version", {});
  const [, ...found] = await look();
  const old = { status: "note", says: expect.stringContaining(`no security fixes: blog (${node}).`) };
  expect(found).toMatchObject(isOld ? [old] : []);
});

it("names the nodes without counters, and why", async () => {
  await speak("well", { counters: "ok" });
  await speak("cut off", { counters: "away" });
  await speak("full", { counters: "refused" });
  const [found] = await look();
  expect(found?.status).toBe("problem");
  expect(found?.says).toMatch(
    /^Without counters: (?=.*cut off \(there is no connection\))(?=.*full \(they reject)/,
  );
  expect(found?.says).not.toContain("well");
});

it("notes apps whose session gives customers a tier that is ignored", async () => {
  await speak("wrong", { ignoredLimits: 'tier: the policy has no tier "gold"' });
  await speak("fine", {});
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "note",
      says: expect.stringMatching(/^App shop gives customers a tier or limits that are ignored/),
      details: ['wrong: tier: the policy has no tier "gold"'],
    },
  ]);
});
