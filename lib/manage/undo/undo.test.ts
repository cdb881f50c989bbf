import { describe, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { defaultPolicy, writePolicy } from "../../enforce/policy/stored.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { denialLogHourMs } from "../../enforce/stats/report.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { clearOverride } from "../customers/clear-override.ts";
import { readCustomer } from "../customers/read.ts";
import { setOverride } from "../customers/set-override.ts";
import { setTier } from "../customers/set-tier.ts";
import { readRetentionDays, setRetention } from "../denials/retention.ts";
import { findSwitch, switchEdge } from "../edge/switch.ts";
import { protectRange, unprotectRange } from "../lists/never-block.ts";
import { at } from "../lists/vitest.context.ts";
import { endAttackMode, startAttackMode } from "../policy/attack-mode.ts";
import { rollBackTo } from "../policy/roll-back.ts";
import { setPolicy } from "../policy/set.ts";
import { setMode } from "../policy/set-mode.ts";
import { inviteUser } from "../users/invite.ts";
import { setRole } from "../users/set-role.ts";
import { readUser } from "../users/user.ts";
import { recordOfChange } from "./record-to-undo.ts";
import { undo } from "./undo.ts";
import { testUndo } from "./vitest.undo.ts";

const test = testUndo();
const { lists, lastRecord } = test;
const ctx = (name = "ada@example.org") => ({ ...lists.ctx({ name }), hasSso: true });
const redis = () => lists.ctx().redis;
const acme = customer("acme");
const hour = 3_600_000;

describe("protected ranges", () => {
  const range = at("198.51.100.0/24");

  it("are taken away, and come back as they were", async () => {
    await protectRange(ctx(), { range, reason: "office" });
    const text = await lists.client.hget(keys.neverBlock(), range);
    expect(await test.undo(1)).toMatchObject({ change: 2 });
    expect(await lists.client.hexists(keys.neverBlock(), range)).toBe(0);
    await test.undo(2);
    expect(await lists.client.hget(keys.neverBlock(), range)).toBe(text);
    await unprotectRange(ctx(), { range, reason: "" });
    await test.undo(4);
    expect(await lists.client.hget(keys.neverBlock(), range)).toBe(text);
    await expect(test.undo(1, "staff")).rejects.toThrow(
      "Your role, staff, may not undo this. Only admin can.",
    );
    await lists.expectSoundChain(5);
  });
});

describe("a customer's tier", () => {
  const move = (tier: string | null, name?: string) => setTier(ctx(name), { id: acme, tier, reason: "" });
  const tier = () => lists.client.get(keys.tier(acme));

  it("goes back, and forth again", async () => {
    await move("free");
    await move("pro");
    expect(await test.undo(2, "support")).toMatchObject({ change: 3 });
    expect(await tier()).toBe("free");
    await test.undo(3, "support");
    expect(await tier()).toBe("pro");
    await expect(test.undo(1, "support")).rejects.toThrow(
      /^Nothing was undone, because it is not as record 1 left it: acme was changed by undoer@example.org at .* \(record 4\)\.$/,
    );
    await expect(test.undo(4, "staff")).rejects.toThrow("Only support or admin can");
  });

  it("that was given for a time lasts as long as it would have", async () => {
    await lists.client.set(keys.tier(acme), "pro", "PX", hour);
    await move("free");
    await test.undo(1);
    expect(await test.pttl(keys.tier(acme))).toBeGreaterThan(hour - 5_000);
    expect(await test.pttl(keys.tier(acme))).toBeLessThanOrEqual(hour);
  });

  it("does not come back when the policy has no such tier any more", async () => {
    await move("pro");
    await move("free");
    const { free } = defaultPolicy.tiers;
    if (!free) throw new Error("there is no tier free");
    await setPolicy(ctx(), { policy: { ...defaultPolicy, tiers: { free } }, basedOn: 0, reason: "" });
    await expect(test.undo(2)).rejects.toThrow(
      'Customer acme cannot go back: the policy has no tier "pro" any more.',
    );
    expect(await tier()).toBe("free");
  });
});

describe("a customer's own levels", () => {
  const give = (limit: number, expiresInMs: number | null = null, name?: string) =>
    setOverride(ctx(name), {
      id: acme,
      levels: [{ limit, periodSeconds: 60 }],
      expiresInMs,
      reason: `to ${limit}`,
    });
  const levels = async () => (await readCustomer(redis(), acme)).override;

  it("are taken away with their note", async () => {
    await give(10);
    await test.undo(1);
    expect(await lists.client.exists(keys.override(acme), keys.overrideNote(acme))).toBe(0);
    await test.undo(2);
    expect(await levels()).toMatchObject({
      levels: [{ limit: 10 }],
      note: { reason: "to 10", by: "ada@example.org" },
    });
  });

  it("come back with what is left of their life, and with who gave them and why", async () => {
    await give(10, hour);
    await give(20, null, "grace@example.org");
    await clearOverride(ctx(), { id: acme, reason: "" });
    await test.undo(3, "support");
    expect(await levels()).toMatchObject({
      levels: [{ limit: 20 }],
      expiresAt: null,
      note: { reason: "to 20", by: "grace@example.org" },
    });
    await test.undo(2);
    expect(await levels()).toMatchObject({
      levels: [{ limit: 10 }],
      note: { reason: "to 10", by: "ada@example.org" },
    });
    for (const key of [keys.override(acme), keys.overrideNote(acme)]) {
      expect(await test.pttl(key)).toBeGreaterThan(hour - 10_000);
      expect(await test.pttl(key)).toBeLessThanOrEqual(hour);
    }
    await lists.expectSoundChain(5);
  });

  it("of several levels are known again, however a hash is ordered", async () => {
    const many = [9, 60, 3_600, 86_400].map((periodSeconds) => ({ limit: periodSeconds, periodSeconds }));
    await setOverride(ctx(), { id: acme, levels: many, reason: "" });
    await test.undo(1);
    await test.undo(2);
    await test.undo(3);
    expect(await levels()).toBeUndefined();
  });

  it("are left alone when a hand has changed them since", async () => {
    await give(10);
    await lists.client.hset(keys.override(acme), "60", "11");
    await expect(test.undo(1)).rejects.toThrow("acme was changed outside of Sluice");
    expect(await lists.client.hgetall(keys.override(acme))).toEqual({ 60: "11" });
  });

  it("counters that were reset do not come back, and it says why", async () => {
    await lists.client.set(keys.tier(acme), "pro");
    await setTier(
      { ...ctx(), undoes: { n: 1, action: "customer.reset" } },
      { id: acme, tier: "free", reason: "" },
    );
    await expect(test.undo(1)).rejects.toThrow("The counts were deleted and cannot be restored.");
  });
});

describe("the policy", () => {
  const tightened = { ...defaultPolicy, rules: defaultPolicy.rules.slice(0, 1) };
  const inForce = async () => readPolicy(redis());
  const save = (policy: unknown, basedOn: number) => setPolicy(ctx(), { policy, basedOn, reason: "" });

  it("goes back to the version before, as the next one, and forth again", async () => {
    await save(tightened, 0);
    expect(await test.undo(1)).toMatchObject({ change: 2, version: 2 });
    expect(await inForce()).toMatchObject({ version: 2, policy: defaultPolicy });
    await test.undo(2);
    expect(await inForce()).toMatchObject({ version: 3, policy: tightened });
    await rollBackTo(ctx(), { version: 2, reason: "" });
    await test.undo(4);
    expect(await inForce()).toMatchObject({ version: 5, policy: tightened });
    expect(await lastRecord()).toMatchObject({
      action: "undo",
      undoes: { n: 4, action: "policy.roll-back" },
    });
    await lists.expectSoundChain(5);
  });

  it("stays when another was saved since", async () => {
    await save(tightened, 0);
    await setMode(ctx("grace@example.org"), { mode: "shadow", reason: "" });
    await expect(test.undo(1)).rejects.toMatchObject({
      code: "changed-since",
      message: expect.stringMatching(/not as record 1 left it: grace@example\.org saved version 2 at /),
    });
    await expect(test.undo(1, "staff")).rejects.toThrow("Only admin can");
  });

  it("cannot go back to what was no policy of ours", async () => {
    await lists.client.set(keys.policy(), "by hand");
    await save(tightened, 0);
    await expect(test.undo(1)).rejects.toThrow("The earlier policy was not written by Sluice.");
  });
});

describe("limiting at the edge", () => {
  const isOn = async () => (await findSwitch(redis())).isOn;

  it("is switched back, and forth again, and says when that is done already", async () => {
    await switchEdge(ctx(), { isOn: false, reason: "it stops customers" });
    await expect(test.undo(1, "staff")).rejects.toThrow(
      "Your role, staff, may not undo this. Only admin can.",
    );
    await test.undo(1);
    expect(await isOn()).toBe(true);
    await test.undo(2);
    expect(await isOn()).toBe(false);
    await expect(test.undo(2)).rejects.toThrow();
    await lists.expectSoundChain(3);
  });
});

describe("how long the denial log is kept", () => {
  const keep = (days: number) => setRetention(ctx(), { days, reason: "review" });
  const endOf = (hour: number) => lists.client.pexpiretime(keys.denialLog(hour));

  it("goes back, to the hours of the log as well, and by an admin alone", async () => {
    const hour = Math.floor(Date.now() / denialLogHourMs) - 24;
    await lists.client.zadd(keys.denialLog(hour), 1, "a denial");
    await keep(7);
    await expect(test.undo(1, "staff")).rejects.toThrow(
      "Your role, staff, may not undo this. Only admin can.",
    );
    const kept = await endOf(hour);
    await test.undo(1);
    expect(await readRetentionDays(redis())).toBe(3);
    expect(kept - (await endOf(hour))).toBe(4 * 86_400_000);
    await test.undo(2);
    expect(await readRetentionDays(redis())).toBe(7);
    await keep(2);
    await expect(test.undo(3)).rejects.toThrow("denial log was changed by");
    await lists.expectSoundChain(4);
  });
});

describe("the mode", () => {
  const mode = async () => (await readPolicy(redis())).policy.mode;

  it("goes back whatever else was saved since, and forth again", async () => {
    await setMode(ctx(), { mode: "off", reason: "outage" });
    await setPolicy(ctx(), {
      policy: {
        ...defaultPolicy,
        mode: "off",
        tiers: { free: { levels: [{ limit: 1, periodSeconds: 1 }] } },
      },
      basedOn: 1,
      reason: "",
    });
    await test.undo(1);
    expect(await inForceMode()).toEqual(["enforce", ["free"]]);
    await test.undo(3);
    expect(await mode()).toBe("off");
  });

  it("into shadow or off is for staff, too; back to enforce for admins alone", async () => {
    await setMode(ctx(), { mode: "off", reason: "" });
    await expect(test.undo(1, "staff")).rejects.toThrow(
      "Your role, staff, may not undo this. Only admin can.",
    );
    await setMode(ctx(), { mode: "enforce", reason: "" });
    await test.undo(2, "staff");
    expect(await mode()).toBe("off");
  });

  it("stays when it was switched since", async () => {
    await setMode(ctx(), { mode: "off", reason: "" });
    await setMode(ctx("grace@example.org"), { mode: "shadow", reason: "" });
    await expect(test.undo(1)).rejects.toThrow(
      /not as record 1 left it: it is shadow \(grace@example\.org, /,
    );
    await setMode(ctx("grace@example.org"), { mode: "enforce", reason: "" });
    await expect(test.undo(1)).rejects.toThrow(
      /nothing left to undo of record 1: policy was changed by grace/,
    );
  });

  async function inForceMode() {
    const { policy } = await readPolicy(redis());
    return [policy.mode, Object.keys(policy.tiers)];
  }
});

describe("attack mode", () => {
  const start = async (hours: number, name?: string) =>
    startAttackMode(ctx(name), { untilMs: (await redisNow(redis())) + hours * hour, reason: "bots" });
  const attack = async () => (await readPolicy(redis())).timed?.attack;

  it("ends by undo, comes back with the end and the author that it had, and staff may do both", async () => {
    await start(1, "grace@example.org");
    const was = await attack();
    await setMode(ctx(), { mode: "shadow", reason: "" });
    await test.undo(1, "staff");
    expect(await attack()).toBeUndefined();
    await test.undo(3, "staff");
    expect(await attack()).toEqual(was);
    expect(was).toMatchObject({ by: "grace@example.org", reason: "bots" });
    expect((await lists.records()).map((record) => plainly(sayRecord(record)))).toEqual([
      "switched attack mode on, with version 1 of the policy",
      "switched the mode from enforce to shadow",
      "undid record 1: put attack mode back as it was, with version 3 of the policy",
      "undid record 3: put attack mode back as it was, with version 4 of the policy",
    ]);
    await endAttackMode(ctx(), { reason: "over" });
    await test.undo(5, "staff");
    expect(await attack()).toEqual(was);
    expect((await readPolicy(redis())).policy.mode).toBe("shadow");
    await expect(test.undo(1, "support")).rejects.toThrow(
      "Your role, support, may not undo this. Only staff or admin can.",
    );
    await lists.expectSoundChain(6);
  });

  it("goes back to its earlier end, and stays where it was changed since", async () => {
    await start(1);
    const was = await attack();
    await start(2, "grace@example.org");
    await expect(test.undo(1)).rejects.toThrow(
      /not as record 1 left it: grace@example\.org has it on until /,
    );
    await test.undo(2);
    expect(await attack()).toEqual(was);
    await expect(test.undo(2)).rejects.toThrow("There is nothing left to undo of record 2");
  });

  it("stays off where its time would be over by now", async () => {
    await start(1);
    const timed = { ends: [], attack: { sinceMs: 1, untilMs: 1_000, by: "ada", reason: "" } };
    const { hasEnded: _, ...stored } = await readPolicy(redis());
    const text = writePolicy({ at: "", by: "", ...stored, timed });
    await lists.client.hset(keys.policyVersions(), "1", text);
    await endAttackMode(ctx(), { reason: "over" });
    await expect(test.undo(2)).rejects.toThrow("There is nothing left to undo of record 2");
    expect(await attack()).toBeUndefined();
  });
});

describe("a user's role", () => {
  const eve = "eve@example.org";
  const user = async (email = eve) => readUser(await lists.client.hget(keys.users(), email));
  const admin = JSON.stringify({ role: "admin", version: 1, since: "", by: "password" });

  async function raise(role: "admin" | "staff") {
    await lists.client.hset(keys.users(), "root@example.org", admin);
    await lists.client.hset(keys.passwords(), "root@example.org", "x");
    await inviteUser(ctx(), { email: eve, role: "viewer" });
    await setRole(ctx(), { email: eve, role });
  }

  it("goes back, ends the sessions, and forth again", async () => {
    await raise("staff");
    const { linkUntil: _, version = 0, ...rest } = (await user()) ?? {};
    await lists.client.hset(keys.users(), eve, JSON.stringify({ ...rest, version }));
    expect(await test.undo(2, "admin", "slip")).toMatchObject({ change: null });
    expect(await user()).toMatchObject({ role: "viewer", version: version + 1 });
    expect(await lastRecord()).toMatchObject({
      action: "undo",
      reason: "slip",
      undoes: { n: 2, action: "user.role" },
    });
    await test.undo(3);
    expect(await user()).toMatchObject({ role: "staff", version: version + 2 });
    await expect(test.undo(4, "support")).rejects.toThrow("Only admin can");
  });

  it("goes back before the link is used, which goes on working", async () => {
    await raise("staff");
    const before = await user();
    await test.undo(2);
    expect(await user()).toEqual({ ...before, role: "viewer" });
    expect(before?.linkUntil).toBeDefined();
  });

  it("stays when it was changed since; no user undoes their own, nor that of the last admin", async () => {
    await raise("admin");
    await expect(undo(test.as("admin", { name: eve }), { n: 2 })).rejects.toThrow(
      "You cannot change your own role.",
    );
    await lists.client.hset(keys.passwords(), eve, "x");
    await lists.client.hdel(keys.users(), "root@example.org");
    await expect(test.undo(2)).rejects.toMatchObject({ code: "lockout" });
    await lists.client.hset(keys.users(), "root@example.org", admin);
    await setRole(ctx(), { email: eve, role: "support" });
    await expect(test.undo(2)).rejects.toThrow("eve@example.org was changed by ada@example.org");
    await setRole(ctx(), { email: eve, role: "viewer" });
    await expect(test.undo(2)).rejects.toThrow(
      "There is nothing left to undo of record 2: eve@example.org was changed",
    );
  });

  it("is all that can be undone of a user", async () => {
    await raise("staff");
    await expect(test.undo(1)).rejects.toThrow("Record 1 cannot be undone. Remove the user instead.");
  });
});

it("refuses an odd reason, and finds the record of a change", async () => {
  await setMode(ctx(), { mode: "off", reason: "" });
  await inviteUser(ctx(), { email: "eve@example.org", role: "viewer" });
  await setMode(ctx(), { mode: "shadow", reason: "" });
  await expect(test.undo(1, "admin", "\x07")).rejects.toThrow("A reason has no control characters.");
  expect(await recordOfChange(ctx(), 2)).toBe(3);
  await expect(recordOfChange(ctx(), 9)).rejects.toThrow("Change 9 is not among the last records.");
});
