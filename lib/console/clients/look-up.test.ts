import { expect, it } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { sendOwners } from "../../enforce/stats/report.ts";
import { ip, testLists } from "../../manage/lists/vitest.context.ts";
import { saveSharedOverride } from "../../manage/overrides/save-shared.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { ensureReferenceKey } from "../../manage/references/reference-keys.ts";
import { lookUp } from "./look-up.ts";

const lists = testLists();
const yours = ip("198.51.100.24");
const find = (text: string) =>
  lookUp({ ...lists.ctx(), scales: createScales(lists.ctx().redis, { withinMs: 5_000 }) }, { text, yours });

it("finds what covers an address, the entry that decides first", async () => {
  await lists.client.mset(
    ...["blocklist:203.0.113.9", '{"reason":"stuffing","by":"ada@example.org"}'],
    ...["blocklist:203.0.113.0/24", "by hand"],
    ...["safelist:203.0.113.0/26", "campus"],
  );
  expect(await find(" 203.0.113.9 ")).toMatchObject({
    address: {
      text: "203.0.113.9",
      isRange: false,
      isYours: false,
      covering: [
        { list: "safelist", address: "203.0.113.0/26", reason: "campus", by: null, expiresAt: null },
        { list: "blocklist", address: "203.0.113.9", reason: "stuffing", by: "ada@example.org" },
        { list: "blocklist", address: "203.0.113.0/24", reason: "by hand" },
      ],
    },
    suggestion: null,
    customer: null,
  });
});

it("says why an entry that is there is not enforced", async () => {
  await lists.client.set("blocklist:10.1.0.0/16", "x");
  const { address } = await find("10.1.2.3");
  expect(address?.covering).toMatchObject([{ notEnforced: expect.any(String) }]);
});

it("takes a range, in any spelling, and knows your own address", async () => {
  expect((await find("2001:DB8:0::/48")).address).toMatchObject({ text: "2001:db8::/48", isRange: true });
  expect((await find("::ffff:198.51.100.24")).address).toMatchObject({ text: yours, isYours: true });
});

it("offers what was probably meant", async () => {
  expect(await find("203.0.113.9/24")).toMatchObject({
    address: null,
    suggestion: { text: "203.0.113.0/24", reason: expect.stringContaining("203.0.113.0/24") },
    problem: null,
  });
});

it("says what is wrong with something that looks like an address, and only then", async () => {
  expect(await find("203.0.113.256")).toMatchObject({
    problem: expect.stringContaining("at most 255"),
    customer: null,
  });
  expect((await find("2001:db8::g")).problem).toMatch(/hexadecimal/);
  expect((await find("1042")).problem).toBeNull();
  expect((await find("blocklist")).problem).toBeNull();
});

it("knows a customer by its tier or its own levels, and offers an id that is not known yet", async () => {
  await lists.client.set("customer:1042:tier_redis", "pro");
  await lists.client.hset("customer:2210:throttle_hash", "60", "5");
  expect((await find("1042")).customer).toEqual({
    id: "1042",
    isKnown: true,
    tier: "pro",
    hasOverride: false,
  });
  expect((await find("2210")).customer).toMatchObject({ isKnown: true, tier: null, hasOverride: true });
  expect((await find("77")).customer).toMatchObject({ id: "77", isKnown: false });
  expect((await find("not an id")).customer).toBeNull();
});

it("knows a customer without a tier by its signed-in requests", async () => {
  await sendOwners(lists.ctx().redis, [{ customer: "3008", address: "192.0.2.30", requests: 1 }]);
  const known = { isKnown: true, tier: null, hasOverride: false };
  expect((await find("3008")).customer).toEqual({ id: "3008", ...known });
  expect((await find("300")).customer).toMatchObject({ isKnown: false });
});

it("never takes an address for a new customer, but finds one whose id is an address", async () => {
  expect((await find("203.0.113.77")).customer).toBeNull();
  await lists.client.set("customer:203.0.113.77:tier_redis", "free");
  expect((await find("203.0.113.77")).customer).toMatchObject({ isKnown: true, tier: "free" });
});

