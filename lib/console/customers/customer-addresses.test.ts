import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { createGuard } from "../../enforce/guard/guard.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { Feeds } from "../../enforce/lists/feeds.ts";
import { sendOwners } from "../../enforce/stats/report.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { readCustomerAddresses } from "./customer-addresses.ts";

let server: TestRedis;
let redis: Connection;
const parsed = parseCustomerId("acme");
if (!parsed.ok) throw new Error(parsed.reason);
const acme = parsed.value;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await server.client.flushall();
  await server.client.set(keys.tier(acme), "enterprise");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const read = () =>
  readCustomerAddresses(
    {
      redis,
      protectedRanges: [],
      scales: createScales(redis, { withinMs: 2_000 }),
      entriesInside,
      readFeeds: async () => new Feeds(),
    },
    acme,
  );

/** Range → number of entries inside of it, as the console's copy has them. */
const insideOf = new Map<string, number>();
const entriesInside = async () => (_: string, range: string) => insideOf.get(range) ?? 0;

const uses = (...addresses: string[]) =>
  sendOwners(
    redis,
    addresses.map((address) => ({ address, customer: "acme", requests: 1 })),
  );

it("names the entry that blocks a customer's only address, although its limits let it pass", async () => {
  await uses("192.0.2.30");
  expect((await read()).addresses).toMatchObject([{ address: "192.0.2.30", outcome: "pass", entry: null }]);
  const note = {
    reason: "WAF ticket 991",
    by: "admin@example.org",
    at: "2026-11-18T20:42:00.000Z",
    via: "console",
  };
  await server.client.set("blocklist:192.0.2.0/28", JSON.stringify(note), "EX", 3_600);
  const { addresses, total } = await read();
  expect(total).toBe(1);
  expect(addresses).toMatchObject([{ address: "192.0.2.30", outcome: "pass" }]);
  await server.client.set("blocklist:192.0.2.16/28", JSON.stringify(note), "EX", 3_600);
  const [blocked] = (await read()).addresses;
  expect(blocked).toMatchObject({
    outcome: "blocked",
    entry: { address: "192.0.2.16/28", reason: note.reason, by: note.by, at: note.at },
    rule: null,
  });
  expect(blocked?.entry?.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
  await server.client.set("safelist:192.0.2.30", "partner");
  expect((await read()).addresses).toMatchObject([{ outcome: "safelisted", entry: null }]);
});

it("reads an IPv6 network, and each address alone", async () => {
  await uses("2001:db8:1:2::/64", "192.0.2.31");
  await server.client.set("blocklist:2001:db8:1::/48", "scanner");
  const { addresses } = await read();
  expect(new Map(addresses.map(({ address, outcome }) => [address, outcome]))).toEqual(
    new Map([
      ["2001:db8:1:2::/64", "blocked"],
      ["192.0.2.31", "pass"],
    ]),
  );
});

it("counts the entries that block a part of an IPv6 network", async () => {
  await uses("2001:db8:1:2::/64", "192.0.2.31");
  insideOf.set("2001:db8:1:2::/64", 2);
  const { addresses } = await read();
  const found = new Map(addresses.map(({ address, blockedInside }) => [address, blockedInside]));
  expect(found).toEqual(
    new Map([
      ["2001:db8:1:2::/64", 2],
      ["192.0.2.31", 0],
    ]),
  );
  insideOf.clear();
});

it("names the rule that throttles the address, and not the customer's own limit", async () => {
  const levels = [{ limit: 1, periodSeconds: 3_600 }];
  const rules = [
    {
      name: "by-address",
      client: "ip" as const,
      algorithm: "gcra" as const,
      levels: [{ limit: 9, periodSeconds: 3_600 }],
    },
    { name: "own", client: "customer" as const, algorithm: "gcra" as const, levels: "tier" as const },
  ];
  const policy = { mode: "enforce" as const, rules, tiers: { enterprise: { levels } } };
  const by = {
    redis,
    actor: { name: "ada@example.org", via: "console" },
    seal: sealFrom("a secret of the tests"),
  };
  await setPolicy(by, { policy, basedOn: 0, reason: "a test" });
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    const throttled = (ip: string, customerId?: string) =>
      eventually(async () => {
        expect((await guard.check({ ip, customerId })).outcome).toBe("throttled");
      });
    await throttled("192.0.2.30");
    await uses("192.0.2.30");
    expect((await read()).addresses).toMatchObject([{ outcome: "throttled", rule: { name: "by-address" } }]);
    await throttled("192.0.2.31", "acme");
    await eventually(async () => {
      const { addresses } = await read();
      expect(addresses.find(({ address }) => address === "192.0.2.31")).toMatchObject({
        ...{ outcome: "throttled", rule: null, entry: null },
      });
    }, 10_000);
  } finally {
    await guard.close();
  }
});
