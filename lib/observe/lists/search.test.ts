import { describe, expect, it } from "vitest";
import { at, collect, testLists } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { listEntries } from "./scan.ts";
import { search } from "./search.ts";

const lists = testLists();
const find = (text: string) => search(lists.ctx().redis, text, lists.ctx().protectedRanges);

describe("an address", () => {
  it("finds every range that covers it, on both lists, and who wins", async () => {
    await lists.client.mset(
      "blocklist:203.0.113.9",
      "x",
      "blocklist:203.0.113.0/24",
      "y",
      "blocklist:203.0.112.0/24",
      "z",
    );
    await lists.client.set("safelist:203.0.0.0/16", '{"reason":"office","by":"ada"}', "PX", 60_000);
    const { covering, decisive, insideCount } = await find(" ::ffff:203.0.113.9 ");
    expect(covering.map(({ list, address }) => `${list}:${address}`)).toEqual([
      "safelist:203.0.0.0/16",
      "blocklist:203.0.113.9",
      "blocklist:203.0.113.0/24",
    ]);
    expect(decisive).toEqual({
      list: "safelist",
      address: "203.0.0.0/16",
      note: { reason: "office", by: "ada" },
      expiresAt: expect.closeTo(Date.now() + 60_000, -4),
    });
    expect(insideCount).toBe(0);
  });

  it("finds nothing where nothing is", async () => {
    expect(await find("203.0.113.9")).toEqual({
      address: "203.0.113.9",
      covering: [],
      inside: [],
      insideCount: 0,
    });
  });

  it("shows entries that are not enforced, and skips them", async () => {
    await lists.client.mset(
      "blocklist:0.0.0.0/0",
      "x",
      "blocklist:10.1.0.0/24",
      "x",
      "safelist:10.0.0.0/8",
      "x",
    );
    await lists.client.rpush("safelist:10.1.0.7", "x");
    const { covering, decisive } = await find("10.1.0.7");
    expect(covering.map(({ address, notEnforcedBecause }) => [address, notEnforcedBecause])).toEqual([
      ["10.1.0.7", "it is a list, and an entry is a string"],
      ["10.0.0.0/8", "it is wider than /16"],
      ["10.1.0.0/24", "it overlaps 10.1.0.0/16, a trusted proxy"],
      ["0.0.0.0/0", "it is wider than /16"],
    ]);
    expect(decisive).toBeUndefined();
  });

  it("knows protected ranges of Redis", async () => {
    await lists.client.set("blocklist:203.0.113.9", "x");
    await lists.client.hset(keys.neverBlock(), "203.0.113.0/24", "VPN");
    expect((await find("203.0.113.9")).covering).toMatchObject([
      { notEnforcedBecause: /protected range \(VPN\)/ },
    ]);
  });

  it("is refused for text that is not an address", async () => {
    await expect(find("example.org")).rejects.toMatchObject({
      code: "bad-input",
      fields: { address: /address/ },
    });
  });
});

describe("a range", () => {
  it("finds what lies inside it", async () => {
    await lists.client.mset(
      "blocklist:203.0.113.9",
      "x",
      "safelist:203.0.113.128/25",
      "y",
      "blocklist:203.0.114.1",
      "z",
    );
    await lists.client.mset("blocklist:203.0.112.0/23", "w", "blocklist:203.0.113.0/24", "v");
    const { covering, inside, insideCount } = await find("203.0.113.0/24");
    expect(covering.map(({ address }) => address)).toEqual(["203.0.113.0/24", "203.0.112.0/23"]);
    expect(inside.map(({ list, address }) => `${list}:${address}`)).toEqual([
      "safelist:203.0.113.128/25",
      "blocklist:203.0.113.9",
    ]);
    expect(insideCount).toBe(2);
  });

  it.each([
    ["2001:db8::/32", ["2001:db8::1", "2001:db8:0:1::/64", "2001:db8:1::"], ["2001:db9::1"]],
    ["2001:0:0:1::/64", ["2001:0:0:1::", "2001::1:1:0:0:5"], ["2001::1", "2001:0:0:2::1"]],
    ["2001::/48", ["2001::", "2001::1", "2001:0:0:1::1", "2001::1:1:0:0:5"], ["2001:0:1::1"]],
    ["203.0.112.0/20", ["203.0.127.255", "203.0.112.0/24"], ["203.0.128.0"]],
  ])("of either family, however it is spelled: %s", async (range, within, without) => {
    for (const address of [...within, ...without]) await lists.client.set(`blocklist:${at(address)}`, "x");
    const { inside } = await find(range);
    expect(inside.map(({ address }) => address as string).toSorted()).toEqual(within.toSorted());
  });

  it("shows a hundred and counts the rest", async () => {
    const pairs = Array.from({ length: 150 }, (_, i) => [`blocklist:203.0.113.${i}`, "x"]).flat();
    await lists.client.mset(...pairs);
    const { inside, insideCount } = await find("203.0.113.0/24");
    expect([inside.length, insideCount]).toEqual([100, 150]);
  });
});

it("lists every entry once, page by page, and no key that is none", async () => {
  const pairs = Array.from({ length: 3_000 }, (_, i) => [
    `blocklist:198.51.${i >> 8}.${i & 255}`,
    `n${i}`,
  ]).flat();
  await lists.client.mset(...pairs, "blocklist:junk", "x", "safelist:203.0.113.9", "x");
  await lists.client.rpush("blocklist:203.0.113.9", "x");
  const entries = await collect(listEntries(lists.ctx().redis, "blocklist"));
  expect(new Set(entries.map(({ address }) => address)).size).toBe(3_000);
  expect(entries).toHaveLength(3_000);
});
