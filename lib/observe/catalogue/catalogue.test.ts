import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addEntries } from "../../manage/lists/add.ts";
import { extendEntries } from "../../manage/lists/extend.ts";
import { protectRange, unprotectRange } from "../../manage/lists/never-block.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at, testLists } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { type Catalogue, startCatalogue } from "./catalogue.ts";
import type { EntryPageQuery } from "./view.ts";

const lists = testLists();
const { ctx } = lists;
const bad = at("203.0.113.9");
const [hour, day] = [3_600_000, 86_400_000];
let catalogue: Catalogue;

async function open() {
  catalogue = startCatalogue({ redis: ctx().redis, protectedRanges: ctx().protectedRanges });
  await catalogue.ready;
}

beforeEach(open);
afterEach(() => catalogue.close());

const page = (wanted: EntryPageQuery = {}, list: "blocklist" | "safelist" = "blocklist") =>
  catalogue.page(list, wanted);
const addresses = async (wanted: EntryPageQuery = {}, list?: "safelist") =>
  (await page({ sort: "address", dir: "asc", ...wanted }, list)).entries.map(({ address }) => address);
const soon = (expected: string[], wanted: EntryPageQuery = {}) =>
  eventually(async () => expect(await addresses(wanted)).toEqual(expected));

describe("what is listed", () => {
  it("says everything that an entry says, as soon as it is written", async () => {
    await addEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "scraper" });
    await soon(["203.0.113.9"]);
    const { entries, total, matching, isComplete, asOf, ageMs } = await page();
    expect({ total, matching, isComplete }).toEqual({ total: 1, matching: 1, isComplete: true });
    expect(Math.abs(asOf - Date.now())).toBeLessThan(5_000);
    expect(ageMs).toBeLessThan(5_000);
    expect(entries).toEqual([
      {
        address: bad,
        isRange: false,
        reason: "scraper",
        by: "ada@example.org",
        via: "console",
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.closeTo(Date.now() + 7 * day, -4),
        lifeMs: expect.closeTo(7 * day, -4),
      },
    ]);
  });

  it("was there before the console, too", async () => {
    catalogue.close();
    await lists.client.set("blocklist:2001:db8::/48", "by hand", "PX", hour);
    await open();
    expect((await page()).entries).toMatchObject([
      { address: "2001:db8::/48", isRange: true, reason: "by hand", lifeMs: null },
    ]);
  });

  it("follows what is extended, rewritten and removed", async () => {
    const given = { list: "blocklist" as const, addresses: [bad], reason: "" };
    await addEntries(ctx(), { ...given, ttlMs: hour });
    await extendEntries(ctx(), { ...given, life: { forMs: day } });
    await eventually(async () =>
      expect((await page()).entries[0]?.expiresAt).toBeGreaterThan(Date.now() + day),
    );
    await lists.client.set("blocklist:203.0.113.9", "another reason");
    await eventually(async () =>
      expect((await page()).entries).toMatchObject([{ reason: "another reason", expiresAt: null }]),
    );
    await removeEntries(ctx(), given);
    await soon([]);
  });

  it("is gone once it has expired", async () => {
    await lists.client.set("blocklist:203.0.113.9", "x");
    await soon(["203.0.113.9"]);
    await lists.client.pexpire("blocklist:203.0.113.9", 300);
    await soon([]);
    expect((await page()).matching).toBe(0);
  });

  it("is returned page after page, without a gap", async () => {
    await lists.client.mset(Array.from({ length: 250 }, (_, i) => [`blocklist:203.0.113.${i}`, "x"]).flat());
    await eventually(async () => expect((await page()).total).toBe(250));
    const shown = [];
    for (let offset = 0; offset < 250; offset += 100)
      shown.push(...(await addresses({ offset, limit: 100 })));
    expect(shown).toEqual(Array.from({ length: 250 }, (_, i) => `203.0.113.${i}`));
  });
});

