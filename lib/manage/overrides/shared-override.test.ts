import { describe, expect, it } from "vitest";
import { readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { keys } from "../../redis/keys.ts";
import { readCustomer } from "../customers/read.ts";
import { testUndo } from "../undo/vitest.undo.ts";
import { membersOf } from "./members.ts";
import { removeSharedOverride } from "./remove-shared.ts";
import { type SharedOverrideInput, saveSharedOverride } from "./save-shared.ts";
import { mostMembers, mostPatterns, readShared, requireShared } from "./shared-override.ts";

const { lists, undo } = testUndo();
const levels = [{ limit: 20_000, periodSeconds: 3_600 }];
const save = (input: Omit<SharedOverrideInput, "reason">) =>
  saveSharedOverride(lists.ctx(), { reason: "launch", ...input });
const remove = (name: string) => removeSharedOverride(lists.ctx(), { name, reason: "over" });
const idsOf = async (name: string) =>
  membersOf(lists.client, await requireShared(lists.client, name)).then((ids) => ids.join(" "));
const contents = async () => (await lists.client.keys("sluice:live:group:*")).length;
/** Of the contents that are in force: they never expire. */
const lasting = async () => {
  const keysOf = await lists.client.keys("sluice:live:group:*");
  const lives = await Promise.all(keysOf.map((key) => lists.client.pttl(key)));
  return lives.filter((life) => life === -1).length;
};

describe("an override of a pattern", () => {
  it("is written with its record, and removed, each with an undo", async () => {
    expect(await save({ name: "premium_*", levels })).toMatchObject({ change: 1, outcome: "added" });
    expect(await readCustomer(lists.client, customer("premium_1"))).toMatchObject({
      ...{ levels, from: "pattern", shared: { name: "premium_*" } },
    });
    expect(await lists.records()).toMatchObject([
      {
        action: "override.set",
        reason: "launch",
        change: 1,
        changes: [{ target: "premium_*", before: null }],
      },
    ]);
    await remove("premium_*");
    expect(await readShared(lists.client)).toEqual([]);
    await undo(2, "support");
    expect((await readShared(lists.client)).map(({ name }) => name)).toEqual(["premium_*"]);
    await undo(1, "support");
    expect(await readShared(lists.client)).toEqual([]);
    await expect(undo(1, "staff")).rejects.toMatchObject({ code: "not-allowed" });
    await lists.expectSoundChain(4);
  });

  it("given again keeps what is not named, and writes nothing for the same", async () => {
    await save({ name: "premium_*", levels, expiresInMs: 60_000 });
    const { expiresAt } = await requireShared(lists.client, "premium_*");
    expect(await save({ name: "premium_*", levels })).toMatchObject({ change: null, outcome: "kept" });
    await save({ name: "premium_*", tier: "pro" });
    expect(await requireShared(lists.client, "premium_*")).toMatchObject({ tier: "pro", expiresAt });
    await save({ name: "premium_*", expiresInMs: null });
    const last = await requireShared(lists.client, "premium_*");
    expect(last).toMatchObject({ tier: "pro", expiresAt: null });
    expect(last.levels).toBeUndefined();
  });

  it.each([
    [{ name: "*", levels }, /All customers have the default tier/],
    [{ name: "premium_*" }, /write its limits, or a tier/],
    [{ name: "premium_*", tier: "gold" }, /the policy has no tier "gold". It has: free, pro, enterprise/],
    [{ name: "premium_*", tier: "pro", levels }, /levels or a tier, not both/],
    [{ name: "premium_*", levels, members: { set: ["a"] } }, /no list of customers/],
    [{ name: "premium_*", levels, expiresInMs: 10 }, /1 s to 10 years/],
    [{ name: "Premium", levels }, /small letters/],
  ])("is refused: %j", async (input, message) => {
    await expect(save(input)).rejects.toMatchObject({ code: "bad-input", message });
    expect(await lists.records()).toEqual([]);
  });

  it("there are not more than nodes can look through", async () => {
    for (let i = 0; i < mostPatterns; i++) await save({ name: `p${i}_*`, levels });
    await expect(save({ name: "one-more*", levels })).rejects.toMatchObject({
      message: /there are 50 patterns already/,
    });
    expect(await save({ name: "p0_*", tier: "pro" })).toMatchObject({ outcome: "changed" });
    expect(await save({ name: "a-group", levels })).toMatchObject({ outcome: "added" });
  });

  it("is refused while an older node is alive, unless told otherwise", async () => {
    await lists.client.zadd(keys.nodes(), 1, "old");
    await lists.client.hset(keys.node("old"), { id: "old", policyFormat: "6", host: "web-1" });
    await expect(save({ name: "premium_*", levels })).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringMatching(
        /^Node old \(host web-1\) runs an older version, .* sluice override set --even-with-old-nodes\.$/,
      ),
    });
    expect(await save({ name: "premium_*", levels, isOldIgnored: true })).toMatchObject({ outcome: "added" });
  });
});

