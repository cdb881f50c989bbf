import { describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { commit } from "./commit.ts";
import { recordRefusal } from "./denied-attempts.ts";
import type { HistoryFilter } from "./filter.ts";
import { type HistoryInput, readHistory } from "./history.ts";
import type { Actor } from "./record.ts";
import { isDamaged } from "./stored.ts";
import { seal, testLog } from "./vitest.log.ts";

const log = testLog();
const redis = () => log.signed().redis;

async function write(target: string, more: { action?: string; reason?: string; by?: Partial<Actor> } = {}) {
  const { action = "blocklist.add", reason = "", by = {} } = more;
  await commit(log.signed(by), {
    ...{ action, reason },
    slots: [{ key: `blocklist:${target}`, target }],
    decide: () => ({ writes: [{ slot: 0, to: { value: Math.random().toString(), expiresAt: null } }] }),
  });
}

const numbers = async (input: HistoryInput = {}) =>
  (await readHistory(redis(), input)).records.map(({ n }) => n);
const found = (filter: HistoryFilter) => numbers({ filter });

/** A row as another program may have left it. */
const put = (id: string, ...fields: string[]) => log.client.xadd(keys.audit(), id, ...fields);

/** A row without a seal: filters do not check it. */
function putRecord(n: number, more: object = {}) {
  const record = {
    n,
    at: new Date(n * 1_000).toISOString(),
    actor: "ada",
    via: "console",
    action: "x",
    ...more,
  };
  return put(`${n}-0`, "record", JSON.stringify({ change: null, reason: "", changes: [], ...record }));
}

describe("reading the log", () => {
  it("tells the newest first, in pages that neither overlap nor leave a gap", async () => {
    for (let i = 1; i <= 7; i++) await write(`203.0.113.${i}`);
    const first = await readHistory(redis(), { limit: 3 });
    expect(first.records.map(({ n }) => n)).toEqual([7, 6, 5]);
    expect(first.next).toBe("5-0");
    expect(await numbers({ limit: 3, before: first.next ?? "" })).toEqual([4, 3, 2]);
    expect(await readHistory(redis(), { limit: 3, before: 2 })).toMatchObject({
      records: [{ n: 1 }],
      next: null,
    });
  });

  it("says that there is nothing more when a page ends with the log", async () => {
    for (let i = 1; i <= 3; i++) await write(`203.0.113.${i}`);
    expect((await readHistory(redis(), { limit: 3 })).next).toBeNull();
    expect(await readHistory(redis(), { before: 1 })).toMatchObject({ records: [], next: null, scanned: 0 });
  });

  it("stops before what is known already", async () => {
    for (let i = 1; i <= 5; i++) await write(`203.0.113.${i}`);
    expect(await readHistory(redis(), { after: 3 })).toMatchObject({
      records: [{ n: 5 }, { n: 4 }],
      next: null,
    });
  });

  it("finds an empty log empty", async () => {
    expect(await readHistory(redis())).toEqual({
      records: [],
      next: null,
      scanned: 0,
      reached: null,
      hits: new Map(),
      undone: [],
    });
  });

  it("names the entries of a record that a search found, where it has several", async () => {
    const targets = ["192.0.2.29", "192.0.2.30", "192.0.2.31", "192.0.2.0/28", "198.51.100.7"];
    const changes = targets.map((target) => ({ target, before: null, after: null }));
    await putRecord(1, { changes, reason: "messy list" });
    await putRecord(2, { changes: changes.slice(1, 2) });
    const hits = async (filter: HistoryFilter) => [...(await readHistory(redis(), { filter })).hits];
    expect(await hits({ text: "192.0.2.30" })).toEqual([[1, ["192.0.2.30"]]]);
    expect(await hits({ target: "192.0.2.0/28" })).toEqual([[1, ["192.0.2.0/28"]]]);
    expect((await hits({ text: "192.0.2" }))[0]?.[1]).toHaveLength(4);
    expect(await hits({ target: "192.0.2.24/29" })).toEqual([
      [1, ["192.0.2.29", "192.0.2.30", "192.0.2.31"]],
    ]);
    // It matches by its reason.
    expect(await hits({ text: "messy" })).toEqual([]);
    expect(await hits({ text: "messy", target: "198.51.100.7" })).toEqual([[1, ["198.51.100.7"]]]);
    expect(await hits({})).toEqual([]);
  });

  it("says so when it is no log at all", async () => {
    await log.client.set(keys.audit(), "x");
    await expect(readHistory(redis())).rejects.toThrow("sluice:audit in Redis is not the audit log.");
  });

  it("tells damaged rows as such, and goes on", async () => {
    await write("203.0.113.1");
    await put("2-0", "record", "{");
    await put("2-1", "record", "{}");
    await put("3-0", "x", "y");
    await putRecord(4, { n: 1 });
    await putRecord(5, { changes: [{ target: 7 }] });
    await putRecord(6, { at: "soon" });
    const { records } = await readHistory(redis(), { limit: 10 });
    expect(records.filter(isDamaged).map(({ id, damage }) => [id, damage])).toEqual([
      ["6-0", "its content is not a record"],
      ["5-0", "its content is not a record"],
      ["4-0", "it is a copy of record 1"],
      ["3-0", "there is no record in it"],
      ["2-1", "Sluice gives no such number"],
      ["2-0", "its content is not a record"],
    ]);
    expect(records.at(-1)).toMatchObject({ n: 1, action: "blocklist.add" });
    expect(await found({ action: "blocklist" })).toEqual([1]);
  });

  it("tells what was altered, if it is given the seal", async () => {
    await write("203.0.113.1");
    await putRecord(2, { reason: "forged" });
    const { records } = await readHistory(redis(), { seal });
    expect(records).toMatchObject([
      { n: 2, damage: expect.stringMatching(/^it was altered/) },
      { n: 1, action: "blocklist.add" },
    ]);
    expect((await readHistory(redis(), { seal, filter: { text: "forged" } })).records.map(isDamaged)).toEqual(
      [true],
    );
  });

  it("passes no row by where a page ends between a number and a forged one like it", async () => {
    await write("203.0.113.1");
    await put("1-1", "record", "{}");
    const { next } = await readHistory(redis(), { limit: 1 });
    expect(await numbers({ before: next ?? "" })).toEqual([1]);
  });

  it("takes nothing from a forged record but what a record says", async () => {
    await putRecord(1, { damage: { a: 1 }, undoes: { n: 4, action: "blocklist.add" } });
    const [record] = (await readHistory(redis())).records;
    expect(record).not.toHaveProperty("damage");
    expect(record).toMatchObject({ undoes: { n: 4 } });
  });
});

describe("work is bounded", () => {
  it("in records: a search that found nothing yet says where to go on", async () => {
    for (let n = 1; n <= 30; n++) await putRecord(n, { actor: n === 2 ? "grace" : "ada" });
    const first = await readHistory(redis(), { filter: { actor: "grace" }, mostScanned: 20 });
    expect(first).toMatchObject({ records: [], next: "11-0", scanned: 20, reached: 11_000 });
    const second = await readHistory(redis(), { filter: { actor: "grace" }, before: first.next ?? "" });
    expect(second).toMatchObject({ records: [{ n: 2 }], next: null });
  });

  it("in pages, and tells each record once across them", async () => {
    for (let n = 1; n <= 130; n++) await putRecord(n);
    const all = Array.from({ length: 130 }, (_, i) => 130 - i);
    expect(await numbers({ filter: { actor: "ada" }, limit: 1_000 })).toEqual(all);
  });

  it("in bytes", async () => {
    const reason = "x".repeat(900_000);
    for (let n = 1; n <= 40; n++) await putRecord(n, { reason });
    const { next, scanned } = await readHistory(redis(), { filter: { actor: "grace" } });
    expect(scanned).toBeLessThan(25);
    expect(next).not.toBeNull();
  });

  it("by the period: what is older than it is not read", async () => {
    for (let n = 1; n <= 400; n++) await putRecord(n);
    const late = await readHistory(redis(), { filter: { from: 390_000 } });
    expect(late.records).toHaveLength(11);
    expect(late).toMatchObject({ next: null });
    expect(late.scanned).toBeLessThan(100);
  });

  it("by the period: what is much newer than it is passed over", async () => {
    const hour = (n: number) => new Date(n * 3_600_000).toISOString();
    for (let n = 1; n <= 400; n++) if (n % 9 !== 0) await putRecord(n, { at: hour(n) });
    const filter = { from: 100 * 3_600_000, to: 101 * 3_600_000 };
    const { records, scanned } = await readHistory(redis(), { filter });
    expect(records.map(({ n }) => n)).toEqual([101, 100]);
    expect(scanned).toBeLessThan(10);
  });
});

describe("filters", () => {
  it("by actor, door and action", async () => {
    await write("203.0.113.1");
    await write("203.0.113.2", { by: { name: "Grace@example.org", via: "cli" } });
    await write("203.0.113.3", { by: { name: "auto", via: "auto:login/ip" }, action: "blocklist.ban" });
    await write("acme", { action: "customer.tier" });
    expect(await found({ actor: "grace@" })).toEqual([2]);
    expect(await found({ via: "cli" })).toEqual([2]);
    expect(await found({ via: "auto" })).toEqual([3]);
    expect(await found({ via: "con" })).toEqual([]);
    expect(await found({ action: "blocklist" })).toEqual([3, 2, 1]);
    expect(await found({ action: "customer.tier", actor: "ada" })).toEqual([4]);
    expect(await found({ actor: "" })).toEqual([4, 3, 2, 1]);
  });

  it("by target: an address finds the ranges around it, a range what is inside", async () => {
    for (const target of [
      "203.0.113.9",
      "203.0.113.0/24",
      "203.0.113.90",
      "acme",
      "2001:db8::/48",
      "2001:db8::1",
    ])
      await write(target);
    expect(await found({ target: "203.0.113.9" })).toEqual([2, 1]);
    expect(await found({ target: " 203.0.113.0/24 " })).toEqual([3, 2, 1]);
    expect(await found({ target: "acme" })).toEqual([4]);
    expect(await found({ target: "acm" })).toEqual([]);
    expect(await found({ target: "2001:DB8:0::1" })).toEqual([6, 5]);
    expect(await found({ target: "::ffff:203.0.113.90" })).toEqual([3, 2]);
  });

  it("by text, in reasons, names and targets", async () => {
    await write("203.0.113.9", { reason: 'Scraper "loud"' });
    await write("acme", { by: { name: "scraper-hunter" } });
    await write("other");
    expect(await found({ text: "scraper" })).toEqual([2, 1]);
    expect(await found({ text: '"LOUD"' })).toEqual([1]);
    expect(await found({ text: "ACM" })).toEqual([2]);
  });

  it("by period", async () => {
    for (let n = 1; n <= 9; n++) await putRecord(n);
    expect(await found({ from: 4_000, to: 6_000 })).toEqual([6, 5, 4]);
  });

  it("by period: a ban that was recorded late belongs to when it was made", async () => {
    for (let n = 1; n <= 9; n++) await putRecord(n, { at: new Date(n * 100_000).toISOString() });
    await putRecord(10, { at: new Date(250_000).toISOString(), action: "blocklist.ban" });
    expect(await found({ from: 600_000 })).toEqual([9, 8, 7, 6]);
    expect(await found({ from: 200_000, to: 300_000 })).toEqual([10, 3, 2]);
  });

  it("by action: also what an undo took back", async () => {
    await putRecord(1, { action: "undo", undoes: { n: 4, action: "blocklist.add" } });
    expect(await found({ action: "blocklist" })).toEqual([1]);
    expect(await found({ action: "undo" })).toEqual([1]);
    expect((await readHistory(redis(), { filter: { actor: "nobody" } })).undone).toEqual([[4, 1, false]]);
  });

  it("leaves out what tells of users, and shows damage all the same", async () => {
    const ofUsers = ["user.role", "sign-in", "refused:user.invite", "refused:sign-in"];
    for (const [i, action] of ofUsers.entries()) await putRecord(i + 1, { action });
    await putRecord(5, { action: "undo", undoes: { n: 1, action: "user.role" } });
    await putRecord(6, { action: "blocklist.add", actor: "user.role" });
    await putRecord(7, { action: "refused:lists.add" });
    await put("8-0", "record", "{");
    expect(await found({ isWithoutUsers: true })).toEqual([8, 7, 6]);
    expect(await found({ isWithoutUsers: true, action: "user" })).toEqual([]);
    expect(await found({})).toHaveLength(8);
  });

  it("finds refusals", async () => {
    await recordRefusal(log.signed(), { action: "blocklist.add", reason: "role viewer may not do this" });
    expect(await found({ action: "refused:" })).toEqual([1]);
    expect(await found({ action: "blocklist" })).toEqual([1]);
  });
});

it("records an undo as such, sealed like any other", async () => {
  const ctx = { ...log.signed(), undoes: { n: 1, action: "blocklist.add" } };
  await commit(ctx, {
    ...{ action: "blocklist.remove", reason: "" },
    slots: [{ key: "blocklist:203.0.113.1", target: "203.0.113.1" }],
    decide: () => ({ writes: [{ slot: 0, to: { value: "x", expiresAt: null } }] }),
  });
  expect(await log.records()).toMatchObject([{ action: "undo", undoes: { n: 1, action: "blocklist.add" } }]);
  await log.expectSoundChain(1);
});
