import { describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { sayMoment } from "../audit/time-words.ts";
import { addEntries } from "../lists/add.ts";
import { extendEntries } from "../lists/extend.ts";
import { importEntries } from "../lists/import.ts";
import { removeEntries } from "../lists/remove.ts";
import { at, ip } from "../lists/vitest.context.ts";
import { undo } from "./undo.ts";
import { testUndo } from "./vitest.undo.ts";

const test = testUndo();
const { lists, lastRecord } = test;
const bad = at("203.0.113.9");
const other = at("203.0.113.10");
const key = "blocklist:203.0.113.9";
const hour = 3_600_000;

const block = (addresses = [bad], ttlMs: number | null = hour) =>
  addEntries(lists.ctx(), { list: "blocklist", addresses, ttlMs, reason: "scraper" });
const unblock = (addresses = [bad], name = "grace@example.org") =>
  removeEntries(lists.ctx({ name }), { list: "blocklist", addresses, reason: "" });
const textOf = (name: string) => lists.client.get(name);

describe("undoing", () => {
  it("an addition takes the entry off, names what it undoes, and gives a number to nodes", async () => {
    await block();
    expect(await test.undo(1, "staff", "a mistake")).toMatchObject({ change: 2 });
    expect(await textOf(key)).toBeNull();
    expect(await lastRecord()).toMatchObject({
      n: 2,
      actor: "undoer@example.org",
      action: "undo",
      undoes: { n: 1, action: "blocklist.add" },
      reason: "a mistake",
      changes: [{ target: bad, before: { value: expect.any(String) }, after: null }],
    });
    await lists.expectSoundChain(2);
  });

  it("a removal puts the entry back, word for word, with what is left of its life", async () => {
    await block();
    const [value, end] = [await textOf(key), await lists.client.pexpiretime(key)];
    await unblock();
    await test.undo(2);
    expect(await textOf(key)).toBe(value);
    expect(Math.abs((await lists.client.pexpiretime(key)) - end)).toBeLessThan(10);
  });

  it("an extension gives the entry the end that it had", async () => {
    await block();
    const end = await lists.client.pexpiretime(key);
    await extendEntries(lists.ctx(), {
      ...{ list: "blocklist", addresses: [bad], reason: "" },
      life: { forMs: 24 * hour },
    });
    await test.undo(2);
    expect(Math.abs((await lists.client.pexpiretime(key)) - end)).toBeLessThan(10);
  });

  it("an addition that lengthened a foreign entry gives that back, without an end", async () => {
    await lists.client.set(key, "by hand", "PX", hour);
    await block([bad], null);
    await test.undo(1);
    expect(await textOf(key)).toBe("by hand");
    expect(await test.pttl(key)).toBeLessThanOrEqual(hour);
  });

  it("an import takes off what it brought", async () => {
    await importEntries(lists.ctx(), { list: "safelist", text: `${bad}\n${other},1h,office`, reason: "" });
    await test.undo(1);
    expect(await lists.client.keys("safelist:*")).toEqual([]);
  });

  it("an undo does it again, and so on", async () => {
    await block();
    const value = await textOf(key);
    await test.undo(1);
    await test.undo(2);
    expect(await textOf(key)).toBe(value);
    expect(await lastRecord()).toMatchObject({ undoes: { n: 2, action: "blocklist.add" } });
    await test.undo(3);
    expect(await textOf(key)).toBeNull();
    await lists.expectSoundChain(4);
  });
});

describe("what has expired", () => {
  const past = (end: number) =>
    eventually(async () => expect(Number((await lists.client.time())[0]) * 1_000).toBeGreaterThan(end));

  it("stays away: a removed entry that would have ended is not put back", async () => {
    await block([bad, other], 5_000);
    const end = await lists.client.pexpiretime(key);
    await unblock([bad]);
    await past(end);
    await expect(test.undo(2)).rejects.toMatchObject({
      code: "bad-input",
      message: "There is nothing left to undo of record 2: what it changed has expired.",
    });
    expect(await textOf(key)).toBeNull();
  });

  it("is no obstacle: the rest is undone", async () => {
    await block([other], 5_000);
    await block([bad]);
    const end = await lists.client.pexpiretime("blocklist:203.0.113.10");
    await removeEntries(lists.ctx(), { list: "blocklist", addresses: [bad, other], reason: "" });
    await past(end);
    await test.undo(3);
    expect(await lists.client.keys("blocklist:*")).toEqual([key]);
    expect((await lastRecord())?.changes).toHaveLength(1);
  });

  it("is nothing to undo, whatever made it expire", async () => {
    await block();
    await lists.client.pexpireat(key, 1);
    await expect(test.undo(1)).rejects.toThrow("There is nothing left to undo of record 1");
  });
});

describe("what was changed since", () => {
  it("is refused with the name of the author; nothing is written", async () => {
    await block([bad, other]);
    await addEntries(lists.ctx({ name: "grace@example.org" }), {
      ...{ list: "blocklist", addresses: [bad], ttlMs: 5 * hour, reason: "worse" },
    });
    const when = sayMoment((await lastRecord())?.at ?? "");
    await expect(test.undo(1)).rejects.toMatchObject({
      code: "changed-since",
      message:
        "Nothing was undone, because it is not as record 1 left it: " +
        `203.0.113.9 was changed by grace@example.org at ${when} (record 2).`,
    });
    expect(await lists.client.keys("blocklist:*")).toHaveLength(2);
    expect(await lists.records()).toHaveLength(2);
  });

  it("names the first, counts the others, and tells a foreign hand", async () => {
    const many = Array.from({ length: 8 }, (_, i) => at(`203.0.113.${i}`));
    await block(many);
    for (const address of many) await lists.client.set(`blocklist:${address}`, "by hand");
    await expect(test.undo(1)).rejects.toThrow(
      /: 203\.0\.113\.0 was changed outside of Sluice, or has ended; .*203\.0\.113\.4 [^;]+; and 3 more\.$/,
    );
  });

  it("counts only its own list", async () => {
    await block();
    await addEntries(lists.ctx({ name: "lists@example.org" }), {
      ...{ list: "safelist", addresses: [other], reason: "" },
    });
    await lists.client.set(key, "by hand");
    await addEntries(lists.ctx({ name: "safe@example.org" }), {
      list: "safelist",
      addresses: [bad],
      reason: "",
    });
    await expect(test.undo(1)).rejects.toThrow("203.0.113.9 was changed outside of Sluice");
  });

  it("may be what stood before: then there is nothing left to do, and it says who did it", async () => {
    await block();
    await unblock();
    await expect(test.undo(1)).rejects.toThrow(
      /nothing left to undo of record 1: 203.0.113.9 was changed by grace/,
    );
  });

  it("may have come back: the value is as the record left it", async () => {
    await block();
    await unblock();
    await test.undo(2);
    await test.undo(1);
    expect(await textOf(key)).toBeNull();
  });

  it("two people at once: one undoes it, the other gets an error", async () => {
    await block();
    const both = await Promise.allSettled([
      undo({ ...test.as("admin"), redis: lists.log.connect() }, { n: 1 }),
      undo({ ...test.as("admin"), redis: lists.log.connect() }, { n: 1 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await lists.records()).toHaveLength(2);
  });
});

describe("lockout protection", () => {
  const own = ip("203.0.113.9");

  it("by putting back a block of their own address", async () => {
    await block([at("203.0.113.0/28")]);
    await removeEntries(lists.ctx(), { list: "blocklist", addresses: [at("203.0.113.0/28")], reason: "" });
    await expect(undo(test.as("admin", { address: own }), { n: 2 })).rejects.toMatchObject({
      code: "lockout",
      message: "Nothing was undone. 203.0.113.0/28 contains your own address, 203.0.113.9.",
    });
    expect(await lists.client.keys("blocklist:*")).toEqual([]);
  });

  it("nor of a range that is protected by now, nor of what is safelisted by now", async () => {
    await block([bad, other]);
    await unblock([bad]);
    await unblock([other]);
    await lists.client.hset(keys.neverBlock(), "203.0.113.9", "office");
    await lists.client.set("safelist:203.0.113.10", "office");
    await expect(test.undo(2)).rejects.toThrow("203.0.113.9 is a protected range");
    await expect(test.undo(3)).rejects.toThrow("203.0.113.10 is safelisted by 203.0.113.10");
  });

  it("nor by taking away the safelist entry that shields them", async () => {
    await addEntries(lists.ctx(), { list: "safelist", addresses: [bad], reason: "" });
    await lists.client.set("blocklist:203.0.113.0/24", "x");
    await expect(undo(test.as("admin", { address: own }), { n: 1 })).rejects.toMatchObject({
      code: "lockout",
      message: expect.stringContaining("your own address, 203.0.113.9, would be blocked by 203.0.113.0/24"),
    });
    expect(await lists.client.exists("safelist:203.0.113.9")).toBe(1);
    await undo(test.as("admin"), { n: 1 });
    expect(await lists.client.exists("safelist:203.0.113.9")).toBe(0);
  });

  it("but a block of one's own address may be made shorter again", async () => {
    await block();
    await extendEntries(lists.ctx(), {
      list: "blocklist",
      addresses: [bad],
      life: { forMs: hour },
      reason: "",
    });
    expect(await undo(test.as("staff", { address: own }), { n: 2 })).toMatchObject({ change: 3 });
  });

  it("a wide range that was confirmed once comes back without", async () => {
    const wide = at("203.0.112.0/20");
    await addEntries(lists.ctx(), { list: "blocklist", addresses: [wide], confirmed: [wide], reason: "" });
    await unblock([wide]);
    await test.undo(2);
    expect(await lists.client.exists("blocklist:203.0.112.0/20")).toBe(1);
  });
});

describe("who may", () => {
  it.each(["viewer", "support"] as const)("not %s", async (role) => {
    await block();
    await expect(test.undo(1, role)).rejects.toMatchObject({
      code: "not-allowed",
      message: `Your role, ${role}, may not undo this. Only staff or admin can.`,
    });
    expect(await lists.records()).toHaveLength(1);
  });

  it.each([null, 91 * 86_400_000])(
    "only an admin brings back an entry of %j ms; staff may take it away",
    async (ttlMs) => {
      await block([bad], ttlMs);
      await test.undo(1, "staff");
      await expect(test.undo(2, "staff")).rejects.toThrow(
        "Your role, staff, may not undo this. Only admin can.",
      );
      await test.undo(2, "admin");
      expect(await lists.client.exists(key)).toBe(1);
    },
  );

  it("staff bring back an entry of 90 days", async () => {
    await block([bad], 90 * 86_400_000);
    await test.undo(1, "staff");
    await test.undo(2, "staff");
    expect(await lists.client.exists(key)).toBe(1);
  });
});

describe("what cannot be undone", () => {
  it("says so: no such record, one that was altered, a value that is lost", async () => {
    await expect(test.undo(7)).rejects.toMatchObject({ code: "not-found", message: /no record 7/ });
    await block();
    await unblock();
    const [, row] = await lists.client.xrange(keys.audit(), "-", "+");
    await lists.client.xdel(keys.audit(), "2-0");
    await lists.client.del(keys.audit());
    await lists.client.xadd(
      keys.audit(),
      "2-0",
      ...(row?.[1] ?? []).map((text) => text.replace("grace", "mallory")),
    );
    await expect(test.undo(2)).rejects.toThrow("Record 2 is not as Sluice wrote it.");
    expect(await textOf(key)).toBeNull();
  });

  it("a foreign value that was too long, or of another type", async () => {
    await lists.client.set(key, "x".repeat(5_000));
    await lists.client.hset("blocklist:203.0.113.10", "a", "b");
    await unblock([bad]);
    await unblock([other]);
    await expect(test.undo(1)).rejects.toThrow(
      "Record 1 cannot be undone. The earlier value of 203.0.113.9 cannot be put back: it was too long to be kept.",
    );
    await expect(test.undo(2)).rejects.toThrow("it was a hash that Sluice did not write.");
  });
});
