import { expect, it } from "vitest";
import { at, testLists } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { neverBlockEffect } from "./never-block-effect.ts";

const lists = testLists();

async function effect(range: string) {
  const { redis, protectedRanges } = lists.ctx();
  const { entries, count } = await neverBlockEffect(redis, at(range), protectedRanges);
  return { count, addresses: entries.map(({ address }) => address).sort() };
}

async function block(...addresses: string[]) {
  await lists.client.mset(addresses.flatMap((text) => [keys.entry("blocklist", at(text)), "x"]));
}

it("names what touches the range: inside, the same, around", async () => {
  await block("203.0.113.9", "203.0.113.0/24", "203.0.0.0/16", "203.0.114.1", "203.1.0.0/16", "2001:db8::1");
  const touched = ["203.0.0.0/16", "203.0.113.0/24", "203.0.113.9"];
  expect(await effect("203.0.113.0/24")).toEqual({ count: 3, addresses: touched });
  expect(await effect("203.0.113.9")).toEqual({ count: 3, addresses: touched });
  expect(await effect("203.0.113.10")).toEqual({ count: 2, addresses: touched.slice(0, 2) });
  expect(await effect("2001:db8::/32")).toEqual({ count: 1, addresses: ["2001:db8::1"] });
  expect(await effect("198.51.100.0/24")).toEqual({ count: 0, addresses: [] });
});

it("leaves out entries that are not enforced anyway, and answers the same for a range that is protected already", async () => {
  // The environment of these tests protects 10.1.0.0/16.
  await block("10.1.2.3", "203.0.113.9", "203.0.113.10");
  await lists.client.set("blocklist:0.0.0.0/0", "x");
  await lists.client.hset(keys.neverBlock(), { "203.0.113.10": "phone", "203.0.113.0/24": "office" });
  expect(await effect("10.0.0.0/8")).toEqual({ count: 0, addresses: [] });
  expect(await effect("203.0.113.0/24")).toEqual({ count: 1, addresses: ["203.0.113.9"] });
  expect(await effect("203.0.113.10")).toEqual({ count: 0, addresses: [] });
});

it("tells the first hundred and counts them all", async () => {
  await block(...Array.from({ length: 150 }, (_, i) => `203.0.113.${i}`));
  const { count, addresses } = await effect("203.0.113.0/24");
  expect({ count, shown: addresses.length }).toEqual({ count: 150, shown: 100 });
});
