import { describe, expect, it } from "vitest";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { rollBackTo } from "../../manage/policy/roll-back.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { keys } from "../../redis/keys.ts";
import type { Policy } from "./schema.ts";
import { defaultPolicy, parsePolicy } from "./stored.ts";
import { isGood, listVersions, policyFormat, readPolicy, readVersion } from "./versions.ts";

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

  it("keeps the default tier beside the policy, where a version that knows none does not stumble over it", async () => {
    const policy = { ...tightened, defaultTier: "free" };
    await save(0, policy);
    expect(await readPolicy(redis())).toMatchObject({ version: 1, policy });
    expect(await readVersion(redis(), 1)).toMatchObject({ policy });
    expect(await save(1, policy)).toEqual({ change: null, version: 1 });
    const text = (await log.client.get(keys.policy())) ?? "";
    expect(JSON.parse(text)).toMatchObject({ defaultTier: "free" });
    expect(JSON.parse(text).policy).not.toHaveProperty("defaultTier");
    const inside = JSON.stringify({ version: 1, policy });
    expect(parsePolicy(inside)).toMatchObject({ ok: true, stored: { policy } });
    const spoiled = JSON.stringify({ version: 1, policy: tightened, defaultTier: "gold" });
    expect(parsePolicy(spoiled)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^defaultTier: /),
    });
    await setMode(log.signed(), { mode: "shadow", reason: "" });
    expect((await readPolicy(redis())).policy).toMatchObject({ mode: "shadow", defaultTier: "free" });
    await rollBackTo(log.signed(), { version: 0, reason: "" });
    expect((await readPolicy(redis())).policy.defaultTier).toBeUndefined();
    await rollBackTo(log.signed(), { version: 1, reason: "" });
    expect((await readPolicy(redis())).policy.defaultTier).toBe("free");
  });

  it("keeps slack beside the policy, so that a node of an earlier version understands it, and above all its mode", async () => {
    const read = async () => (await readPolicy(redis())).policy;
    const slacks = async () => (await read()).rules.map(({ slack }) => slack);
    await log.client.zadd(keys.nodes(), Date.now(), "old");
    await log.client.hset(keys.node("old"), "id", "old", "policyFormat", 2);
    await setMode(log.signed(), { mode: "off", reason: "" });
    const text = (await log.client.get(keys.policy())) ?? "";
    expect(JSON.parse(text)).toMatchObject({
      policy: { mode: "off" },
      slack: { "req/ip/1": 0.1, "req/ip/2": 0.1, "rate/ip": 0.1 },
    });
    expect(JSON.stringify(JSON.parse(text).policy)).not.toContain("slack");
    expect(await read()).toEqual({ ...defaultPolicy, mode: "off" });
    const [first, ...others] = defaultPolicy.rules;
    const loose = { ...defaultPolicy, rules: [{ ...first, slack: 0 }, ...others] };
    await save(1, loose as Policy);
    expect(await slacks()).toEqual([0, 0.1, undefined, 0.1]);
    expect(await save(2, loose as Policy)).toEqual({ change: null, version: 2 });
    const rules = [{ ...first, slack: 0.3 }];
    const inside = JSON.stringify({
      version: 1,
      policy: { ...defaultPolicy, rules },
      slack: { "req/ip/1": 1 },
    });
    expect(parsePolicy(inside)).toMatchObject({ ok: true, stored: { policy: { rules: [{ slack: 0.3 }] } } });
    const { slack: _, ...exact } = first ?? {};
    for (const [slack, problem] of [
      [{ "req/ip/1": 7 }, /^rules\[0\]\.slack: write a share/],
      [{ gone: 7 }, undefined],
      [3, undefined],
    ] as const) {
      const spoiled = parsePolicy(
        JSON.stringify({ version: 1, policy: { ...defaultPolicy, rules: [exact] }, slack }),
      );
      expect(spoiled).toMatchObject(
        problem ? { ok: false, problem: expect.stringMatching(problem) } : { ok: true },
      );
    }
  });

  it("keeps rules that are settled beside the policy, which earlier nodes then enforce without them", async () => {
    const [first, ...others] = defaultPolicy.rules;
    const login = {
      name: "login",
      client: "ip",
      algorithm: "fixed",
      countWhen: { status: [401] },
      levels: [{ limit: 5, periodSeconds: 60 }],
    };
    const atOnce = {
      name: "at-once",
      client: "ip",
      algorithm: "concurrent",
      slack: 0.5,
      levels: [{ limit: 5, periodSeconds: 60 }],
    };
    const policy = { ...defaultPolicy, rules: [login, first, atOnce, ...others] };
    await save(0, policy);
    const saved = (await readPolicy(redis())).policy;
    expect(saved.rules.map(({ name }) => name)).toEqual([
      "login",
      "req/ip/1",
      "at-once",
      "req/ip/2",
      "req/customer",
      "rate/ip",
    ]);
    expect(saved.rules[0]).toMatchObject(login);
    expect(saved.rules[2]).toMatchObject(atOnce);
    expect(await save(1, policy)).toEqual({ change: null, version: 1 });
    const { policy: forEarlierNodes } = JSON.parse((await log.client.get(keys.policy())) ?? "");
    expect(forEarlierNodes.rules).toHaveLength(defaultPolicy.rules.length);
    expect(JSON.stringify(forEarlierNodes)).not.toMatch(/countWhen|concurrent|login|at-once/);
    expect(parsePolicy(JSON.stringify({ version: 1, policy: forEarlierNodes }))).toMatchObject({ ok: true });

    await log.client.zadd(keys.nodes(), Date.now(), "old");
    await log.client.hset(keys.node("old"), "id", "old", "policyFormat", 2);
    await setMode(log.signed(), { mode: "shadow", reason: "" });
    expect((await readPolicy(redis())).policy).toEqual({ ...saved, mode: "shadow" });
    const more = { ...policy, rules: [...policy.rules, { ...login, name: "more" }] };
    await expect(save(2, more)).rejects.toThrow("does not know countWhen and concurrent");
  });

  it("keeps rules that deny or exempt requests beside the policy, and refuses them while a node would leave them out", async () => {
    const bots = { name: "no-bots", action: "deny", match: { userAgents: ["acme-bot"] } };
    const policy = { ...defaultPolicy, requestRules: [bots] };
    await save(0, policy);
    const saved = (await readPolicy(redis())).policy;
    expect(saved.requestRules).toMatchObject([bots]);
    expect(await save(1, policy)).toEqual({ change: null, version: 1 });
    const stored = JSON.parse((await log.client.get(keys.policy())) ?? "");
    expect(stored.policy).not.toHaveProperty("requestRules");
    expect(stored.requestRules).toMatchObject([bots]);
    expect(parsePolicy(JSON.stringify({ version: 1, policy }))).toMatchObject({
      ok: true,
      stored: { policy: saved },
    });
    const spoiled = { version: 1, policy: defaultPolicy, requestRules: [{ name: "x" }] };
    expect(parsePolicy(JSON.stringify(spoiled))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^requestRules\[0\]/),
    });

    await log.client.zadd(keys.nodes(), Date.now(), "old");
    await log.client.hset(keys.node("old"), "id", "old", "policyFormat", policyFormat - 1);
    await setMode(log.signed(), { mode: "shadow", reason: "" });
    expect((await readPolicy(redis())).policy).toEqual({ ...saved, mode: "shadow" });
    const more = { ...policy, requestRules: [bots, { ...bots, name: "more" }] };
    await expect(save(2, more)).rejects.toThrow(
      "does not know rules that deny or exempt requests, and leaves them out",
    );
    await setPolicy(log.signed(), { policy: more, basedOn: 2, reason: "", isOldIgnored: true });
    expect((await readPolicy(redis())).policy.requestRules).toHaveLength(2);
    await rollBackTo(log.signed(), { version: 1, reason: "" }).catch(() => {});
    await save(3, { ...defaultPolicy });
    expect((await readPolicy(redis())).policy.requestRules).toBeUndefined();
  });

  it("reads a policy whose settled rules another program has spoiled as one that cannot be used", () => {
    const read = (settled: unknown) =>
      parsePolicy(JSON.stringify({ version: 1, policy: tightened, settled }));
    for (const settled of [3, "text", [3], [{ rule: {} }], { place: 0 }])
      expect(read(settled)).toMatchObject({ ok: true, stored: { policy: tightened } });
    expect(read([{ place: 0, rule: { name: "login", algorithm: "concurrent" } }])).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^rules\[0\]/),
    });
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
  it("the later one learns who was faster, and nothing is lost", async () => {
    await save(0, tightened, "bob@example.org");
    const at = (await readPolicy(redis())).at;
    await expect(save(0, { ...defaultPolicy, mode: "shadow" })).rejects.toMatchObject({
      code: "changed-since",
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
    for (const one of lost) expect(one).toMatchObject({ reason: { code: "changed-since" } });
    expect(await log.records()).toHaveLength(1);
  });

  it("learns that Redis was emptied", async () => {
    await expect(save(3)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The policy of a fresh install is in force, while yours .* version 3\./,
      ),
    });
  });
});

