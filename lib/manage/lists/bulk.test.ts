import { describe, expect, it } from "vitest";
import { addMany, extendMany, importMany, removeMany } from "./bulk.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const list = "blocklist" as const;
const [hour, day] = [3_600_000, 86_400_000];
const many = (count: number) => Array.from({ length: count }, (_, i) => at(`10.2.${i >> 8}.${i & 255}`));

describe("many entries", () => {
  it("are added in chunks of 500, all in one record", async () => {
    const result = await addMany(lists.ctx(), {
      list,
      addresses: many(1_200),
      ttlMs: day,
      reason: "botnet",
      confirmed: [],
    });
    expect(result).toEqual({
      change: 3,
      record: 1,
      done: 1_200,
      skipped: [],
      skippedCount: 0,
      next: null,
    });
    expect(await lists.client.keys("blocklist:*")).toHaveLength(1_200);
    expect(await lists.records()).toMatchObject([
      { action: "blocklist.add", reason: "botnet", change: null, changes: [], bulk: { wanted: 1_200 } },
    ]);
    await lists.expectSoundChain(1);
  });

  it("are returned with the reason, the first hundred of them", async () => {
    await lists.client.set("blocklist:203.0.113.1", "x");
    const addresses = [at("127.0.0.1"), at("203.0.113.1"), at("203.0.113.2"), at("203.0.112.0/23")];
    const { done, skipped } = await addMany(lists.ctx(), {
      list,
      addresses,
      ttlMs: day,
      reason: "",
      confirmed: [],
    });
    expect(done).toBe(1);
    expect(skipped).toEqual([
      { address: "127.0.0.1", code: "lockout", message: expect.stringContaining("loopback") },
      { address: "203.0.113.1", message: "203.0.113.1 is on the list already, for as long or longer." },
      { address: "203.0.112.0/23", code: "needs-confirmation", message: expect.any(String) },
    ]);
    const lost = await removeMany(lists.ctx(), { list, addresses: many(150), reason: "" });
    expect([lost.done, lost.skipped.length, lost.skippedCount]).toEqual([0, 100, 150]);
  });

  it("go on from where a call stopped", async () => {
    const addresses = many(30);
    await addMany(lists.ctx(), { list, addresses, ttlMs: hour, reason: "", confirmed: [] });
    const { done } = await removeMany(lists.ctx(), { list, addresses, after: addresses[9], reason: "" });
    expect(done).toBe(20);
    expect(await lists.client.keys("blocklist:*")).toHaveLength(10);
  });

  it("say how far they came when something fails", async () => {
    const addresses = many(700);
    let calls = 0;
    const ctx = lists.ctx();
    const redis = new Proxy(ctx.redis, {
      get(target, name) {
        if (name === "evalsha" && ++calls > 5)
          return () => Promise.reject(new Error("Connection is closed."));
        const held: unknown = Reflect.get(target, name);
        return typeof held === "function" ? held.bind(target) : held;
      },
    });
    const adding = addMany({ ...ctx, redis }, { list, addresses, ttlMs: hour, reason: "", confirmed: [] });
    expect(await adding).toMatchObject({
      ...{ done: 500, record: 1, change: 1 },
      stopped: {
        code: "redis-unavailable",
        message:
          "Stopped after at least 500 of 700 entries, which are in force as record 1. Redis stopped answering. " +
          "Do the same again to continue, or undo record 1.",
      },
    });
  });
});

it("extends many, for a time or permanently", async () => {
  await lists.client.set("blocklist:10.2.0.0", "x", "PX", hour);
  await lists.client.set("blocklist:10.2.0.1", "x");
  const given = { list, addresses: [...many(2), "Not:Canonical"], reason: "still at it" };
  const { done, skipped } = await extendMany(lists.ctx(), { ...given, life: { forMs: day } });
  expect(done).toBe(1);
  expect(skipped.map(({ message }) => message)).toEqual([
    "10.2.0.1 is on the list already, for as long or longer.",
    expect.stringContaining("not a canonical address"),
  ]);
  expect(await extendMany(lists.ctx(), { ...given, life: "forever" })).toMatchObject({ done: 1, change: 2 });
  expect(await lists.client.pttl("blocklist:10.2.0.0")).toBe(-1);
  await expect(extendMany(lists.ctx(), { ...given, life: { forMs: 0 } })).rejects.toThrow(
    "a second at least",
  );
});

it("removes what is no address, too, and records it", async () => {
  await lists.client.mset("blocklist:2001:DB8::1", "x", "blocklist:", "y", "blocklist:10.2.0.0", "z");
  await lists.client.hset("blocklist:example.org", "a", "b");
  const addresses = ["2001:DB8::1", "10.2.0.0", "", "example.org", "absent"];
  const { done, skipped, ...made } = await removeMany(lists.ctx(), { list, addresses, reason: "tidy" });
  expect([done, made]).toEqual([4, { change: 2, record: 1, skippedCount: 1, next: null }]);
  expect(skipped).toEqual([{ address: "absent", message: "absent is no longer on the list." }]);
  expect(await lists.client.keys("blocklist:*")).toEqual([]);
  expect(await lists.records()).toMatchObject([{ action: "blocklist.remove", reason: "tidy" }]);
  const [, strays] = await lists.parts(1);
  expect(strays?.changes).toMatchObject([
    { target: "2001:DB8::1", before: { value: "x" }, after: null },
    { target: "" },
    { target: "example.org" },
  ]);
  await lists.expectSoundChain(1);
});

it("keeps the last safelist entry that shields the actor", async () => {
  await lists.client.mset(
    "blocklist:203.0.113.0/24",
    "x",
    "safelist:203.0.113.7",
    "x",
    "safelist:192.0.2.1",
    "x",
  );
  const ctx = lists.ctx({ address: ip("203.0.113.7") });
  const given = { list: "safelist" as const, addresses: ["203.0.113.7", "192.0.2.1"], reason: "" };
  expect(await removeMany(ctx, given)).toMatchObject({ done: 1, skipped: [{ code: "lockout" }] });
});

describe("an import", () => {
  const text =
    "address,ttl,reason\n203.0.113.1,1h,one\n203.0.113.2,never,two\n203.0.113.3,,\nnonsense,,\n127.0.0.1,,";

  it("writes what was confirmed and nothing else, each line as it says", async () => {
    const expected = ["203.0.113.1", "203.0.113.3"];
    const result = await importMany(lists.ctx(), {
      list,
      text,
      ttlMs: day,
      reason: "feed",
      confirmed: [],
      expected,
    });
    expect(result).toMatchObject({ done: 2, change: 1, record: 1, skipped: [] });
    expect((await lists.client.keys("blocklist:*")).toSorted()).toEqual([
      "blocklist:203.0.113.1",
      "blocklist:203.0.113.3",
    ]);
    expect(await lists.client.pttl("blocklist:203.0.113.1")).toBeLessThanOrEqual(hour);
    expect(await lists.client.get("blocklist:203.0.113.3")).toContain('"reason":"feed"');
    expect(await lists.records()).toMatchObject([{ action: "blocklist.import", reason: "feed" }]);
  });

  it("reports why a line is refused now", async () => {
    const expected = ["203.0.113.1", "127.0.0.1"];
    const { done, skipped } = await importMany(lists.ctx(), {
      list,
      text,
      ttlMs: day,
      reason: "",
      confirmed: [],
      expected,
    });
    expect([done, skipped.map(({ address }) => address)]).toEqual([1, ["127.0.0.1"]]);
  });
});
