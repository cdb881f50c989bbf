import { describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { keys } from "../redis/keys.ts";
import { defaultPolicy } from "./defaults.ts";
import { rollBackTo } from "./roll-back.ts";
import type { Policy } from "./schema.ts";
import { setPolicy } from "./set.ts";
import { setMode } from "./set-mode.ts";
import { parsePolicy } from "./stored.ts";
import { isGood, listVersions, readPolicy, readVersion } from "./versions.ts";

const log = testLog();
const redis = () => log.signed().redis;
const tightened: Policy = { ...defaultPolicy, rules: defaultPolicy.rules.slice(0, 1) };
const save = (basedOn: number, policy: unknown = tightened, name = "ada@example.org") =>
  setPolicy(log.signed({ name }), { policy, basedOn, reason: "attack" });

describe("saving", () => {
  it("begins with the policy of a fresh install", async () => {
    expect(await readPolicy(redis())).toEqual({
      version: 0,
      reason: "what a fresh install begins with",
      policy: defaultPolicy,
    });
    expect(await listVersions(redis())).toEqual([]);
  });

  it("keeps a version, with a record and a number that nodes acknowledge", async () => {
    expect(await save(0)).toEqual({ change: 1, version: 1 });
    const stored = {
      version: 1,
      at: expect.any(String),
      by: "ada@example.org",
      reason: "attack",
      policy: tightened,
    };
    expect(await readPolicy(redis())).toEqual(stored);
    expect(await readVersion(redis(), 1)).toEqual(stored);
    const text = await log.client.get(keys.policy());
    expect(parsePolicy(text ?? "")).toEqual({ ok: true, stored });
    expect(await log.records()).toEqual([
      {
        n: 1,
        at: expect.any(String),
        actor: "ada@example.org",
        via: "console",
        action: "policy.set",
        change: 1,
        reason: "attack",
        changes: [{ target: "policy", before: null, after: { value: text, expiresAt: null } }],
      },
    ]);
    await log.expectSoundChain(1);
  });

  it("writes nothing when nothing changes", async () => {
    await save(0);
    expect(await save(1)).toEqual({ change: null, version: 1 });
    expect(await log.records()).toHaveLength(1);
  });

  it("refuses a bad policy, an odd reason, and writes nothing", async () => {
    await expect(save(0, { ...tightened, mode: "on" })).rejects.toMatchObject({
      code: "bad-input",
      message: "The policy was not saved: mode: write one of enforce, shadow, off.",
      fields: { mode: "write one of enforce, shadow, off" },
    });
    const odd = setPolicy(log.signed(), { policy: tightened, basedOn: 0, reason: "\x07" });
    await expect(odd).rejects.toMatchObject({ message: "A reason has no control characters." });
    expect(await log.client.dbsize()).toBe(0);
  });

  it("keeps the last hundred", async () => {
    for (let i = 0; i < 102; i++)
      await setMode(log.signed(), { mode: i % 2 ? "enforce" : "off", reason: "" });
    const versions = (await listVersions(redis())).map(({ version }) => version);
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([100, 102, 3]);
  });
});

describe("two editors", () => {
  it("the later one is told who was faster, and nothing is lost", async () => {
    await save(0, tightened, "bob@example.org");
    const at = (await readPolicy(redis())).at;
    await expect(save(0, { ...defaultPolicy, mode: "shadow" })).rejects.toMatchObject({
      code: "changed-meanwhile",
      message:
        `bob@example.org saved version 1 at ${at} (attack), while yours is made from version 0. ` +
        "Nothing was written: look at what changed, then save again.",
    });
    expect((await readPolicy(redis())).policy).toEqual(tightened);
  });

  it("at the very same moment: one wins", async () => {
    const editors = Array.from({ length: 8 }, (_, i) => {
      const ctx = log.signed({ name: `editor ${i}` }, log.connect());
      const policy = { ...tightened, tiers: { [`t${i}`]: { levels: [{ limit: 1, periodSeconds: 1 }] } } };
      return setPolicy(ctx, { policy, basedOn: 0, reason: "" });
    });
    const results = await Promise.allSettled(editors);
    const lost = results.filter(({ status }) => status === "rejected");
    expect(lost).toHaveLength(7);
    for (const one of lost) expect(one).toMatchObject({ reason: { code: "changed-meanwhile" } });
    expect(await log.records()).toHaveLength(1);
  });

  it("hears that Redis was emptied meanwhile", async () => {
    await expect(save(3)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Nobody has saved a policy that is still there, while yours .* version 3\./,
      ),
    });
  });
});

