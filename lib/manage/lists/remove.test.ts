import { describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { addEntries } from "./add.ts";
import { removeEntries } from "./remove.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const bad = at("203.0.113.9");
const range = at("203.0.113.0/24");
const { ctx } = lists;

it("takes entries off and records what they were", async () => {
  await addEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "scraper", ttlMs: null });
  const value = await lists.client.get("blocklist:203.0.113.9");
  const { change, outcomes } = await removeEntries(ctx({ name: "grace" }), {
    list: "blocklist",
    addresses: [bad, at("203.0.113.10")],
    reason: "a mistake",
  });
  expect(change).toBe(2);
  expect(outcomes).toMatchObject([{ outcome: "removed" }, { address: "203.0.113.10", outcome: "absent" }]);
  expect(await lists.client.exists("blocklist:203.0.113.9")).toBe(0);
  expect((await lists.records())[1]).toMatchObject({
    actor: "grace",
    action: "blocklist.remove",
    reason: "a mistake",
    changes: [{ target: bad, before: { value, expiresAt: null }, after: null }],
  });
  await lists.expectSoundChain(2);
});

it("records nothing when there is nothing to take off", async () => {
  const removed = await removeEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "" });
  expect(removed.change).toBeNull();
  expect(await lists.client.dbsize()).toBe(0);
});

it("says which range goes on covering the address", async () => {
  await addEntries(ctx(), { list: "blocklist", addresses: [bad, range], reason: "" });
  const { outcomes } = await removeEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "" });
  expect(outcomes).toEqual([{ address: bad, outcome: "removed", coveredBy: [range] }]);
  await addEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "" });
  const both = await removeEntries(ctx(), { list: "blocklist", addresses: [bad, range], reason: "" });
  expect(both.outcomes).toMatchObject([{ coveredBy: [] }, { coveredBy: [] }]);
});

it("takes away what a foreign writer left that is no entry", async () => {
  await lists.client.hset("blocklist:203.0.113.9", "a", "b");
  const { outcomes } = await removeEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "" });
  expect(outcomes).toMatchObject([{ outcome: "removed" }]);
  expect(await lists.records()).toMatchObject([{ changes: [{ before: { value: null, type: "hash" } }] }]);
});

describe("the last safelist entry that shields the actor", () => {
  const own = ip("203.0.113.7");
  const unsafe = (addresses = [at("203.0.113.7")]) =>
    removeEntries(ctx({ address: own }), { list: "safelist", addresses, reason: "" });

  it("stays while the blocklist would apply", async () => {
    await lists.client.mset("blocklist:203.0.113.0/24", "x", "safelist:203.0.113.7", "x");
    expect((await unsafe()).outcomes).toEqual([
      {
        address: own,
        outcome: "refused",
        code: "lockout",
        message:
          "Without 203.0.113.7 on the safelist your own address, 203.0.113.7, would be blocked by 203.0.113.0/24.",
      },
    ]);
    expect(await lists.client.exists("safelist:203.0.113.7")).toBe(1);
  });

  it("may go when another shields them, but not both", async () => {
    await lists.client.mset(
      "blocklist:203.0.113.7",
      "x",
      "safelist:203.0.113.7",
      "x",
      "safelist:203.0.113.0/24",
      "x",
    );
    expect((await unsafe([own, range])).outcomes).toMatchObject([
      { outcome: "refused" },
      { outcome: "refused" },
    ]);
    expect((await unsafe()).outcomes).toMatchObject([{ outcome: "removed", coveredBy: [range] }]);
  });

  it("may go when the blocklist entry is not enforced anyway", async () => {
    await lists.client.mset("blocklist:203.0.113.7", "x", "safelist:203.0.113.7", "x");
    await lists.client.hset(keys.neverBlock(), "203.0.113.0/24", "office");
    expect((await unsafe()).outcomes).toMatchObject([{ outcome: "removed" }]);
  });
});