describe("an override of a group", () => {
  it("has customers that are added, removed and replaced, and the record says how many", async () => {
    await save({ name: "beta", levels, members: { set: ["b", "a", "b"] } });
    expect(await idsOf("beta")).toBe("a b");
    await save({ name: "beta", members: { add: ["c"], remove: ["a"] } });
    expect(await idsOf("beta")).toBe("b c");
    expect(await requireShared(lists.client, "beta")).toMatchObject({
      ...{ levels, members: { count: 2, added: 1, removed: 1 } },
    });
    expect(await save({ name: "beta", members: { add: ["c"] } })).toMatchObject({ outcome: "kept" });
    await save({ name: "beta", tier: "pro" });
    expect(await idsOf("beta")).toBe("b c");
    const shared = await readSharedOverrides(lists.client);
    expect(shared.of(customer("c")).map(({ name, tier }) => [name, tier])).toEqual([["beta", "pro"]]);
    expect(await lasting()).toBe(1);
    for (const { changes } of await lists.records())
      for (const { after } of changes) expect(after?.value).not.toContain("\nb");
  });

  it("gets its customers back by an undo, and what is in force never expires", async () => {
    await save({ name: "beta", levels, members: { set: ["a"] } });
    await save({ name: "beta", members: { set: ["b"] } });
    await undo(2);
    expect(await idsOf("beta")).toBe("a");
    await expect(undo(2)).rejects.toThrow(/nothing left to undo/);
    expect(await idsOf("beta")).toBe("a");
    expect(await lasting()).toBe(1);
    await remove("beta");
    expect(await lasting()).toBe(0);
    await undo(4);
    expect(await idsOf("beta")).toBe("a");
    expect([await lasting(), await contents()]).toEqual([1, 2]);
    await remove("beta");
    await lists.client.del(...(await lists.client.keys("sluice:live:group:*")));
    await expect(undo(6)).rejects.toMatchObject({ message: /no longer kept/ });
  });

  it("refuses what is no id, and more customers than fit", async () => {
    const refused = async (ids: string[], message: RegExp) =>
      expect(save({ name: "beta", levels, members: { set: ids } })).rejects.toMatchObject({ message });
    await refused(["a", "b c"], /"b c" is not a customer id/);
    const many = Array.from({ length: mostMembers + 1 }, (_, i) => `c${i}`);
    await refused(many, /at most 5,000 customers, and these are 5,001/);
    expect(await contents()).toBe(0);
    await save({ name: "beta", levels, members: { set: many.slice(1) } });
    expect((await requireShared(lists.client, "beta")).members?.count).toBe(mostMembers);
  });

  it("is saved by two people at once: both changes are in it", async () => {
    await save({ name: "beta", levels, members: { set: ["a"] } });
    await Promise.all(["b", "c", "d"].map((id) => save({ name: "beta", members: { add: [id] } })));
    expect(await idsOf("beta")).toBe("a b c d");
    expect(await lasting()).toBe(1);
  });

  it("a dry run writes nothing", async () => {
    const dry = { ...lists.ctx(), isDryRun: true };
    const input = { name: "beta", levels, members: { set: ["a"] }, reason: "" };
    expect(await saveSharedOverride(dry, input)).toMatchObject({ change: null, outcome: "added" });
    expect([await contents(), await readShared(lists.client)]).toEqual([0, []]);
  });
});
