import { describe, expect, it } from "vitest";
import { readNote } from "../../enforce/lists/entry.ts";
import { keys } from "../../redis/keys.ts";
import { testUndo } from "../undo/vitest.undo.ts";
import { addEntries } from "./add.ts";
import { tagMany } from "./bulk.ts";
import { importEntries } from "./import.ts";
import { tagEntries } from "./tag.ts";
import type { TagChange } from "./tags.ts";
import { at } from "./vitest.context.ts";

const { lists, undo } = testUndo();
const list = "blocklist" as const;
const bad = at("203.0.113.9");
const [hour, day] = [3_600_000, 86_400_000];

const value = async (address = bad) => (await lists.client.get(keys.entry(list, address))) ?? "";
const tagsOf = async (address = bad) => readNote(await value(address)).tags;
const tag = (tags: TagChange, addresses = [bad]) =>
  tagEntries(lists.ctx({ name: "grace@example.org" }), { list, addresses, tags, reason: "sorted" });
const add = (more: Partial<Parameters<typeof addEntries>[1]> = {}) =>
  addEntries(lists.ctx(), { list, addresses: [bad], ttlMs: hour, reason: "scraper", ...more });

describe("tagging", () => {
  it("adds and removes tags, and leaves the note and the end as they are", async () => {
    await add();
    const before = JSON.parse(await value());
    const { change, outcomes } = await tag({ add: ["scraper", "asn:64500"] });
    expect(change).toBe(2);
    expect(outcomes).toEqual([{ address: bad, outcome: "tagged", tags: ["asn:64500", "scraper"] }]);
    expect(JSON.parse(await value())).toEqual({ ...before, tags: ["asn:64500", "scraper"] });
    expect(await lists.client.pttl(keys.entry(list, bad))).toBeGreaterThan(hour - 5_000);
    await tag({ add: ["new"], remove: ["scraper"] });
    expect(await tagsOf()).toEqual(["asn:64500", "new"]);
    await tag({ set: [] });
    expect(JSON.parse(await value())).toEqual(before);
    expect(await lists.records()).toMatchObject([
      { action: "blocklist.add" },
      { action: "blocklist.tag", actor: "grace@example.org", reason: "sorted" },
      { action: "blocklist.tag" },
      { action: "blocklist.tag" },
    ]);
    await lists.expectSoundChain(4);
  });

  it("writes nothing where the tags are as wanted, and nothing where there is no entry", async () => {
    await add({ tags: { set: ["a"] } });
    const absent = at("203.0.113.10");
    const { change, outcomes } = await tag({ add: ["a"], remove: ["b"] }, [bad, absent]);
    expect(change).toBeNull();
    expect(outcomes).toMatchObject([{ outcome: "unchanged" }, { address: absent, outcome: "absent" }]);
    expect(await lists.records()).toHaveLength(1);
    await expect(tag({ add: [] })).rejects.toThrow("Give a tag to add or to remove.");
  });

  it("keeps what other programs have written", async () => {
    const [plain, json, list2] = [at("203.0.113.1"), at("203.0.113.2"), at("203.0.113.3")];
    await lists.client.set(keys.entry(list, plain), "by hand");
    await lists.client.set(keys.entry(list, json), '{"ticket":7,"reason":"rails","tags":["old",5,"No!"]}');
    await lists.client.rpush(keys.entry(list, list2), "x");
    const { outcomes } = await tag({ add: ["bot"] }, [plain, json, list2]);
    expect(outcomes).toMatchObject([
      { outcome: "tagged" },
      { outcome: "tagged", tags: ["bot", "old"] },
      { outcome: "refused", code: "bad-input" },
    ]);
    expect(await value(plain)).toBe('{"reason":"by hand","tags":["bot"]}');
    expect(await value(json)).toBe('{"ticket":7,"reason":"rails","tags":["bot","old"]}');
    expect(await lists.client.pttl(keys.entry(list, plain))).toBe(-1);
  });

  it("refuses more than eight tags, and a value that is too long to be read wholly", async () => {
    await add({ tags: { set: ["a", "b", "c", "d", "e", "f", "g"] } });
    const { outcomes } = await tag({ add: ["h", "i"] });
    expect(outcomes).toMatchObject([
      { outcome: "refused", message: expect.stringContaining("at most 8 tags, here are 9") },
    ]);
    await lists.client.set(keys.entry(list, bad), "ä".repeat(2_048));
    expect((await tag({ add: ["a"] })).outcomes).toMatchObject([
      { outcome: "refused", message: expect.stringContaining("too long") },
    ]);
  });

  it("is undone, also by staff for an entry that never expires", async () => {
    await add({ ttlMs: null, tags: { set: ["a"] } });
    await tag({ set: ["b"] });
    await undo(2, "staff");
    expect(await tagsOf()).toEqual(["a"]);
  });
});

describe("adding an entry again", () => {
  it("keeps its tags, adds others, or sets them", async () => {
    await add({ tags: { add: ["a"] } });
    await add({ ttlMs: day, reason: "again" });
    expect(readNote(await value())).toMatchObject({ reason: "again", tags: ["a"] });
    await add({ ttlMs: 2 * day, tags: { add: ["b"] } });
    expect(await tagsOf()).toEqual(["a", "b"]);
    await add({ ttlMs: 3 * day, tags: { set: ["c"] } });
    expect(await tagsOf()).toEqual(["c"]);
  });

  it("changes the tags alone of an entry that lasts as long anyway", async () => {
    await add({ ttlMs: day });
    const { outcomes } = await add({ reason: "other", tags: { add: ["b"] } });
    expect(outcomes).toMatchObject([{ outcome: "tagged", expiresAt: expect.any(Number) }]);
    expect(readNote(await value())).toMatchObject({ reason: "scraper", tags: ["b"] });
    expect((await add({ tags: { add: ["b"] } })).outcomes).toMatchObject([{ outcome: "kept" }]);
  });
});

describe("an import", () => {
  it("reads a column of tags, and gives all lines others", async () => {
    const text = 'address,reason,tags\n203.0.113.9,bot,B a\n203.0.113.10,,\n203.0.113.11,,"a;c, b"\n';
    await importEntries(lists.ctx(), { list, text, reason: "feed", tags: ["x"] });
    expect(await tagsOf()).toEqual(["a", "b", "x"]);
    expect(await tagsOf(at("203.0.113.10"))).toEqual(["x"]);
    expect(await tagsOf(at("203.0.113.11"))).toEqual(["a", "b", "c", "x"]);
  });

  it("names the line of a word that is no tag", async () => {
    const text = "address,tags\n203.0.113.9,ok\n203.0.113.10,näh\n";
    await expect(importEntries(lists.ctx(), { list, text, reason: "" })).rejects.toThrow(
      'Line 3, tags: "näh" is not a tag',
    );
  });
});

it("tags many entries in one record with one undo", async () => {
  const addresses = Array.from({ length: 700 }, (_, i) => at(`10.2.${i >> 8}.${i & 255}`));
  const pipeline = lists.client.pipeline();
  for (const address of addresses) pipeline.set(keys.entry(list, address), "x");
  await pipeline.exec();
  const input = { list, addresses, tags: { add: ["crowd"] }, reason: "" };
  const result = await tagMany(lists.ctx(), input);
  expect(result).toMatchObject({ record: 1, done: 700, skippedCount: 0, next: null });
  expect(await tagsOf(at("10.2.2.100"))).toEqual(["crowd"]);
  await undo(1, "staff");
  expect(await value(at("10.2.2.100"))).toBe("x");
  await lists.expectSoundChain(2);
});
