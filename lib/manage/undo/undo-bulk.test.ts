import { describe, expect, it, vi } from "vitest";
import { keys } from "../../redis/keys.ts";
import { readHistory } from "../audit/history.ts";
import { addMany, extendMany, removeMany } from "../lists/bulk.ts";
import { importEntries } from "../lists/import.ts";
import { removeEntries } from "../lists/remove.ts";
import { at, ip } from "../lists/vitest.context.ts";
import { undo } from "./undo.ts";
import { testUndo } from "./vitest.undo.ts";

const test = testUndo();
const { lists } = test;
const list = "blocklist" as const;
const day = 86_400_000;
const many = (count: number) => Array.from({ length: count }, (_, i) => at(`10.2.${i >> 8}.${i & 255}`));
const block = (count = 1_200, ttlMs: number | null = day) =>
  addMany(lists.ctx(), { list, addresses: many(count), ttlMs, reason: "botnet", confirmed: [] });
const unblock = (count = 1_200) => removeMany(lists.ctx(), { list, addresses: many(count), reason: "over" });
const blocked = async () => (await lists.client.keys("blocklist:*")).length;
const admin = (n: number, more = {}) => undo(test.as("admin"), { n, ...more });
const undone = async () => (await readHistory(lists.ctx().redis, { seal: lists.ctx().seal })).undone;
const doneByStep = async () => {
  const { records } = await readHistory(lists.ctx().redis, { seal: lists.ctx().seal });
  return records.map((found) => ("bulk" in found ? found.bulk?.state?.done : undefined));
};