it("finds the counter of a header's or cookie's value, by the value alone", async () => {
  const levels = [{ limit: 1, periodSeconds: 3_600 }];
  const rule = (name: string, client: object) => ({ name, client, algorithm: "first-hit", levels });
  const match = { only: ["/api"], methods: ["POST"], apps: ["shop"] };
  const rules = [
    { ...rule("key", { header: "x-api-key" }), match },
    rule("session", { cookie: "sid" }),
    rule("both", { all: ["ip", { header: "x-api-key" }] }),
  ];
  const policy = { mode: "enforce", rules, tiers: {} };
  await setPolicy(lists.ctx(), { policy, basedOn: 0, reason: "a test" });
  const { host, port } = lists.ctx().redis.options;
  const guard = createGuard({ redis: `redis://${host}:${port}`, app: "shop", log: () => {} });
  await guard.ready();
  const request = {
    ip: "203.0.113.9",
    method: "POST",
    path: "/api/x",
    headers: { "x-api-key": "sk_live_1" },
  };
  await guard.check(request);
  await guard.close();
  const { values } = await find(" sk_live_1 ");
  expect(values).toEqual([
    {
      ...{ name: "key", rule: "key", isOver: true },
      counts: expect.stringMatching(/^x-api-key:hmac-[0-9a-f]{32}$/),
      says: expect.stringMatching(/^key: 1 of 1 per 1 h for x-api-key:hmac-\S+: would be denied, /),
    },
  ]);
  expect((await find("sk_live_2")).values).toEqual([]);
});

it("finds rules by a part of their names", async () => {
  const levels = [{ limit: 5, periodSeconds: 60 }];
  const rules = ["login", "req/ip"].map((name) => ({ name, client: "ip", algorithm: "fixed", levels }));
  const policy = { mode: "enforce", rules, tiers: {} };
  await setPolicy(lists.ctx(), { policy, basedOn: 0, reason: "a test" });
  expect((await find("LOG")).rules).toEqual([
    { name: "login", mode: "enforce", says: expect.stringContaining("5 per 1 min, counted by ") },
  ]);
  expect((await find("nothing")).rules).toEqual([]);
  expect((await find("203.0.113.9")).rules).toEqual([]);
});

it("finds groups and patterns of customers by a part of their names, and patterns by an id", async () => {
  const levels = [{ limit: 20_000, periodSeconds: 3_600 }];
  for (const name of ["premium_*", "beta"])
    await saveSharedOverride(lists.ctx(), { name, levels, reason: "a test" });
  const namesFor = async (text: string) => (await find(text)).overrides.map(({ name }) => name);
  expect((await find("BET")).overrides).toEqual([{ name: "beta", says: "20,000 per 1 h" }]);
  expect(await namesFor("premium_7")).toEqual(["premium_*"]);
  expect(await namesFor("premi")).toEqual(["premium_*"]);
  expect(await namesFor("other")).toEqual([]);
});

it("reads the reference of a denial, and says what is wrong with one that cannot be read", async () => {
  const { redis } = lists.ctx();
  await ensureReferenceKey(redis);
  await lists.client.set("blocklist:203.0.113.0/24", "x");
  const { host, port } = redis.options;
  const guard = createGuard({ redis: `redis://${host}:${port}`, app: "shop", log: () => {} });
  await guard.ready();
  const { reference = "" } = await guard.check({ ip: "203.0.113.9" });
  await guard.close();
  expect(await find(reference)).toMatchObject({
    denial: {
      ...{ outcome: "blocked", client: "203.0.113.9", entry: "203.0.113.0/24", rule: null },
      says: expect.stringMatching(
        /^203\.0\.113\.9 was blocked in .* by blocklist entry 203\.0\.113\.0\/24\.$/,
      ),
      now: expect.stringMatching(/^It still applies: /),
    },
    ...{ address: null, problem: null },
  });
  expect(await find(`${reference}0`)).toMatchObject({
    ...{ denial: null, problem: expect.stringMatching(/is wrong or missing/) },
  });
});