describe("a ban that waits for its record", () => {
  const value = JSON.stringify({
    reason: "hammers",
    by: "auto:r",
    at: "2026-01-01T00:00:00.000Z",
    via: "auto:r",
  });
  const ban = (address: string) => lists.client.set(`sluice:live:ban:${address}`, value, "PX", hour);

  it("is listed, and goes with its key", async () => {
    await ban("203.0.113.9");
    await soon(["203.0.113.9"]);
    expect((await page()).entries).toMatchObject([{ reason: "hammers", by: "auto:r" }]);
    expect([catalogue.bansOlderThan(0), catalogue.bansOlderThan(60_000)]).toEqual([["203.0.113.9"], []]);
    await lists.client.del("sluice:live:ban:203.0.113.9");
    await soon([]);
    expect(catalogue.bansOlderThan(0)).toEqual([]);
  });

  it("was there before the console, too, also beside an entry", async () => {
    catalogue.close();
    await ban("203.0.113.9");
    await ban("203.0.113.10");
    await lists.client.set("blocklist:203.0.113.9", "by hand");
    await open();
    const before = [{ reason: "by hand", lifeMs: null }, { reason: "hammers" }];
    expect((await page({ sort: "address", dir: "asc" })).entries).toMatchObject(before);
    await lists.client.del("blocklist:203.0.113.9");
    await eventually(async () =>
      expect((await page({ q: "203.0.113.9" })).entries).toMatchObject([{ by: "auto:r" }]),
    );
  });

  it("is one row still when it has become an entry", async () => {
    await ban("203.0.113.9");
    await soon(["203.0.113.9"]);
    await lists.client
      .multi()
      .del("sluice:live:ban:203.0.113.9")
      .set("blocklist:203.0.113.9", "sealed", "PX", hour)
      .set("blocklist:203.0.113.10", "x")
      .exec();
    await soon(["203.0.113.9", "203.0.113.10"]);
    expect((await page({ q: "203.0.113.9" })).entries).toMatchObject([{ reason: "sealed" }]);
  });

  it("is not listed if no node of ours can have made it", async () => {
    await lists.client.set("sluice:live:ban:203.0.113.9", value);
    await ban("203.0.0.0/16");
    await ban("203.0.113.11");
    await soon(["203.0.113.11"]);
  });
});

describe("a search", () => {
  beforeEach(async () => {
    await lists.client.mset(
      ...[
        "blocklist:203.0.113.9",
        '{"reason":"Scraper","by":"ada@example.org","at":"2026-01-05T10:00:00.000Z","via":"cli"}',
      ],
      ...["blocklist:203.0.113.0/24", "a whole network"],
      ...["blocklist:203.0.0.0/16", "more"],
      ...["blocklist:203.0.0.0/12", "far too much"],
      ...["blocklist:198.51.100.7", "scraper, too"],
    );
    await eventually(async () => expect((await page()).total).toBe(5));
  });

  it("for an address finds what covers it, the most specific first, also entries that are not enforced", async () => {
    const found = ["203.0.113.0/24", "203.0.0.0/16", "203.0.0.0/12"];
    const { covering, entries, matching } = await page({ q: " 203.0.113.77 ", sort: "reason" });
    expect(covering).toEqual(found);
    expect(entries.map(({ address }) => address)).toEqual(found);
    expect(matching).toBe(3);
    expect((await page({ q: "::ffff:203.0.113.9" })).covering?.[0]).toBe("203.0.113.9");
    expect((await page({ q: "192.0.2.1" })).covering).toEqual([]);
  });

  it("for a range finds what covers it and what is inside", async () => {
    const { covering, entries } = await page({ q: "203.0.0.0/16", sort: "address", dir: "asc" });
    expect(covering).toEqual(["203.0.0.0/16", "203.0.0.0/12"]);
    expect(entries.map(({ address }) => address)).toEqual([
      ...["203.0.0.0/16", "203.0.0.0/12"],
      ...["203.0.113.0/24", "203.0.113.9"],
    ]);
  });

  it("for a text finds reasons, people, doors and beginnings of addresses", async () => {
    expect(await addresses({ q: "SCRAPER" })).toEqual(["198.51.100.7", "203.0.113.9"]);
    expect(await addresses({ q: "Ada@" })).toEqual(["203.0.113.9"]);
    expect(await addresses({ q: "203.0.113." })).toEqual(["203.0.113.0/24", "203.0.113.9"]);
    expect(await addresses({ q: "nothing of the kind" })).toEqual([]);
  });

  it("counts facets of what it found", async () => {
    const { facets } = await page({ q: "203.0", by: "ada@example.org", facet: "ranges" });
    expect(facets).toEqual({ all: 4, expiring: 0, mine: 1, ranges: 3, permanent: 4, foreign: 3 });
  });
});