describe("the undo of a record with parts", () => {
  it("is one record, that takes all of it back, and gives one change number to wait for", async () => {
    await block();
    expect(await admin(1, { reason: "a mistake" })).toEqual({
      ...{
        change: 6,
        record: 2,
        done: 1_200,
        wanted: 1_200,
        before: 0,
        left: 0,
        firstLeft: [],
        isWhole: true,
      },
    });
    expect(await blocked()).toBe(0);
    expect(await lists.records()).toMatchObject([
      { action: "blocklist.add" },
      {
        action: "undo",
        undoes: { n: 1, action: "blocklist.add" },
        reason: "a mistake",
        bulk: { wanted: 1_200 },
      },
    ]);
    expect(await undone()).toEqual([[1, 2, false]]);
    await lists.expectSoundChain(2);
  });

  it("is undone itself, and so on, each entry with its value and what is left of its life", async () => {
    await block();
    const before = await lists.client.mget(many(1_200).map((address) => `blocklist:${address}`));
    const end = await lists.client.pexpiretime("blocklist:10.2.4.1");
    await unblock();
    for (const n of [2, 3, 4]) await admin(n);
    expect(await lists.client.mget(many(1_200).map((address) => `blocklist:${address}`))).toEqual(before);
    expect(Math.abs((await lists.client.pexpiretime("blocklist:10.2.4.1")) - end)).toBeLessThan(10);
    expect(await doneByStep()).toEqual([1_200, 1_200, 1_200, 1_200, 1_200]);
    await lists.expectSoundChain(5);
  });

  it("leaves what was changed since, names it, and can be made again for the rest", async () => {
    await block();
    await removeEntries(lists.ctx({ name: "grace" }), { list, addresses: [at("10.2.0.1")], reason: "" });
    await lists.client.set("blocklist:10.2.0.2", "by hand");
    expect(await admin(1)).toMatchObject({
      done: 1_198,
      left: 1,
      firstLeft: ["10.2.0.2 was changed since."],
    });
    expect(await lists.client.keys("blocklist:*")).toEqual(["blocklist:10.2.0.2"]);
    expect(await undone()).toEqual([[1, 3, true]]);
    await expect(admin(1)).rejects.toMatchObject({
      code: "changed-since",
      message: /10\.2\.0\.2 was changed outside/,
    });
    expect(await lists.records()).toHaveLength(3);
  });

  it("has nothing to do once everything is as it was", async () => {
    await block();
    await unblock();
    await expect(admin(1)).rejects.toThrow(
      /nothing left to undo of record 1: 10\.2\.0\.0 was changed by ada@example\.org .*\(record 2\)/,
    );
    expect(await lists.records()).toHaveLength(2);
  });

  it("continues where it stopped, also when it stops for want of patience", async () => {
    await block(2_600);
    const calls: number[] = [];
    for (let isWhole = false; !isWhole; ) {
      const part = await admin(1, { patienceMs: 0, reason: "step by step" });
      calls.push(part.done);
      isWhole = part.isWhole;
    }
    expect(calls).toEqual([100, 600, 1_100, 1_600, 2_100, 2_600]);
    expect(await blocked()).toBe(0);
    expect(await lists.records()).toHaveLength(2);
    expect(await undone()).toEqual([[1, 2, false]]);
    await lists.expectSoundChain(2);
  });

  it("ends a record that was cut off, which takes no more entries", async () => {
    const begun = { list, addresses: many(1_200), ttlMs: day, reason: "botnet", confirmed: [] };
    const part = { of: "a file", wanted: 2_000, isLast: false };
    expect(await addMany(lists.ctx(), { ...begun, part })).toMatchObject({ record: 1 });
    expect(await admin(1)).toMatchObject({ record: 2, done: 1_200 });
    expect(await blocked()).toBe(0);
    expect(await addMany(lists.ctx(), { ...begun, part })).toMatchObject({ record: 3, done: 1_200 });
    await lists.expectSoundChain(3);
  });

  it("is for who may do what it brings back", async () => {
    await block(1_200, null);
    await undo(test.as("staff"), { n: 1 });
    await expect(undo(test.as("staff"), { n: 2 })).rejects.toThrow(
      "Your role, staff, may not undo this. Only admin can.",
    );
    await expect(undo(test.as("support"), { n: 1 })).rejects.toMatchObject({ code: "not-allowed" });
  });

  it("brings back nothing that may not be blocked by now", async () => {
    await block();
    await unblock();
    await lists.client.set("safelist:10.2.0.0/31", "office");
    const own = test.as("admin", { address: ip("10.2.4.4") });
    const result = await undo(own, { n: 2 });
    expect(result).toMatchObject({ done: 1_197, left: 3 });
    expect(result.firstLeft[0]).toBe("10.2.4.4 is your own address.");
    expect(await lists.client.exists("blocklist:10.2.0.0", "blocklist:10.2.0.1", "blocklist:10.2.4.4")).toBe(
      0,
    );
  });

  it("takes back what was changed twice in one record", async () => {
    await block();
    const end = await lists.client.pexpiretime("blocklist:10.2.0.0");
    const twice = {
      list,
      addresses: many(1_200),
      life: { forMs: day },
      reason: "",
      part: { of: "x", wanted: 2_400 },
    };
    await extendMany(lists.ctx(), { ...twice, part: { ...twice.part, isLast: false } });
    await extendMany(lists.ctx(), { ...twice, part: { ...twice.part, isLast: true, isContinued: true } });
    expect(await lists.records()).toHaveLength(2);
    expect(await admin(2)).toMatchObject({ done: 2_400 });
    expect(Math.abs((await lists.client.pexpiretime("blocklist:10.2.0.0")) - end)).toBeLessThan(10);
  });

  it("is refused when its parts are not as they were written", async () => {
    await block();
    const [head = ""] = await lists.client.keys("sluice:audit:part:*:head");
    await lists.client.hset(head, "facts", '{"done":1200}');
    await expect(admin(1)).rejects.toThrow("Its entries are not as Sluice wrote them. Check the log.");
    expect(await blocked()).toBe(1_200);
  });
});

