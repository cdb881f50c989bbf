import { expect, it } from "vitest";
import { addEntries } from "./add.ts";
import { extendEntries } from "./extend.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const list = "blocklist" as const;
const bad = at("203.0.113.9");
const [hour, day] = [3_600_000, 86_400_000];

const extend = (life: Parameters<typeof extendEntries>[1]["life"], addresses = [bad], ctx = lists.ctx()) =>
  extendEntries(ctx, { list, addresses, life, reason: "still at it" });

it("adds to what is left, keeps what the entry says, and records why", async () => {
  await lists.client.set("blocklist:203.0.113.9", "by hand", "PX", hour);
  const { change, outcomes } = await extend({ forMs: day });
  expect(change).toBe(1);
  expect(outcomes).toMatchObject([{ outcome: "extended" }]);
  expect(await lists.client.get("blocklist:203.0.113.9")).toBe("by hand");
  expect(await lists.client.pttl("blocklist:203.0.113.9")).toBeGreaterThan(day + hour - 5_000);
  expect(await lists.records()).toMatchObject([{ action: "blocklist.extend", reason: "still at it" }]);
  await lists.expectSoundChain(1);
});

it("sets a later end, or none; never an earlier one", async () => {
  await lists.client.set("blocklist:203.0.113.9", "x", "PX", day);
  const later = Date.now() + 2 * day;
  expect((await extend({ until: later })).outcomes).toMatchObject([
    { outcome: "extended", expiresAt: later },
  ]);
  const kept = await extend({ until: later - day });
  expect(kept).toMatchObject({ change: null, outcomes: [{ outcome: "kept" }] });
  expect((await extend("forever")).outcomes).toMatchObject([{ outcome: "extended", expiresAt: null }]);
  expect(await lists.client.pttl("blocklist:203.0.113.9")).toBe(-1);
  expect((await extend({ forMs: day })).outcomes).toMatchObject([{ outcome: "kept", expiresAt: null }]);
  expect(await lists.records()).toHaveLength(2);
});

it("says which entries are not there", async () => {
  expect(await extend({ forMs: day })).toEqual({
    change: null,
    record: null,
    outcomes: [{ address: bad, outcome: "absent" }],
  });
});

it("refuses more than ten years, while others are extended", async () => {
  await lists.client.set("blocklist:203.0.113.9", "x", "PX", 3_000 * day);
  await lists.client.set("blocklist:203.0.113.10", "x", "PX", day);
  expect((await extend({ forMs: 1_000 * day }, [bad, at("203.0.113.10")])).outcomes).toMatchObject([
    { outcome: "refused", code: "bad-input", message: expect.stringContaining("ten years") },
    { outcome: "extended" },
  ]);
});

it("keeps lockout protection, without asking again for a width", async () => {
  const own = lists.ctx({ address: ip("203.0.112.7") });
  const wide = at("203.0.112.0/20");
  await addEntries(lists.ctx(), { list, addresses: [wide], reason: "", confirmed: [wide], ttlMs: hour });
  expect((await extend({ forMs: day }, [wide], own)).outcomes).toMatchObject([{ code: "lockout" }]);
  expect((await extend({ forMs: day }, [wide])).outcomes).toMatchObject([{ outcome: "extended" }]);
});

it("ends no later than the actor may choose, and leaves what already does", async () => {
  const longestMs = 90 * day;
  const extendTo = (forMs: number) =>
    extendEntries(lists.ctx(), { list, addresses: [bad], life: { forMs }, reason: "", longestMs });
  await lists.client.set("blocklist:203.0.113.9", "x", "PX", 89 * day);
  expect(await extendTo(2 * day)).toMatchObject({
    change: null,
    outcomes: [
      { outcome: "refused", code: "not-allowed", message: expect.stringContaining("at most 90 days") },
    ],
  });
  expect((await extendTo(hour)).outcomes).toMatchObject([{ outcome: "extended" }]);
  await lists.client.set("blocklist:203.0.113.9", "x", "PX", 300 * day);
  expect((await extendTo(hour)).outcomes).toMatchObject([{ outcome: "refused" }]);
  await lists.client.persist("blocklist:203.0.113.9");
  expect((await extendTo(hour)).outcomes).toMatchObject([{ outcome: "kept", expiresAt: null }]);
});
