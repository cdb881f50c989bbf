import { describe, expect, it } from "vitest";
import type { Policy } from "../../enforce/policy/schema.ts";
import { parsePolicy, writePolicy } from "../../enforce/policy/stored.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { testLog } from "../audit/vitest.log.ts";
import { endAttackMode, startAttackMode } from "./attack-mode.ts";
import { EndNoter } from "./note-ended.ts";
import { setPolicy } from "./set.ts";
import { setMode } from "./set-mode.ts";

const log = testLog();
const reason = "an attack";
const minuteMs = 60_000;
const inMs = async (ms: number) => (await redisNow(log.client)) + ms;
const inForce = () => readPolicy(log.connect());

/** As it will be then. */
async function at(atMs: number) {
  const parsed = parsePolicy((await log.client.get(keys.policy())) ?? "", atMs);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.stored;
}

async function change(make: (policy: Policy) => unknown, untilMs?: number) {
  const { policy, version } = await inForce();
  return setPolicy(log.signed(), {
    policy: make(structuredClone(policy)),
    basedOn: version,
    reason,
    untilMs,
  });
}

/** Moves what is timed to the past, as if the time had passed. */
async function passTime(): Promise<void> {
  const { timed, hasEnded: _, ...stored } = await at(0);
  const ends = timed?.ends.map((end) => ({ ...end, atMs: 1_000 })) ?? [];
  const attack = timed?.attack && { attack: { ...timed.attack, sinceMs: 1, untilMs: 1_000 } };
  const text = writePolicy({ at: "", by: "", ...stored, timed: { ends, ...attack } });
  await log.client.set(keys.policy(), text);
}

const strict = (policy: Policy) => ({
  ...policy,
  rules: policy.rules.map((rule) => (rule.name === "req/ip/1" ? { ...rule, mode: "shadow" } : rule)),
});
const modeOfRule = ({ rules }: Policy) => rules.find(({ name }) => name === "req/ip/1")?.mode;

describe("a mode for a time", () => {
  it("goes back automatically, and another part that was published before stays", async () => {
    const untilMs = await inMs(2 * minuteMs);
    await setMode(log.signed(), { mode: "shadow", untilMs, reason });
    await change(strict);
    expect((await at(untilMs - 1)).policy.mode).toBe("shadow");
    const { policy } = await at(untilMs);
    expect(policy.mode).toBe("enforce");
    expect(modeOfRule(policy)).toBe("shadow");
  });

  it("stays if another one is set without an end, and ends later if it is set again with one", async () => {
    const untilMs = await inMs(2 * minuteMs);
    await setMode(log.signed(), { mode: "shadow", untilMs, reason });
    await setMode(log.signed(), { mode: "shadow", untilMs: untilMs + 5, reason });
    expect((await at(untilMs)).policy.mode).toBe("shadow");
    expect((await at(untilMs + 5)).policy.mode).toBe("enforce");
    await setMode(log.signed(), { mode: "off", reason });
    expect((await at(untilMs + 5)).policy.mode).toBe("off");
    expect((await inForce()).timed).toBeUndefined();
  });

  it("goes back to what lasts, not to what ends as well", async () => {
    const untilMs = await inMs(2 * minuteMs);
    await setMode(log.signed(), { mode: "shadow", untilMs, reason });
    await setMode(log.signed(), { mode: "off", untilMs: untilMs - 1_000, reason });
    expect((await at(untilMs - 1_000)).policy.mode).toBe("enforce");
  });

  it("is refused without a mode to go back to, and for a time that is past or too far", async () => {
    const untilMs = await inMs(2 * minuteMs);
    await expect(setMode(log.signed(), { mode: "enforce", untilMs, reason })).rejects.toThrow(
      "the mode is enforce already, without an end",
    );
    for (const bad of [0, await inMs(1_000), await inMs(400 * 24 * 60 * minuteMs), Number.NaN])
      await expect(setMode(log.signed(), { mode: "off", untilMs: bad, reason })).rejects.toThrow(
        "choose a time",
      );
    expect(await log.client.exists(keys.policy())).toBe(0);
  });
});

