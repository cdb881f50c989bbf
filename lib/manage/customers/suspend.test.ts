import { describe, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { readNote } from "../../enforce/lists/entry.ts";
import { keys } from "../../redis/keys.ts";
import { testUndo } from "../undo/vitest.undo.ts";
import { readCustomer } from "./read.ts";
import { resumeCustomer } from "./resume.ts";
import { setTier } from "./set-tier.ts";
import { suspendCustomer } from "./suspend.ts";

const { lists, undo, pttl } = testUndo();
const acme = customer("acme");
const key = "customer:acme:suspended";
const suspend = (expiresInMs: number | null = null, reason = "abuse") =>
  suspendCustomer(lists.ctx(), { id: acme, expiresInMs, reason });
const look = async () => (await readCustomer(lists.ctx().redis, acme)).suspension;

describe("a suspension", () => {
  it("is written as an entry is, with its record and a number", async () => {
    expect(await suspend()).toEqual({ change: 1, expiresAt: null });
    const note = readNote((await lists.client.get(key)) ?? "");
    expect(note).toEqual({ reason: "abuse", by: expect.any(String), at: expect.any(String), via: "console" });
    expect(await look()).toEqual({ expiresAt: null, note });
    expect(await lists.records()).toMatchObject([
      { action: "customer.suspend", reason: "abuse", change: 1, changes: [{ target: "acme", before: null }] },
    ]);
  });

  it("given again has the new reason and end", async () => {
    await suspend();
    const { expiresAt } = await suspend(60_000, "until noon");
    expect(await look()).toMatchObject({
      expiresAt: expect.closeTo(expiresAt ?? 0, -2),
      note: { reason: "until noon" },
    });
    await expect(suspend(10)).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("1 s to 10 years"),
    });
    await expect(suspend(null, "\x07")).rejects.toMatchObject({ code: "bad-input" });
  });

  it("ends when it is resumed, also one of another program", async () => {
    await lists.client.set(key, "typed by hand");
    expect(await look()).toEqual({ expiresAt: null, note: { reason: "typed by hand" } });
    expect(await resumeCustomer(lists.ctx(), { id: acme, reason: "" })).toEqual({ change: 1 });
    expect(await look()).toBeUndefined();
    await expect(resumeCustomer(lists.ctx(), { id: acme, reason: "" })).rejects.toMatchObject({
      ...{ code: "not-found", message: "acme is not suspended." },
    });
  });

  it("does not overwrite a key of another type, which is flagged", async () => {
    await lists.client.rpush(key, "x");
    await expect(suspend()).rejects.toMatchObject({
      message: "customer:acme:suspended in Redis is a list, not a suspension: remove it first.",
    });
    expect((await readCustomer(lists.ctx().redis, acme)).flags).toEqual([
      "customer:acme:suspended is not enforced: it is a list",
    ]);
  });

  it("is undone, and so is its end, with what is left of its life", async () => {
    await suspend(60_000);
    await resumeCustomer(lists.ctx(), { id: acme, reason: "" });
    await undo(2, "support");
    expect((await look())?.note.reason).toBe("abuse");
    expect(await pttl(key)).toBeGreaterThan(0);
    await undo(3, "support");
    expect(await look()).toBeUndefined();
    await suspend();
    await expect(undo(5, "staff")).rejects.toMatchObject({ code: "not-allowed" });
    await undo(5, "admin");
    expect(await lists.client.exists(keys.suspension(acme))).toBe(0);
  });

  it("does not refuse the save of an editor who began before", async () => {
    const { basis } = await setTier(lists.ctx(), { id: acme, tier: "pro", reason: "" });
    await suspend();
    const saved = setTier(lists.ctx(), { id: acme, tier: "free", reason: "", basedOn: basis });
    expect(await saved).toMatchObject({ outcome: "set" });
  });
});