describe("the mode", () => {
  it("is switched whatever was saved meanwhile", async () => {
    await save(0);
    expect(await setMode(log.signed(), { mode: "off", reason: "outage" })).toEqual({ change: 2, version: 2 });
    expect(await readPolicy(redis())).toMatchObject({ policy: { ...tightened, mode: "off" } });
    expect(await setMode(log.signed(), { mode: "off", reason: "" })).toEqual({ change: null, version: 2 });
    expect((await log.records())[1]).toMatchObject({ action: "policy.mode", reason: "outage", change: 2 });
    await expect(save(1, defaultPolicy)).rejects.toMatchObject({ code: "changed-meanwhile" });
  });

  it("is one of three", async () => {
    const mode = "on" as "off";
    await expect(setMode(log.signed(), { mode, reason: "" })).rejects.toMatchObject({
      code: "bad-input",
      message: "The mode was not changed: write one of enforce, shadow, off.",
    });
  });
});

describe("rolling back", () => {
  it("saves what an earlier version said as the next one", async () => {
    await save(0);
    await save(1, { ...tightened, mode: "shadow" });
    expect(await rollBackTo(log.signed(), { version: 1, basedOn: 2, reason: "too lax" })).toEqual({
      change: 3,
      version: 3,
    });
    expect(await readPolicy(redis())).toMatchObject({ version: 3, reason: "too lax", policy: tightened });
    expect(await log.records()).toMatchObject([{}, {}, { action: "policy.roll-back", reason: "too lax" }]);
    await rollBackTo(log.signed(), { version: 0, reason: "" });
    expect((await readPolicy(redis())).policy).toEqual(defaultPolicy);
  });

  it("refuses what is not there, cannot be read, or was overtaken", async () => {
    await save(0);
    const to = (version: number, basedOn?: number) =>
      rollBackTo(log.signed(), { version, reason: "", ...(basedOn !== undefined && { basedOn }) });
    await expect(to(9)).rejects.toMatchObject({
      code: "not-found",
      message: "There is no version 9: versions 1 to 1 are kept, and 0, the one of a fresh install.",
    });
    await expect(to(0, 0)).rejects.toMatchObject({ code: "changed-meanwhile" });
    await log.client.hset(keys.policyVersions(), "1", "{}");
    await expect(to(1)).rejects.toMatchObject({
      code: "bad-input",
      message: "Version 1 cannot be brought back: it is not a policy that Sluice wrote.",
    });
    expect((await listVersions(redis())).map(isGood)).toEqual([false]);
  });
});

describe("a foreign hand", () => {
  it.each([
    ["junk", "it is not a policy that Sluice wrote"],
    ["[]", "it is not a policy that Sluice wrote"],
    [JSON.stringify({ version: 0, policy: defaultPolicy }), "it has no version"],
    [
      JSON.stringify({ version: 1, policy: { ...defaultPolicy, mode: "x" } }),
      "mode: write one of enforce, shadow, off",
    ],
  ])("wrote %j", async (text, problem) => {
    expect(parsePolicy(text)).toEqual({ ok: false, problem });
    await save(0);
    await log.client.set(keys.policy(), text);
    expect(await readPolicy(redis())).toMatchObject({
      version: 1,
      policy: tightened,
      problem: `sluice:live:policy in Redis is not obeyed: ${problem}`,
    });
    expect(await save(1, tightened)).toEqual({ change: 2, version: 2 });
    expect(await readPolicy(redis())).not.toHaveProperty("problem");
  });

  it("put something of another type there", async () => {
    await log.client.rpush(keys.policy(), "x");
    expect(await readPolicy(redis())).toMatchObject({
      version: 0,
      problem: "sluice:live:policy in Redis is not obeyed: it is of type list",
    });
    await expect(save(0)).rejects.toMatchObject({
      message: "sluice:live:policy in Redis is a list, not a policy: remove it first.",
    });
  });

  it("brought back an old policy under the newest number", async () => {
    await save(0);
    const old = await log.client.get(keys.policy());
    await save(1, defaultPolicy);
    await log.client.set(keys.policy(), old ?? "");
    expect(await save(1, { ...defaultPolicy, mode: "off" })).toMatchObject({ version: 3 });
  });
});
