import fc from "fast-check";
import { expect, it } from "vitest";
import { at } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { readNote } from "../lists/entry.ts";
import { protectedRanges } from "../lists/protected.ts";
import { createMemoryBans } from "./bans.ts";
import { client, ruleWith, testBans } from "./vitest.bans.ts";

const house = testBans();

const terms = { after: 3, withinSeconds: 600, forSeconds: 600, capSeconds: 2_000 };
const rules = [
  ruleWith(terms, { name: "login" }),
  ruleWith({ ...terms, after: 4, forSeconds: 60 }, { name: "search", ipv6Prefix: 32 }),
  ruleWith(terms, { name: "network", client: { ip: { v4: 24, v6: 48 } } }),
  ruleWith(terms, { name: "shadowed", mode: "shadow" }),
];
const addresses = ["203.0.113.9", "203.0.113.9", "192.0.2.7", "2001:db8::1"];
/** What rules ban in place of these. */
const targets = [
  ...["203.0.113.9", "203.0.113.9", "192.0.2.7", "2001:db8::/64", "2001:db8::/48"],
  ...["203.0.113.0/24", "192.0.2.0/24"],
];

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        rule: fc.constantFrom(...rules),
        address: fc.constantFrom(...addresses),
        times: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ unblock: fc.constantFrom(...targets) }) },
    fc.record({ safelist: fc.constantFrom("203.0.113.0/24", "2001:db8::/64") }),
    fc.record({ block: fc.constantFrom(...targets.slice(0, 3)) }),
  ),
  { minLength: 1, maxLength: 25 },
);

/** Lists of a process, which record how long each entry lives. */
function memoryLists() {
  const entries = new Map<string, { note: string; ttlMs: number | null }>();
  return {
    entries,
    has: (list: string, address: string) => entries.has(`${list}:${address}`),
    setEntry: (list: string, address: string, note: string, ttlMs: number | null) =>
      void entries.set(`${list}:${address}`, { note, ttlMs }),
  };
}

it("bans in a process as Redis does, without the time between", async () => {
  const now = Date.now();
  let bans = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(0, 60_000), async (taken, graceMs) => {
      await house.client.flushall();
      const lists = memoryLists();
      const ranges = protectedRanges({ neverBlock: [at("192.0.2.0/24")] });
      const given = { app: "storefront", protectedRanges: () => ranges, graceMs };
      const onRedis = house.node(given);
      const inMemory = createMemoryBans({ ...given, lists, clock: () => now });
      for (const step of taken) {
        if ("unblock" in step) {
          lists.entries.delete(`blocklist:${step.unblock}`);
          // A ban of the same address in the same millisecond would have the name of the one before.
          await house.client.del(`blocklist:${step.unblock}`, keys.ban(at(step.unblock)), keys.pendingBans());
        } else if ("safelist" in step) {
          lists.setEntry("safelist", step.safelist, "", null);
          await house.client.set(`safelist:${step.safelist}`, "");
        } else if ("block" in step) {
          lists.setEntry("blocklist", step.block, "by hand", null);
          await house.client.del(keys.ban(at(step.block)));
          await house.client.set(`blocklist:${step.block}`, "by hand");
        } else {
          inMemory.noteDenial(step.rule, client(step.address), step.times);
          onRedis.noteDenial(step.rule, client(step.address), step.times);
          await onRedis.send();
        }
        for (const target of targets) {
          const [ttl, note] = [await house.left(target), await house.client.get(keys.ban(at(target)))];
          const entry = lists.entries.get(`blocklist:${target}`);
          if (note === null) {
            expect(entry?.note ?? "by hand").toBe("by hand");
            continue;
          }
          bans++;
          const { at: _, ...wanted } = readNote(note);
          expect(readNote(entry?.note ?? "")).toMatchObject(wanted);
          expect(Math.abs((entry?.ttlMs ?? 0) / 1_000 - ttl)).toBeLessThanOrEqual(5);
        }
      }
    }),
    { numRuns: 100 },
  );
  expect(bans).toBeGreaterThan(50);
});

it("counts in windows, rests after a ban, and forgets earlier bans in time", () => {
  let now = Date.UTC(2026, 0, 1);
  const lists = memoryLists();
  const bans = createMemoryBans({ app: "shop", protectedRanges: () => [], lists, clock: () => now });
  const [rule] = rules;
  const ip = "203.0.113.9";
  const deny = (times: number) => rule && bans.noteDenial(rule, client(ip), times);
  const taken = () => {
    const entry = lists.entries.get(`blocklist:${ip}`);
    lists.entries.clear();
    return entry?.ttlMs;
  };
  deny(2);
  now += 600_000;
  deny(2);
  expect(taken()).toBeUndefined();
  deny(1);
  expect(taken()).toBe(600_000);
  deny(3);
  expect(taken()).toBeUndefined();
  now += 10_000;
  deny(3);
  expect(taken()).toBe(1_200_000);
  now += 1_200_000 + 86_400_000;
  deny(3);
  expect(taken()).toBe(600_000);
});
