import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { heartbeat, type NodeReport } from "../stats/nodes.ts";
import { nodes } from "./nodes.ts";

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
    ...{ id, app: "shop", version: "0", host: "there", startedAt: 0, change: 0, replicaAgeMs: 10 },
    ...{ safelisted: 0, blocklisted: 0, unknownClients: 0 },
    ...says,
  });

const look = () =>
  nodes.look({ redis, url: server.url, countersUrl: server.url, protectedRanges: [], seal: undefined });

it("tells how busy the nodes are that say so", async () => {
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

it("names the nodes that cannot count, and why", async () => {
  await speak("well", { counters: "ok" });
  await speak("cut off", { counters: "away" });
  await speak("full", { counters: "refused" });
  const [found] = await look();
  expect(found?.status).toBe("problem");
  expect(found?.says).toMatch(
    /^Without counters: (?=.*cut off \(there is no connection\))(?=.*full \(they refuse)/,
  );
  expect(found?.says).not.toContain("well");
});
