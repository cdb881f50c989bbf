import { afterAll, beforeAll, expect, it } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { scopeOf } from "../../enforce/policy/match.ts";
import { policySchema } from "../../enforce/policy/schema.ts";
import { writePolicy } from "../../enforce/policy/stored.ts";
import { shadowedText } from "../../enforce/stats/fields.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { eventually, inOneWindow, startRedis, type TestRedis } from "../../redis/testing.ts";
import { ScopeHistory } from "./scope-history.ts";
import { readScopeRates } from "./scope-rates.ts";
import { readRuleCounts, Series } from "./series.ts";
import { readShadowClients } from "./shadow-clients.ts";

let server: TestRedis;
let redis: Connection;
let guard: Guard;

const policy = policySchema.parse({
  mode: "enforce",
  rules: [
    {
      ...{ name: "login", client: "ip", algorithm: "fixed", mode: "shadow" },
      match: { only: ["/login"], methods: ["POST"] },
      levels: [
        { limit: 5, periodSeconds: 60 },
        { limit: 8, periodSeconds: 3_600 },
      ],
    },
    {
      ...{ name: "api", client: "customer", algorithm: "fixed", mode: "shadow", levels: "tier" },
      match: { only: ["/api"], who: "customers" },
    },
  ],
  tiers: {
    pro: {
      levels: [
        { limit: 2, periodSeconds: 60 },
        { limit: 3, periodSeconds: 3_600 },
      ],
    },
  },
});

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  const saved = { version: 1, at: new Date(0).toISOString(), by: "ada@example.org", reason: "", policy };
  await server.client.set(keys.policy(), writePolicy(saved));
  await server.client.set(keys.tier("acme" as CustomerId), "pro");
  guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  await guard.ready();
});

afterAll(async () => {
  await guard.close();
  redis.disconnect();
  await server.stop();
});

const check = async (count: number, request: Parameters<Guard["check"]>[0]) => {
  for (let i = 0; i < count; i++) await guard.check(request);
};

it("finds the clients of rules in shadow with several levels, and the busiest of what they count", async () => {
  await inOneWindow(server.client, 60);
  const login = { method: "POST", path: "/login" };
  await check(35, { ip: "203.0.113.9", ...login });
  await check(9, { ip: "203.0.113.10", ...login, customerId: "acme" });
  await check(3, { ip: "203.0.113.11", ...login });
  for (let i = 0; i < 50; i++) await check(2, { ip: `198.51.100.${i}`, path: "/login" });
  await check(7, { ip: "203.0.113.10", path: "/api/cart", customerId: "acme" });

  const of = async (rule: string) => {
    const nowMs = Date.now();
    const counts = await readRuleCounts(new Series(redis), { policy, minutes: 60, nowMs });
    const { found } = await readShadowClients(redis, { rule, minutes: 60, nowMs });
    return [counts.find((one) => one.rule === rule)?.shadowed, found];
  };
  await eventually(async () => {
    expect(await of("login")).toEqual([
      30 + 4,
      [
        { client: "203.0.113.10", customerId: "acme", requests: 4 },
        { client: "203.0.113.9", customerId: undefined, requests: 30 },
      ],
    ]);
    // Each request once, however many levels it exceeds.
    expect(await of("api")).toEqual([5, [{ client: "acme", customerId: "acme", requests: 5 }]]);
  }, 10_000);

  const [rule] = policy.rules;
  const query = { scope: (rule && scopeOf(rule)?.key) ?? "", periodSeconds: 60, spanMinutes: 60 };
  const { found } = await readScopeRates(new ScopeHistory(redis), { ...query, nowMs: Date.now() });
  expect(found.map(({ client, peak }) => [client, peak])).toEqual([
    ["203.0.113.9", 35],
    ["203.0.113.10", 9],
    ["203.0.113.11", 3],
  ]);
});

it("keeps a bounded number of clients, the heaviest, and says that it did", async () => {
  const minute = Math.floor(Date.now() / 60_000);
  const clients = Array.from({ length: 300 }, (_, i) => [
    1 + i,
    shadowedText(`10.0.${i >> 8}.${i & 255}`, undefined),
  ]);
  await server.client.zadd(keys.shadowHitters(minute, "crowd"), ...clients.flat());
  const { found, isCut } = await readShadowClients(redis, { rule: "crowd", minutes: 2, nowMs: Date.now() });
  expect([found.length, isCut, found[0]?.requests]).toEqual([300, true, 300]);
});
