import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressPostings } from "../../manage/audit/address-postings.ts";
import { BulkRecord } from "../../manage/audit/bulk-record.ts";
import { HistoryIndex } from "../../manage/audit/list-history-index.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { addMany } from "../../manage/lists/bulk.ts";
import { extendEntries } from "../../manage/lists/extend.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at, testLists } from "../../manage/lists/vitest.context.ts";
import { keys } from "../../redis/keys.ts";
import { entryHistory } from "./entry-history.ts";

const lists = testLists();
const list = "blocklist" as const;
const bad = at("203.0.113.9");
const hour = 3_600_000;
const add = (reason: string, ctx = lists.ctx()) =>
  addEntries(ctx, { list, addresses: [bad], reason, ttlMs: hour });
const remove = () => removeEntries(lists.ctx(), { list, addresses: [bad], reason: "a mistake" });
const open = () => new HistoryIndex(lists.ctx().redis);
const history = (index = open()) => entryHistory(lists.ctx().redis, index, { list, address: bad });

describe("the history of an entry", () => {
  it("is every record that touched it, the newest first", async () => {
    await add("scraper");
    await addEntries(lists.ctx(), { list, addresses: [at("203.0.113.8")], reason: "another" });
    await addEntries(lists.ctx(), { list: "safelist", addresses: [at("203.0.113.8")], reason: "" });
    await extendEntries(lists.ctx({ name: "grace", via: "cli" }), {
      ...{ list, addresses: [bad], reason: "still at it" },
      life: { forMs: hour },
    });
    await remove();
    expect(await history()).toEqual([
      {
        ...{
          n: 5,
          action: "blocklist.remove",
          actor: "ada@example.org",
          via: "console",
          reason: "a mistake",
        },
        at: expect.stringMatching(/Z$/),
        before: { reason: "scraper", expiresAt: expect.closeTo(Date.now() + 2 * hour, -4) },
      },
      expect.objectContaining({ n: 4, action: "blocklist.extend", actor: "grace", via: "cli" }),
      expect.objectContaining({ n: 1, after: { reason: "scraper", expiresAt: expect.any(Number) } }),
    ]);
  });

  it("counts how often it was listed before, not the time that it is now", async () => {
    const index = open();
    const times = async (by?: string) => {
      await index.catchUp();
      return index.listedBefore(list, { address: bad, by });
    };
    expect(await times()).toBe(0);
    await add("one");
    expect(await times("ada@example.org")).toBe(0);
    await add("longer is no other time");
    await remove();
    expect(await times()).toBe(1);
    await add("two");
    expect(await times("ada@example.org")).toBe(1);
    await lists.client.set("blocklist:203.0.113.9", "by hand");
    expect(await times()).toBe(2);
    expect(await index.listedBefore("safelist", { address: bad })).toBe(0);
  });

  it("does not take an undo for another time", async () => {
    await add("one");
    await remove();
    await add("back", { ...lists.ctx(), undoes: { n: 2, action: "blocklist.remove" } });
    const index = open();
    await index.catchUp();
    expect(index.listedBefore(list, { address: bad })).toBe(1);
    expect((await history())[0]).toMatchObject({ n: 3, action: "undo" });
  });

  it("reads on where it stopped, and begins again with another log", async () => {
    const index = open();
    await add("one");
    expect(await history(index)).toHaveLength(1);
    await remove();
    expect(await history(index)).toHaveLength(2);
    await lists.client.flushall();
    expect(await history(index)).toEqual([]);
    await add("a new log");
    await remove();
    await add("goes on");
    expect((await history(index)).map(({ n }) => n)).toEqual([3, 2, 1]);
  });

  it("is found among many, and by many at once", async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => at(`10.2.${i >> 8}.${i & 255}`));
    await add("one");
    await addMany(lists.ctx(), { list, addresses: many, ttlMs: hour, reason: "", confirmed: [] });
    await remove();
    const index = open();
    const found = await Promise.all([history(index), history(index), history(index)]);
    for (const records of found) expect(records.map(({ n }) => n)).toEqual([3, 1]);
    expect(index.listedBefore(list, { address: "10.2.7.1" })).toBe(1);
    expect(index.isWhole).toBe(true);
  });

  it("goes back as far as memory allows, and says when that is not all", async () => {
    await add("one");
    const many = Array.from({ length: 3_000 }, (_, i) => at(`10.2.${i >> 8}.${i & 255}`));
    await addMany(lists.ctx(), { list, addresses: many, ttlMs: hour, reason: "", confirmed: [] });
    await remove();
    for (const limits of [
      { records: 1_000, touches: 1_600 },
      { records: 1, touches: 1_000_000 },
    ]) {
      const index = new HistoryIndex(lists.ctx().redis, limits);
      expect((await history(index)).map(({ n }) => n)).toEqual([3]);
      expect(index.isWhole).toBe(false);
      expect(index.listedBefore(list, { address: "10.2.1.1" })).toBe(1);
    }
  });

  it("knows of a record that is being written as far as it is written", async () => {
    const index = open();
    const into = new BulkRecord(lists.ctx(), {
      ...{ action: "blocklist.import", reason: "a feed", wanted: 2, request: "x" },
    });
    const write = (address: string) =>
      addEntries({ ...lists.ctx(), into }, { list, addresses: [at(address)], reason: "a feed" });
    await write("203.0.113.8");
    expect(await history(index)).toEqual([]);
    await write("203.0.113.9");
    expect(await history(index)).toMatchObject([{ n: 1, action: "blocklist.import", reason: "a feed" }]);
    await into.finish();
    await remove();
    expect((await history(index)).map(({ n }) => n)).toEqual([2, 1]);
  });

  it("passes over what is damaged", async () => {
    await add("one");
    await lists.client.xadd(keys.audit(), "2-0", "record", "no JSON");
    await remove();
    expect(await history()).toHaveLength(2);
  });

  it("says of other spellings and types what was there", async () => {
    await lists.client.rpush("blocklist:203.0.113.9", "x");
    await remove();
    expect((await history())[0]?.before).toEqual({ reason: "a list in Redis, no entry", expiresAt: null });
  });
});

it("keeps a chain for each address, equal to a plain list", () => {
  const address = fc.constantFrom(
    "203.0.113.1",
    "203.0.113.0/24",
    "2001:db8::1",
    "10.0.0.0/8",
    "2001:DB8::1",
    "",
  );
  fc.assert(
    fc.property(fc.array(fc.record({ address, isAdded: fc.boolean() }), { maxLength: 60 }), (touched) => {
      const touches = new AddressPostings();
      for (const [i, { address: where, isAdded }] of touched.entries())
        touches.add(where, { record: i + 1, part: i % 3, isAdded });
      for (const { address: where } of touched) {
        const own = touched
          .map((touch, i) => ({ ...touch, n: i + 1 }))
          .filter((touch) => touch.address === where);
        expect(touches.timesAdded(where)).toBe(own.filter(({ isAdded }) => isAdded).length);
        expect(touches.records(where, 5)).toEqual(
          own
            .map(({ n }) => ({ record: n, part: (n - 1) % 3 }))
            .reverse()
            .slice(0, 5),
        );
      }
    }),
  );
});
