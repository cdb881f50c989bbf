import { describe, expect, it } from "vitest";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { readHistory } from "../audit/history.ts";
import { addMany, extendMany, importMany } from "./bulk.ts";
import type { ListContext } from "./change-entries.ts";
import { type ImportProgress, importEntries } from "./import.ts";
import { ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const list = "blocklist" as const;
const [hour, week] = [3_600_000, 604_800_000];
const addressesOf = (count: number, first = 0) =>
  Array.from({ length: count }, (_, k) => k + first).map(
    (i) => `10.${2 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
  );
const textOf = (count: number, first = 0) => addressesOf(count, first).join("\n");
const run = (text: string, ctx: ListContext = lists.ctx()) =>
  importEntries(ctx, { list, text, reason: "a feed" });
const blocked = async () => (await lists.client.keys("blocklist:*")).length;

/** A connection that fails, as the error says, once an import has written so many chunks. */
function failingAfter(chunks: number, error = new Error("Connection is closed.")): Connection {
  const redis = lists.log.connect();
  let parts = 0;
  return new Proxy(redis, {
    get(target, name) {
      const held: unknown = Reflect.get(target, name);
      if (name !== "evalsha" && name !== "eval") return typeof held === "function" ? held.bind(target) : held;
      return async (script: string, count: number, ...words: string[]) => {
        const isPart = words[0]?.startsWith("sluice:audit:part:") === true;
        if (isPart && parts >= chunks) throw error;
        const reply: unknown = await Reflect.apply(target[name], target, [script, count, ...words]);
        // Only a write replies with a number.
        if (isPart && reply === 1) parts++;
        return reply;
      };
    },
  });
}

describe("an import of many lines", () => {
  it("is one record, whose entries are in parts of it, and one change number to wait for", async () => {
    const text = textOf(1_200);
    expect(await run(text)).toMatchObject({ change: 3, record: 1, before: 0 });
    expect(await blocked()).toBe(1_200);
    const { records } = await readHistory(lists.ctx().redis, { seal: lists.ctx().seal });
    expect(records).toMatchObject([
      {
        ...{ n: 1, action: "blocklist.import", reason: "a feed", change: 3, changes: [] },
        bulk: { wanted: 1_200, state: { done: 1_200, isClosed: true, parts: 4 } },
      },
    ]);
    const parts = await lists.parts(1);
    expect(parts.map(({ change, changes }) => [change, changes.length])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
      [null, 0],
    ]);
    expect(parts[0]?.changes[0]).toMatchObject({ target: "10.2.0.0", before: null, after: {} });
    expect(await lists.client.hlen(keys.auditUnfinished())).toBe(0);
    await lists.expectSoundChain(1);
  });

  it("that fits one step is a record with its entries inside, as ever", async () => {
    expect(await run(textOf(500))).toMatchObject({ change: 1, record: 1 });
    const [record] = await lists.records();
    expect([record?.changes.length, record?.bulk]).toEqual([500, undefined]);
    expect(await lists.client.keys("sluice:audit:*")).toEqual(["sluice:audit:head"]);
  });

  it("tells how far it has come", async () => {
    const progressed: ImportProgress[] = [];
    const onProgress = (progress: ImportProgress) => void progressed.push(progress);
    await importEntries(lists.ctx(), { list, text: textOf(1_100), reason: "", onProgress });
    const brief = progressed.map(({ doing, done, wanted }) => [doing, done, wanted]);
    expect(brief).toEqual([
      ["checking", 500, 1_100],
      ["checking", 1_000, 1_100],
      ["checking", 1_100, 1_100],
      ["importing", 500, 1_100],
      ["importing", 1_000, 1_100],
      ["importing", 1_100, 1_100],
    ]);
  });

  it("leaves no record when there is nothing to write", async () => {
    await run(textOf(1_200));
    const text = addressesOf(1_200)
      .map((address) => `${address},1h`)
      .join("\n");
    expect(await run(text)).toMatchObject({ change: null, record: null });
    expect(await lists.records()).toHaveLength(1);
  });

  it("keeps to the rules of lockout in each step", async () => {
    const own = lists.ctx({ address: ip("10.2.3.4") });
    await lists.client.set("safelist:10.2.4.0/30", "office");
    const imported = await importEntries(own, { list, text: textOf(1_200), reason: "", onlyValid: true });
    expect(imported.problems.map(({ line }) => line)).toEqual([773, 1_025, 1_026, 1_027, 1_028]);
    expect(imported.record).toBe(1);
    expect(await blocked()).toBe(1_195);
    expect(await lists.client.exists("blocklist:10.2.3.4", "blocklist:10.2.4.1")).toBe(0);
  });
});

describe("an import that was cut off", () => {
  const text = textOf(2_000);

  it("says how much is in force, why it stopped, and how to continue", async () => {
    const lost = run(text, lists.ctx({}, failingAfter(2)));
    await expect(lost).rejects.toMatchObject({
      code: "redis-unavailable",
      message:
        "Stopped after at least 1000 of 2000 entries, which are in force as record 1. Redis stopped answering. " +
        "Do the same again to continue, or undo record 1.",
    });
    await lists.client.flushall();
    const full = new Error("OOM command not allowed when used memory > 'maxmemory'.");
    await expect(run(text, lists.ctx({}, failingAfter(1, full)))).rejects.toThrow(
      "Stopped after 500 of 2000 entries, which are in force as record 1. Redis refused: OOM command not allowed",
    );
    expect(await blocked()).toBe(500);
    await lists.expectSoundChain(1);
  });

  it("continues its record, and writes nothing twice", async () => {
    await run(text, lists.ctx({}, failingAfter(2))).catch(() => {});
    const end = await lists.client.pexpiretime("blocklist:10.2.0.0");
    expect(await run(text)).toMatchObject({ record: 1, before: 1_000 });
    expect(await lists.client.pexpiretime("blocklist:10.2.0.0")).toBe(end);
    const { records } = await readHistory(lists.ctx().redis, { seal: lists.ctx().seal });
    expect(records).toMatchObject([{ bulk: { wanted: 2_000, state: { done: 2_000, isClosed: true } } }]);
    expect((await lists.parts(1)).flatMap(({ changes }) => changes)).toHaveLength(2_000);
    await lists.expectSoundChain(1);
  });

  it.each([
    [
      "of another list",
      (ctx: ListContext) => importEntries(ctx, { list: "safelist", text, reason: "a feed" }),
    ],
    ["with another text", (ctx: ListContext) => run(`${text}\n203.0.113.1`, ctx)],
    [
      "for another life",
      (ctx: ListContext) => importEntries(ctx, { list, text, reason: "a feed", ttlMs: 2 * week }),
    ],
    [
      "by another actor",
      (ctx: ListContext) => run(text, { ...ctx, actor: { name: "eve@example.org", via: "console" } }),
    ],
    [
      "through another interface",
      (ctx: ListContext) => run(text, { ...ctx, actor: { ...ctx.actor, via: "cli" } }),
    ],
  ])("is not continued by one %s", async (_, other) => {
    await run(text, lists.ctx({}, failingAfter(2))).catch(() => {});
    expect(await other(lists.ctx())).toMatchObject({ record: 2, before: 0 });
    expect(await lists.records()).toHaveLength(2);
    await lists.expectSoundChain(2);
  });

  it("is not continued by what a foreign writer says of it", async () => {
    await run(text, lists.ctx({}, failingAfter(2))).catch(() => {});
    const [digest = ""] = await lists.client.hkeys(keys.auditUnfinished());
    for (const forged of ["7", "x", "-1"]) {
      await lists.client.hset(keys.auditUnfinished(), digest, forged);
      expect((await run(text)).before).toBe(0);
    }
  });
});

it("two imports at once are two records, each with its own entries", async () => {
  const other = lists.ctx({ name: "grace@example.org" }, lists.log.connect());
  const [one, two] = await Promise.all([run(textOf(3_000)), run(textOf(3_000, 100_000), other)]);
  expect([one.record, two.record].toSorted()).toEqual([1, 2]);
  expect(await blocked()).toBe(6_000);
  for (const { record } of [one, two]) {
    const entries = (await lists.parts(record ?? 0)).flatMap(({ changes }) =>
      changes.map(({ target }) => target),
    );
    expect(new Set(entries).size).toBe(3_000);
  }
  await lists.expectSoundChain(2);
});

describe("a request that takes several calls", () => {
  const addresses = addressesOf(1_500);
  const call = (from: number, isLast: boolean, ctx = lists.ctx()) =>
    addMany(ctx, {
      ...{ list, ttlMs: hour, reason: "a feed", confirmed: [] },
      addresses: addresses.slice(from, from + 300),
      part: { of: "the file", wanted: 1_500, isLast },
    });

  it("is one record, of the entries that all calls wrote", async () => {
    for (const from of [0, 300, 600, 900])
      expect(await call(from, false)).toMatchObject({ record: 1, done: 300 });
    expect(await lists.client.hlen(keys.auditUnfinished())).toBe(1);
    expect(await call(1_200, true)).toMatchObject({ record: 1, change: 5, done: 300 });
    const { records } = await readHistory(lists.ctx().redis);
    expect(records).toMatchObject([{ bulk: { wanted: 1_500, state: { done: 1_500, isClosed: true } } }]);
  });

  it("goes into no record of another actor", async () => {
    await call(0, false);
    expect(await call(300, true, lists.ctx({ name: "eve@example.org" }))).toMatchObject({ record: 2 });
  });

  it("of one line is an ordinary record", async () => {
    const text = "203.0.113.9,1h,one";
    const part = { of: "x", wanted: 1, isLast: true };
    await importMany(lists.ctx(), {
      ...{ list, text, ttlMs: hour, reason: "" },
      expected: ["203.0.113.9"],
      part,
    });
    expect(await lists.records()).toMatchObject([{ changes: [{ target: "203.0.113.9" }] }]);
  });

  it("and is to be done each time begins a record each time", async () => {
    await addMany(lists.ctx(), { list, addresses, ttlMs: hour, reason: "", confirmed: [] });
    const extending = { list, addresses, life: { forMs: hour }, reason: "longer" };
    await extendMany(lists.ctx({}, failingAfter(2)), extending).catch(() => {});
    expect(await extendMany(lists.ctx(), { ...extending, after: addresses[999] })).toMatchObject({
      record: 2,
      done: 500,
    });
    expect(await extendMany(lists.ctx(), extending)).toMatchObject({ record: 3, done: 1_500 });
    await lists.expectSoundChain(3);
  });
});
