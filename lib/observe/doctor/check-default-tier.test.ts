import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { defaultPolicy, writePolicy } from "../../enforce/policy/stored.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { defaultTier } from "./check-default-tier.ts";

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

const look = () =>
  defaultTier.run({ redis, url: server.url, countersUrl: server.url, protectedRanges: [], seal: undefined });

it("tells of customers without a tier, as long as there is no default tier", async () => {
  expect(await look()).toMatchObject([{ status: "ok" }]);
  const hour = Math.floor(Date.now() / 3_600_000);
  await server.client.hset(keys.series(3_600, hour), {
    "shop\0customer unknown": 12,
    "shop\0pass": 99,
    "docs\0pass": 5,
  });
  expect(await look()).toMatchObject([
    {
      status: "note",
      says: expect.stringMatching(/^Since \d\d:00 UTC, 12 requests came from customers without a tier/),
      details: ["shop: 12 requests"],
    },
  ]);
  const policy = { ...defaultPolicy, defaultTier: "free" };
  const stored = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "", policy };
  await server.client.set(keys.policy(), writePolicy(stored));
  expect(await look()).toMatchObject([{ status: "ok", says: expect.stringContaining("default tier, free") }]);
});

it("counts what a guard reports of a customer that has neither", async () => {
  const guard = createGuard({ redis: server.url, app: "storefront", log: () => {} });
  try {
    await guard.ready();
    for (let i = 0; i < 3; i++) await guard.check({ ip: "203.0.113.9", path: "/", customerId: "stranger" });
    await guard.check({ ip: "203.0.113.9", path: "/" });
    await eventually(async () =>
      expect(await look()).toMatchObject([{ status: "note", details: ["storefront: 3 requests"] }]),
    );
  } finally {
    await guard.close();
  }
});
