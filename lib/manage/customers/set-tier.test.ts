import { describe, expect, it } from "vitest";
import { keptMs, readTierEnd, writeTierEnd } from "../../enforce/customers/tier.ts";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import { saySides } from "../../observe/records/sides.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { AuditRecord } from "../audit/record.ts";
import { EndNoter } from "../policy/note-ended.ts";
import { testUndo } from "../undo/vitest.undo.ts";
import { noteTierEnds } from "./note-tier-ends.ts";
import { readCustomer } from "./read.ts";
import { setTier } from "./set-tier.ts";

const { lists, undo } = testUndo();
const { log } = lists;
const acme = customer("acme");
const [tierKey, endKey] = [keys.tier(acme), keys.tierEnd(acme)];
const hourMs = 3_600_000;

const inMs = async (ms: number) => (await redisNow(log.client)) + ms;
const set = (tier: string | null, untilMs?: number) =>
  setTier(log.signed(), { id: acme, tier, untilMs, reason: "an event" });
const tierNow = async () => (await readCustomer(log.signed().redis, acme)).tier;
let noter: EndNoter | undefined;
const note = () => {
  const { redis, seal } = log.signed();
  noter ??= new EndNoter({ context: { redis, seal }, noteOthers: noteTierEnds, log: () => {} });
  return noter.once();
};
async function lastRecord(): Promise<AuditRecord> {
  const last = (await log.records()).at(-1);
  if (!last) throw new Error("nothing was recorded");
  return last;
}
const undoLast = async () => undo((await lastRecord()).n, "support");

/** Both keys as they are, with an end that is over. */
async function letEnd(): Promise<void> {
  const over = await inMs(-2_000);
  const end = readTierEnd((await log.client.get(endKey)) ?? "");
  if (end) await log.client.set(endKey, writeTierEnd({ ...end, atMs: over }), "PXAT", over + keptMs);
  if (end) await log.client.pexpireat(tierKey, over + keptMs);
  await log.client.del(keys.tierEnds());
  await log.client.hset(keys.tierEnds(), `acme ${over}`, "");
}