describe("a policy for a time", () => {
  it("goes back rule by rule and tier by tier", async () => {
    const before = (await inForce()).policy;
    const untilMs = await inMs(5 * minuteMs);
    await change(
      (policy) => ({
        ...strict(policy),
        tiers: { ...policy.tiers, gold: { levels: [{ limit: 9, periodSeconds: 60 }] } },
      }),
      untilMs,
    );
    expect((await inForce()).timed?.ends.map(({ part, name }) => `${part} ${name}`)).toEqual([
      "rules req/ip/1",
      "tiers gold",
    ]);
    expect((await at(untilMs)).policy).toEqual(before);
  });

  it("is not saved if it could not be enforced once something has ended", async () => {
    const untilMs = await inMs(5 * minuteMs);
    await change(
      (policy) => ({
        ...policy,
        tiers: { ...policy.tiers, gold: { levels: [{ limit: 9, periodSeconds: 60 }] } },
      }),
      untilMs,
    );
    await expect(change((policy) => ({ ...policy, defaultTier: "gold" }))).rejects.toThrow(
      "The policy was not saved: tier gold goes back",
    );
  });
});

describe("attack mode", () => {
  it("is on for a time, with its apps, and can be prolonged and ended", async () => {
    const untilMs = await inMs(20 * minuteMs);
    await startAttackMode(log.signed(), { untilMs, apps: ["shop"], reason });
    const { sinceMs } = (await inForce()).timed?.attack ?? {};
    expect((await inForce()).timed?.attack).toMatchObject({
      untilMs,
      apps: ["shop"],
      by: "ada@example.org",
      reason,
    });
    await startAttackMode(log.signed({ name: "bob@example.org" }), { untilMs: untilMs + 1, reason });
    expect((await inForce()).timed?.attack).toEqual({
      ...{ sinceMs, untilMs: untilMs + 1, by: "bob@example.org", reason },
    });
    await change(strict);
    expect((await inForce()).timed?.attack).toMatchObject({ untilMs: untilMs + 1 });
    await endAttackMode(log.signed(), { reason: "it is over" });
    expect((await inForce()).timed).toBeUndefined();
    expect(await endAttackMode(log.signed(), { reason })).toMatchObject({ change: null });
    expect((await log.records()).map((record) => plainly(sayRecord(record)))).toEqual([
      "switched attack mode on, with version 1 of the policy",
      "switched attack mode on, with version 2 of the policy",
      "saved version 3 of the policy",
      "ended attack mode, with version 4 of the policy",
    ]);
  });

  it("takes 15 minutes to 24 hours, and apps with names", async () => {
    for (const ms of [5 * minuteMs, 25 * 60 * minuteMs])
      await expect(startAttackMode(log.signed(), { untilMs: await inMs(ms), reason })).rejects.toThrow(
        "choose a time from 15 min to 24 h",
      );
    for (const apps of [[], [""], Array.from({ length: 65 }, (_, i) => `app${i}`)])
      await expect(
        startAttackMode(log.signed(), { untilMs: await inMs(20 * minuteMs), apps, reason }),
      ).rejects.toThrow("name 1 to 64 apps");
  });
});

describe("what has ended", () => {
  it("is saved as a version once, with a record, and is in force before that", async () => {
    await setMode(log.signed(), { mode: "shadow", untilMs: await inMs(2 * minuteMs), reason });
    await startAttackMode(log.signed(), { untilMs: await inMs(20 * minuteMs), reason });
    const context = { redis: log.connect(), seal: log.signed().seal };
    const noter = new EndNoter({ context });
    expect(await noter.once()).toBe(false);
    await passTime();
    expect(await inForce()).toMatchObject({
      version: 2,
      policy: { mode: "enforce" },
      hasEnded: true,
      timed: { ends: [] },
    });
    expect(await noter.once()).toBe(true);
    expect(await noter.once()).toBe(false);
    expect(await at(0)).toMatchObject({
      version: 3,
      policy: { mode: "enforce" },
      by: "schedule",
    });
    expect((await log.records()).map((record) => plainly(sayRecord(record))).at(-1)).toBe(
      "saved version 3 of the policy, after something of it had ended on time",
    );
    await log.expectSoundChain(3);
  });

  it("is out of what is saved next, too", async () => {
    await setMode(log.signed(), { mode: "off", untilMs: await inMs(2 * minuteMs), reason });
    await passTime();
    await change(strict);
    expect(await at(0)).toMatchObject({ policy: { mode: "enforce" } });
    expect((await at(0)).timed).toBeUndefined();
  });
});
