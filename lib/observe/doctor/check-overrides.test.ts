import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { version } from "../../enforce/guard/version.ts";
import { policyFormat } from "../../enforce/policy/versions.ts";
import { heartbeat, type NodeReport } from "../../enforce/stats/report.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { overrides } from "./check-overrides.ts";

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
const write = (name: string, tier: string) => {
  const written = {
    expiresAt: null,
    reason: "",
    by: "ada@example.org",
    via: "console",
    at: "2026-01-01T00:00:00Z",
  };
  return server.client.hset(keys.sharedOverrides(), name, JSON.stringify({ tier, ...written }));
};
const look = () =>
  overrides.run({ redis, url: server.url, countersUrl: server.url, protectedRanges: [], seal: undefined });

it("says that all are enforced, or that there are none", async () => {
  await speak("older", {});
  expect(await look()).toMatchObject([{ status: "ok", says: expect.stringMatching(/^No group/) }]);
  await server.client.flushall();
  await speak("fine", { overridesFormat: 1 });
  await write("premium_*", "pro");
  expect(await look()).toMatchObject([
    { status: "ok", says: "1 override of groups and patterns, all enforced." },
  ]);
});

it("names nodes that ignore them, a tier that the policy does not know, and hidden uses", async () => {
  await speak("older", {});
  await speak("refused", { overridesFormat: 0 });
  await write("premium_*", "gold");
  expect(await look()).toMatchObject([
    { status: "problem", says: expect.stringMatching(/^1 node of an earlier version/), details: ["older"] },
    { status: "problem", details: ["premium_*: gold"] },
    { status: "note", cure: expect.stringContaining("sluice:overrides:used") },
  ]);
});