describe("a tier that ends", () => {
  it("goes back to the tier before, which is in its key once that is noted", async () => {
    await set("pro");
    const untilMs = await inMs(hourMs);
    expect(await set("enterprise", untilMs)).toMatchObject({ outcome: "set" });
    expect(await tierNow()).toEqual({ name: "enterprise", isKnown: true, expiresAt: untilMs, back: "pro" });
    expect(await log.client.get(tierKey)).toBe("enterprise");
    expect(await note()).toBe(false);
    await letEnd();
    expect(await tierNow()).toEqual({ name: "pro", isKnown: true, expiresAt: null });
    expect(await log.client.get(tierKey)).toBe("enterprise");
    expect(await note()).toBe(true);
    expect([await log.client.get(tierKey), await log.client.pttl(tierKey)]).toEqual(["pro", -1]);
    expect(await log.client.exists(endKey, keys.tierEnds())).toBe(0);
    const noted = await lastRecord();
    expect(noted).toMatchObject({ actor: "schedule", action: "customer.tier-ended", change: 3 });
    expect(plainly(sayRecord(noted))).toBe(
      "moved customer acme back from enterprise to pro, after the tier had ended on time",
    );
    expect(await note()).toBe(false);
    await log.expectSoundChain(3);
  });

  it("is none afterwards where the customer had none: its key expires then", async () => {
    const untilMs = await inMs(hourMs);
    await set("enterprise", untilMs);
    expect(await tierNow()).toEqual({ name: "enterprise", isKnown: true, expiresAt: untilMs });
    expect(await log.client.exists(endKey, keys.tierEnds())).toBe(0);
    expect(plainly(sayRecord(await lastRecord()))).toMatch(/^put customer acme into enterprise, until 20/);
  });

  it("goes back to the tier without an end, however often the end is changed", async () => {
    await set("pro");
    await set("enterprise", await inMs(hourMs));
    const untilMs = await inMs(2 * hourMs);
    await set("free", untilMs);
    expect(await tierNow()).toMatchObject({ name: "free", expiresAt: untilMs, back: "pro" });
    await expect(set("pro", untilMs)).rejects.toMatchObject({
      code: "bad-input",
      fields: { until: "tier pro is what the customer would go back to" },
    });
    expect(await set("pro")).toMatchObject({ outcome: "set" });
    expect(await tierNow()).toEqual({ name: "pro", isKnown: true, expiresAt: null });
  });

  it("is kept without an end", async () => {
    await set("pro");
    await set("enterprise", await inMs(hourMs));
    expect(await set("enterprise")).toMatchObject({ outcome: "set" });
    expect(await tierNow()).toEqual({ name: "enterprise", isKnown: true, expiresAt: null });
    await letEnd();
    expect(await note()).toBe(false);
    expect(await tierNow()).toMatchObject({ name: "enterprise", expiresAt: null });
    expect(await set(null)).toMatchObject({ outcome: "removed" });
    expect(await tierNow()).toBeUndefined();
  });

  it("stays as another program sets it in between, and is none where one deletes it", async () => {
    for (const [write, tier] of [
      [() => log.client.set(tierKey, "enterprise"), { name: "enterprise", isKnown: true, expiresAt: null }],
      [() => log.client.set(tierKey, "free"), { name: "free", isKnown: true, expiresAt: null }],
      [() => log.client.del(tierKey), undefined],
    ] as const) {
      await set("pro");
      await set("enterprise", await inMs(hourMs));
      await letEnd();
      await write();
      expect(await tierNow()).toEqual(tier);
      expect(await note()).toBe(false);
      expect(await tierNow()).toEqual(tier);
    }
    expect((await listCustomers(log.signed().redis)).customers).toEqual([]);
  });

  it("is refused for a time that is over or far away, and for no tier", async () => {
    for (const ms of [-1_000, 0, 400 * 24 * hourMs])
      await expect(set("pro", await inMs(ms))).rejects.toMatchObject({ code: "bad-input" });
    await expect(set(null, await inMs(hourMs))).rejects.toMatchObject({
      fields: { until: "choose the tier that ends" },
    });
    expect(await log.records()).toEqual([]);
  });

  it("is in words in the audit log, with what follows", async () => {
    await set("pro");
    const untilMs = Math.floor((await inMs(hourMs)) / 60_000) * 60_000;
    await set("enterprise", untilMs);
    const until = `until ${new Date(untilMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const record = await lastRecord();
    expect(plainly(sayRecord(record))).toBe(`moved customer acme from pro to enterprise, ${until}, then pro`);
    const sides = record.changes.map((change) => saySides(record, change));
    expect(sides.map(({ target, before, after }) => [target, plainly(before), plainly(after)])).toEqual([
      ["acme", "pro", `enterprise, ${until}`],
      ["acme afterwards", "the same", "pro"],
    ]);
  });

  it("is undone with its end, and comes back with it", async () => {
    await set("pro");
    const untilMs = await inMs(hourMs);
    await set("enterprise", untilMs);
    await undoLast();
    expect(await tierNow()).toEqual({ name: "pro", isKnown: true, expiresAt: null });
    expect(await log.client.exists(endKey)).toBe(0);
    await undoLast();
    expect(await tierNow()).toMatchObject({ name: "enterprise", expiresAt: untilMs, back: "pro" });
    await letEnd();
    await note();
    await expect(undoLast()).rejects.toThrow("Its time was over. Set the tier again.");
  });

  it("does not come back once its end is over", async () => {
    await set("pro");
    await set("enterprise", await inMs(hourMs));
    await letEnd();
    await set("free");
    await expect(undoLast()).rejects.toThrow("Customer acme cannot go back: tier enterprise ended at 20");
    expect(await tierNow()).toMatchObject({ name: "free" });
  });
});