describe("what foreign writers leave", () => {
  it("appears with a flag", async () => {
    await lists.client.mset(
      "blocklist:2001:DB8::1",
      "x",
      "blocklist:127.0.0.1",
      "x",
      "blocklist:10.0.0.0/9",
      "x",
    );
    await lists.client.hset("blocklist:203.0.113.5", "a", "b");
    await eventually(async () => expect((await page()).total).toBe(4));
    const { entries, facets } = await page({ facet: "foreign", sort: "address", dir: "asc" });
    expect(facets.foreign).toBe(4);
    expect(entries.map(({ address, flag }) => [address, flag])).toEqual([
      ["10.0.0.0/9", "it is wider than /16"],
      ["127.0.0.1", "it overlaps 127.0.0.0/8, loopback"],
      ["203.0.113.5", "it is a hash, and an entry is a string"],
      ["2001:DB8::1", expect.stringContaining("write blocklist:2001:db8::1 instead")],
    ]);
  });

  it("is flagged again when another range is protected", async () => {
    await addEntries(ctx(), { list: "blocklist", addresses: [bad], reason: "" });
    await soon([bad]);
    await protectRange(ctx(), { range: at("203.0.113.0/28"), reason: "VPN" });
    await soon([bad], { facet: "foreign" });
    expect((await page()).entries[0]?.flag).toContain("it overlaps 203.0.113.0/28, a protected range");
    await unprotectRange(ctx(), { range: at("203.0.113.0/28"), reason: "" });
    await soon([], { facet: "foreign" });
    expect((await page()).entries[0]?.flag).toBeUndefined();
  });
});

it("says which list wins for an address on both", async () => {
  await lists.client.mset("safelist:203.0.113.0/24", "office", "blocklist:203.0.113.9", "x");
  await lists.client.mset(
    "safelist:198.51.100.1",
    "x",
    "blocklist:198.51.100.0/24",
    "y",
    "safelist:8.0.0.0/8",
    "z",
  );
  await lists.client.set("blocklist:8.8.8.8", "the safelist entry is too wide to win");
  await eventually(async () => expect((await page()).total + (await page({}, "safelist")).total).toBe(6));
  const others = async (list: "blocklist" | "safelist") =>
    (await page({ sort: "address", dir: "asc" }, list)).entries.map(({ address, other }) => [address, other]);
  expect(await others("blocklist")).toEqual([
    ["8.8.8.8", undefined],
    ["198.51.100.0/24", undefined],
    ["203.0.113.9", { list: "safelist", address: "203.0.113.0/24" }],
  ]);
  expect(await others("safelist")).toEqual([
    ["8.0.0.0/8", undefined],
    ["198.51.100.1", { list: "blocklist", address: "198.51.100.0/24" }],
    ["203.0.113.0/24", undefined],
  ]);
});

it("hands out what was selected in pieces, also from a place that is gone", async () => {
  await lists.client.mset(Array.from({ length: 30 }, (_, i) => [`blocklist:203.0.113.${i}`, "x"]).flat());
  await lists.client.set("blocklist:zzz", "stray");
  await eventually(async () => expect((await page()).total).toBe(31));
  expect(catalogue.count("blocklist", { q: "203.0.113.1" })).toBe(1);
  expect(catalogue.count("blocklist", { facet: "foreign" })).toBe(31);
  const first = await catalogue.addressesAfter("blocklist", {}, { after: undefined, most: 20 });
  expect(first).toHaveLength(20);
  await lists.client.del("blocklist:203.0.113.19");
  await eventually(async () => expect((await page()).total).toBe(30));
  const rest = await catalogue.addressesAfter("blocklist", {}, { after: first.at(-1), most: 20 });
  expect(rest).toEqual([...Array.from({ length: 10 }, (_, i) => `203.0.113.${20 + i}`), "zzz"]);
  expect(await catalogue.addressesAfter("blocklist", {}, { after: "zzz", most: 20 })).toEqual([]);
});

it("tells nothing while it loads, and that it does", async () => {
  const early = startCatalogue({ redis: ctx().redis, protectedRanges: [] });
  expect(await early.page("blocklist", {})).toMatchObject({ isComplete: false, entries: [] });
  expect(() => early.count("blocklist", {})).toThrow("still loading");
  await early.ready;
  expect(early.isComplete).toBe(true);
  early.close();
});

it("ignores keys that are none of a list", async () => {
  await lists.client.mset(keys.policy(), "{}", "customer:a:tier_redis", "pro", "blocklist:203.0.113.9", "x");
  await soon([bad]);
});