describe("the mode", () => {
  it("is switched whatever was saved before", async () => {
    await save(0);
    expect(await setMode(log.signed(), { mode: "off", reason: "outage" })).toEqual({ change: 2, version: 2 });
    expect(await readPolicy(redis())).toMatchObject({ policy: { ...tightened, mode: "off" } });
    expect(await setMode(log.signed(), { mode: "off", reason: "" })).toEqual({ change: null, version: 2 });
    expect((await log.records())[1]).toMatchObject({ action: "policy.mode", reason: "outage", change: 2 });
    await expect(save(1, defaultPolicy)).rejects.toMatchObject({ code: "changed-since" });
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
    await expect(to(0, 0)).rejects.toMatchObject({ code: "changed-since" });
    await log.client.hset(keys.policyVersions(), "1", "{}");
    await expect(to(1)).rejects.toMatchObject({
      code: "bad-input",
      message: "Version 1 cannot be rolled back to: it is not a policy that Sluice wrote.",
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
      problem: `sluice:live:policy in Redis is not enforced: ${problem}`,
    });
    expect(await save(1, tightened)).toEqual({ change: 2, version: 2 });
    expect(await readPolicy(redis())).not.toHaveProperty("problem");
  });

  it("put something of another type there", async () => {
    await log.client.rpush(keys.policy(), "x");
    expect(await readPolicy(redis())).toMatchObject({
      version: 0,
      problem: "sluice:live:policy in Redis is not enforced: it is of type list",
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
