import { expect, it } from "vitest";
import { addEntries } from "../../manage/lists/add.ts";
import { at, testLists } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { findFlagged } from "./flags.ts";

const lists = testLists();
const find = () => findFlagged(lists.ctx().redis, lists.ctx().protectedRanges);

it.each([
  ["blocklist:0.0.0.0/0", "it is wider than /16", false],
  ["safelist:2001:db8::/31", /host bits|begins inside|wider/, false],
  ["safelist:2000::/8", "it is wider than /32", false],
  ["blocklist:127.0.0.1", "it overlaps 127.0.0.0/8, loopback", false],
  ["blocklist:10.1.2.0/24", "it overlaps 10.1.0.0/16, a trusted proxy", false],
  ["blocklist:example.org", "example.org is not", false],
  ["blocklist:", "An address or a range is missing", false],
  [
    "blocklist:2001:DB8::1",
    "it is not spelled as addresses are looked up: write blocklist:2001:db8::1 instead",
    false,
  ],
  ["safelist:::ffff:203.0.113.9", "write safelist:203.0.113.9 instead", false],
  ["blocklist:203.0.113.9/24", "perhaps blocklist:203.0.113.0/24 was meant", false],
])("flags %s", async (key, message, isEntry) => {
  await lists.client.set(key, "x");
  const { flags, count } = await find();
  expect(count).toBe(1);
  const expected =
    message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message);
  expect(flags).toEqual([{ key, message: expected, isEntry }]);
});

it("flags what is no string, and what the safelist overrules", async () => {
  await lists.client.rpush("blocklist:203.0.113.1", "x");
  await lists.client.mset("safelist:203.0.113.2", "x", "blocklist:203.0.113.2", "x");
  await lists.client.mset("safelist:198.51.100.0/24", "x", "blocklist:198.51.100.9", "x");
  expect((await find()).flags.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
    { key: "blocklist:198.51.100.9", message: "safelist:198.51.100.0/24 overrules it", isEntry: true },
    { key: "blocklist:203.0.113.1", message: "it is a list, and an entry is a string", isEntry: false },
    { key: "blocklist:203.0.113.2", message: "safelist:203.0.113.2 overrules it", isEntry: true },
  ]);
});

it("flags blocks that a protected range of Redis disarms, and fields that are no range", async () => {
  await lists.client.set("blocklist:203.0.113.9", "x");
  await lists.client.hset(keys.neverBlock(), { "203.0.113.0/24": "VPN", vpn: "203.0.114.0/24" });
  expect((await find()).flags).toEqual([
    { key: keys.neverBlock(), message: 'the field "vpn" is no range and protects nothing', isEntry: false },
    {
      key: "blocklist:203.0.113.9",
      message: "it overlaps 203.0.113.0/24, a protected range (VPN)",
      isEntry: false,
    },
  ]);
});

it("has nothing to say of sound entries", async () => {
  await addEntries(lists.ctx(), { list: "blocklist", addresses: [at("203.0.113.9")], reason: "" });
  await lists.client.set("safelist:2001:db8::/48", "by hand");
  expect(await find()).toEqual({ flags: [], count: 0 });
});

it("shows a hundred and counts the rest", async () => {
  await lists.client.mset(...Array.from({ length: 120 }, (_, i) => [`blocklist:junk${i}`, "x"]).flat());
  const { flags, count } = await find();
  expect([flags.length, count]).toEqual([100, 120]);
});
