import { describe, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { setPolicy } from "../policy/set.ts";
import { clearOverride } from "./clear-override.ts";
import { readCustomer } from "./read.ts";
import { setOverride } from "./set-override.ts";
import { setTier } from "./set-tier.ts";

const log = testLog();
const acme = customer("acme");
const tierKey = "customer:acme:tier_redis";
const hashKey = "customer:acme:throttle_hash";
const levels = [
  { limit: 7, periodSeconds: 60 },
  { limit: 100, periodSeconds: 3_600 },
];
const tier = (name: string | null, reason = "upgrade") =>
  setTier(log.signed(), { id: acme, tier: name, reason });
const override = (given: Partial<Parameters<typeof setOverride>[1]> = {}) =>
  setOverride(log.signed(), { id: acme, levels, reason: "big launch", ...given });
const look = () => readCustomer(log.signed().redis, acme);

describe("a tier", () => {
  it("is set, with a record and a number that nodes acknowledge", async () => {
    expect(await tier("pro")).toMatchObject({ change: 1, outcome: "set" });
    expect(await log.client.get(tierKey)).toBe("pro");
    expect(await look()).toEqual({
      id: "acme",
      tier: { name: "pro", isKnown: true, expiresAt: null },
      levels: defaultPolicy.tiers.pro?.levels,
      from: "tier",
      flags: [],
    });
    expect(await log.records()).toMatchObject([
      {
        action: "customer.tier",
        reason: "upgrade",
        change: 1,
        changes: [{ target: "acme", before: null, after: { value: "pro", expiresAt: null } }],
      },
    ]);
    await log.expectSoundChain(1);
  });

  it("is kept when it is that already, and taken away", async () => {
    await tier("pro");
    expect(await tier("pro")).toMatchObject({ change: null, outcome: "kept" });
    expect(await tier(null)).toMatchObject({ change: 2, outcome: "removed" });
    expect(await tier(null)).toMatchObject({ change: null, outcome: "kept" });
    expect(await log.client.exists(tierKey)).toBe(0);
    expect(await log.records()).toHaveLength(2);
  });

  it("is one of the policy", async () => {
    const message = 'The tier was not changed: the policy has no tier "gold": it has free, pro, enterprise.';
    await expect(tier("gold")).rejects.toMatchObject({ code: "bad-input", message });
    await expect(tier("toString")).rejects.toMatchObject({ code: "bad-input" });
    const gold = { ...defaultPolicy, tiers: { ...defaultPolicy.tiers, gold: { levels } } };
    await setPolicy(log.signed(), { policy: gold, basedOn: 0, reason: "" });
    expect(await tier("gold")).toMatchObject({ outcome: "set" });
    const bare = { ...defaultPolicy, rules: [], tiers: {} };
    await setPolicy(log.signed(), { policy: bare, basedOn: 1, reason: "" });
    await expect(tier("pro")).rejects.toMatchObject({
      fields: { tier: 'the policy has no tier "pro": it has none' },
    });
  });

  it("does not overwrite a key of another type", async () => {
    await log.client.rpush(tierKey, "x");
    const message = "customer:acme:tier_redis in Redis is a list, not a tier: remove it first.";
    await expect(tier("pro")).rejects.toMatchObject({ code: "bad-input", message });
    await expect(tier("pro", "\x07")).rejects.toMatchObject({
      message: "A reason has no control characters.",
    });
    expect(await log.records()).toEqual([]);
  });
});

describe("an override", () => {
  it("replaces what was there at once, with its end, its reason and a record", async () => {
    await log.client.hset(hashKey, { "86400": "5" });
    const { change, expiresAt } = await override({ expiresInMs: 60_000 });
    expect(change).toBe(1);
    expect(await log.client.hgetall(hashKey)).toEqual({ "60": "7", "3600": "100" });
    expect(await log.client.pexpiretime(hashKey)).toBe(expiresAt);
    expect(await log.client.pexpiretime(keys.overrideNote(acme))).toBe(expiresAt);
    expect(await look()).toEqual({
      id: "acme",
      override: {
        levels,
        expiresAt: expect.closeTo(expiresAt ?? 0, -2),
        note: { reason: "big launch", by: "ada@example.org", at: expect.any(String), via: "console" },
      },
      levels,
      from: "override",
      flags: [],
    });
    expect(await log.records()).toEqual([
      expect.objectContaining({
        action: "customer.override",
        reason: "big launch",
        change: 1,
        changes: [
          {
            target: "acme",
            before: { value: '{"86400":"5"}', expiresAt: null },
            after: { value: '{"60":"7","3600":"100"}', expiresAt: new Date(expiresAt ?? 0).toISOString() },
          },
        ],
      }),
    ]);
    await log.expectSoundChain(1);
  });

  it("goes before the tier, until it is taken away", async () => {
    await tier("pro");
    expect((await override()).expiresAt).toBeNull();
    expect((await look()).levels).toEqual(levels);
    expect(await clearOverride(log.signed(), { id: acme, reason: "launch is over" })).toMatchObject({
      change: 3,
    });
    expect((await look()).levels).toEqual(defaultPolicy.tiers.pro?.levels);
    expect(await log.client.exists(hashKey, keys.overrideNote(acme))).toBe(0);
    expect((await log.records())[2]).toMatchObject({
      action: "customer.override.clear",
      reason: "launch is over",
      changes: [{ before: { value: '{"3600":"100","60":"7"}' }, after: null }],
    });
    const again = clearOverride(log.signed(), { id: acme, reason: "" });
    await expect(again).rejects.toMatchObject({
      code: "not-found",
      message: "acme has no override to remove.",
    });
  });

  it("has levels, a life and a reason that make sense", async () => {
    await expect(override({ levels: [{ limit: -1, periodSeconds: 60 }] })).rejects.toMatchObject({
      code: "bad-input",
      message:
        "The levels were not saved: levels[0].limit: write a whole number from 0 to 1,000,000,000,000.",
    });
    await expect(override({ levels: [] })).rejects.toMatchObject({
      message: "The levels were not saved: levels: write at least one level.",
    });
    for (const expiresInMs of [0, 999, 1_000.5, Number.NaN, 3_653 * 86_400_000 + 1]) {
      await expect(override({ expiresInMs })).rejects.toMatchObject({
        message: "The override was not saved: write how long it lasts: 1 s to 10 years, or never expires.",
      });
    }
    await expect(override({ reason: "\x07" })).rejects.toMatchObject({ code: "bad-input" });
    expect(await log.client.dbsize()).toBe(0);
  });

  it("ends at a moment, if that was chosen", async () => {
    const expiresAt = Number((await log.client.time())[0]) * 1_000 + 90_000;
    expect(await override({ expiresAt })).toMatchObject({ expiresAt });
    expect(await log.client.pexpiretime(hashKey)).toBe(expiresAt);
    await expect(override({ expiresAt: expiresAt - 90_001 })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("does not overwrite a key of another type, but takes it away when asked", async () => {
    await log.client.set(hashKey, "junk");
    await expect(override()).rejects.toMatchObject({
      message: "customer:acme:throttle_hash in Redis is a string, not a customer's levels: remove it first.",
    });
    await clearOverride(log.signed(), { id: acme, reason: "" });
    await expect(override()).resolves.toMatchObject({ expiresAt: null });
  });

  it("of two at once, both are on record and the later one stays", async () => {
    const both = [1, 2].map((limit) =>
      setOverride(log.signed({}, log.connect()), {
        id: acme,
        levels: [{ limit, periodSeconds: 60 }],
        reason: "",
      }),
    );
    await Promise.all(both);
    const [, last] = await log.records();
    expect(last?.changes[0]?.before).not.toBeNull();
    expect(last?.changes[0]?.after?.value).toBe(JSON.stringify(await log.client.hgetall(hashKey)));
  });
});

it("is in the default tier without one of its own, or with one that the policy does not have", async () => {
  const policy = { ...defaultPolicy, defaultTier: "pro" };
  await setPolicy(log.signed(), { policy, basedOn: 0, reason: "" });
  const levels = defaultPolicy.tiers.pro?.levels;
  expect(await look()).toEqual({ id: "acme", levels, from: "default-tier", flags: [] });
  await log.client.set(tierKey, "gold");
  const flags = ["the policy has no tier gold, so the customer is in the default tier, pro"];
  expect(await look()).toMatchObject({ levels, from: "default-tier", flags });
});

describe("a foreign hand", () => {
  it("wrote what counts, and the rest is flagged", async () => {
    await log.client.set(tierKey, " Gold ", "EX", 100);
    await log.client.hset(hashKey, { "60": "5", junk: "x" });
    expect(await look()).toEqual({
      id: "acme",
      tier: { name: "gold", isKnown: false, expiresAt: expect.any(Number) },
      override: { levels: [{ limit: 5, periodSeconds: 60 }], expiresAt: null, note: { reason: "" } },
      levels: [{ limit: 5, periodSeconds: 60 }],
      from: "override",
      flags: [
        "the policy has no tier gold, so the customer counts as if it had none",
        'customer:acme:throttle_hash, "junk": "x" is no level: period in seconds from 1 → limit from 0, whole numbers',
      ],
    });
  });

  it("wrote nothing of use", async () => {
    await log.client.rpush(tierKey, "x");
    await log.client.hset(hashKey, Object.fromEntries(Array.from({ length: 99 }, (_, i) => [i + 1, 1])));
    expect(await look()).toEqual({
      id: "acme",
      flags: [
        "customer:acme:tier_redis is not enforced: it is a list",
        "customer:acme:throttle_hash is not enforced: it has too many fields",
      ],
    });
    await log.client.del(tierKey, hashKey);
    await log.client.mset(tierKey, "{}", hashKey, "x");
    expect((await look()).flags).toEqual([
      "customer:acme:tier_redis is not enforced: it names no tier",
      "customer:acme:throttle_hash is not enforced: it is a string",
    ]);
  });
});