describe("the undo of chosen entries", () => {
  it.each(["viewer", "support"] as const)("reads no part of the record for a %s", async (role) => {
    await block();
    const asked = test.as(role);
    const reads = [vi.spyOn(asked.redis, "xrange"), vi.spyOn(asked.redis, "xrevrange")];
    await expect(undo(asked, { n: 1, addresses: ["10.2.0.3"] })).rejects.toMatchObject({
      code: "not-allowed",
      message: `Your role, ${role}, may not undo this. Only staff or admin can.`,
    });
    const streams = reads.flatMap(({ mock }) => mock.calls.map(([stream]) => stream));
    vi.restoreAllMocks();
    expect(streams).toEqual([keys.audit()]);
  });

  it("reads no part of a record that cannot be undone", async () => {
    await block();
    const [head = ""] = await lists.client.keys("sluice:audit:part:*:head");
    await lists.client.hset(head, "facts", '{"done":1200}');
    const asked = test.as("admin");
    const read = vi.spyOn(asked.redis, "xrange");
    await expect(undo(asked, { n: 1, addresses: ["10.2.0.3"] })).rejects.toThrow(
      "Its entries are not as Sluice wrote them. Check the log.",
    );
    const streams = read.mock.calls.map(([stream]) => stream);
    vi.restoreAllMocks();
    expect(streams).toEqual([keys.audit()]);
  });

  it("of a record that only an admin can undo whole, is for staff where their life is short", async () => {
    await block(600, null);
    await unblock(600);
    await expect(undo(test.as("staff"), { n: 2, addresses: ["10.2.0.3"] })).rejects.toThrow(
      "Only admin can.",
    );
    await block(600);
    await unblock(600);
    expect(await undo(test.as("staff"), { n: 4, addresses: ["10.2.0.3"] })).toMatchObject({ done: 1 });
  });

  it("takes these back and no others, of a record with parts", async () => {
    await block();
    const addresses = ["10.2.0.3", "10.2.4.3"];
    expect(await admin(1, { addresses })).toMatchObject({ done: 2, isWhole: true });
    expect(await blocked()).toBe(1_198);
    expect((await lists.records())[1]).toMatchObject({
      undoes: { n: 1, action: "blocklist.add", entries: 2 },
      changes: [{ target: "10.2.0.3" }, { target: "10.2.4.3" }],
    });
    expect(await undone()).toEqual([[1, 2, true]]);
    expect(await admin(1)).toMatchObject({ done: 1_198, left: 0 });
    expect(await undone()).toEqual([
      [1, 3, false],
      [1, 2, true],
    ]);
  });

  it("of more than fit one step, is a record with parts, too", async () => {
    await block();
    expect(await admin(1, { addresses: many(800) })).toMatchObject({ done: 800, wanted: 800, record: 2 });
    expect(await blocked()).toBe(400);
    expect(await undone()).toEqual([[1, 2, true]]);
    await lists.expectSoundChain(2);
  });

  it("of an ordinary record, is all of them or none", async () => {
    await importEntries(lists.ctx(), { list, text: "203.0.113.1\n203.0.113.2\n203.0.113.3", reason: "" });
    await lists.client.set("blocklist:203.0.113.2", "by hand");
    const chosen = (...addresses: string[]) => admin(1, { addresses });
    await expect(chosen("203.0.113.1", "203.0.113.2")).rejects.toMatchObject({ code: "changed-since" });
    await expect(chosen("203.0.113.9")).rejects.toThrow("Record 1 did not change 203.0.113.9.");
    await chosen("203.0.113.1");
    expect((await lists.client.keys("blocklist:*")).toSorted()).toEqual([
      "blocklist:203.0.113.2",
      "blocklist:203.0.113.3",
    ]);
  });
});

it("a record of an earlier version, one for each step, is read and undone as before", async () => {
  for (let i = 0; i < 3; i++)
    await importEntries(lists.ctx(), {
      list,
      text: many(1_200)
        .slice(i * 400, i * 400 + 400)
        .join("\n"),
      reason: "",
    });
  expect(await lists.records()).toHaveLength(3);
  for (const n of [3, 2, 1]) await admin(n);
  expect(await blocked()).toBe(0);
  expect(await undone()).toEqual([
    [1, 6, false],
    [2, 5, false],
    [3, 4, false],
  ]);
});

it("who changed an entry is known, also when it was in a part", async () => {
  await addMany(lists.ctx(), { list, addresses: [at("10.2.0.0")], ttlMs: day, reason: "", confirmed: [] });
  await addMany(lists.ctx({ name: "grace@example.org" }), {
    ...{ list, addresses: many(1_200), ttlMs: 2 * day, reason: "", confirmed: [] },
  });
  await expect(admin(1)).rejects.toThrow(/10\.2\.0\.0 was changed by grace@example\.org at .* \(record 2\)/);
});

describe("the log", () => {
  it("finds a record by an address in its parts, page after page", async () => {
    await block();
    const find = (target: string, before?: string) =>
      readHistory(lists.ctx().redis, { filter: { target }, ...(before && { before }) });
    for (const target of ["10.2.0.0", "10.2.4.175", "10.2.4.0/24"])
      expect((await find(target)).records.map(({ n }) => n)).toEqual([1]);
    expect((await find("10.2.4.175")).hits).toEqual(new Map([[1, ["10.2.4.175"]]]));
    for (const target of ["10.2.4.176", "10.3.0.0/16"]) expect((await find(target)).records).toEqual([]);
    expect((await find("10.2.0.0", "1-3")).records).toHaveLength(1);
    expect((await find("10.2.4.0", "1-3")).records).toEqual([]);
    const said = await readHistory(lists.ctx().redis, { filter: { text: "BOTnet" } });
    expect(said.records).toHaveLength(1);
  });
});
