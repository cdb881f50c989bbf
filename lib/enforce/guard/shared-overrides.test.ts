import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { removeSharedOverride } from "../../manage/overrides/remove-shared.ts";
import { type SharedOverrideInput, saveSharedOverride } from "../../manage/overrides/save-shared.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";

const hour = 3_600;
const ip = "203.0.113.9";
const level = (limit: number) => [{ limit, periodSeconds: hour }];

let server: TestRedis;
const guards: Guard[] = [];
const signed = () => ({
  actor: { name: "ada@example.org", via: "console" as const },
  redis: server.client,
  seal: sealFrom("a secret for tests"),
  protectedRanges: [],
});
const save = (input: Omit<SharedOverrideInput, "reason">) =>
  saveSharedOverride(signed(), { ...input, reason: "a test" });

beforeAll(async () => {
  server = await startRedis();
  await server.client.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-client|tracking");
  const { version } = await readPolicy(server.client);
  const rules = [{ name: "api", client: "customer", algorithm: "fixed", levels: "tier" }];
  const tiers = { free: { levels: level(100) }, pro: { levels: level(500) } };
  const policy = { mode: "enforce", rules, tiers, defaultTier: "free" };
  await setPolicy(signed(), { policy, basedOn: version, reason: "a test" });
});
afterEach(async () => {
  await Promise.all(guards.splice(0).map((guard) => guard.close()));
  for (const name of await server.client.hkeys(keys.sharedOverrides()))
    await removeSharedOverride(signed(), { name, reason: "" });
});
afterAll(() => server.stop());

async function open(redis = server.url): Promise<Guard> {
  const guard = createGuard({ redis, app: "shop", log: () => {} });
  guards.push(guard);
  await guard.ready();
  return guard;
}

/** The limit that counts a customer. */
async function limitFor(guard: Guard, customerId: string): Promise<number | undefined> {
  return (await guard.usage({ customerId })).levels[0]?.limit;
}
const becomes = (guard: Guard, id: string, limit: number) =>
  eventually(async () => expect(await limitFor(guard, id)).toBe(limit));

describe.each([
  ["with client tracking", () => server.url],
  ["by polling", () => `redis://app:secret@127.0.0.1:${server.port}`],
])("overrides of groups and patterns, %s", (_, url) => {
  it("are in force on every node, and end with their removal", async () => {
    const guard = await open(url());
    expect(await limitFor(guard, "premium_1")).toBe(100);
    await save({ name: "premium_*", levels: level(20_000) });
    await becomes(guard, "premium_1", 20_000);
    expect(await limitFor(guard, "other")).toBe(100);
    await save({ name: "beta", tier: "pro", members: { set: ["premium_1", "other"] } });
    await becomes(guard, "other", 500);
    expect(await limitFor(guard, "premium_1")).toBe(500);
    await save({ name: "beta", members: { remove: ["premium_1"] } });
    await becomes(guard, "premium_1", 20_000);
    await removeSharedOverride(signed(), { name: "premium_*", reason: "" });
    await becomes(guard, "premium_1", 100);
  });

  it("let a customer pass at once whose denial a node remembers, when the limit is raised", async () => {
    const guard = await open(url());
    const { change } = await save({ name: "tight_*", levels: level(1) });
    expect(change).not.toBeNull();
    await becomes(guard, "tight_1", 1);
    const ask = () => guard.check({ ip, customerId: "tight_1" });
    await ask();
    await eventually(async () => expect((await ask()).outcome).toBe("throttled"));
    await save({ name: "tight_*", levels: level(1_000) });
    await eventually(async () => expect((await ask()).outcome).toBe("pass"));
  });
});

it("are enforced by the first check of a process, before its copies are loaded", async () => {
  await save({ name: "late_*", levels: level(0) });
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  guards.push(guard);
  expect((await guard.check({ ip, customerId: "late_1" })).outcome).toBe("throttled");
});

it("are named by an explanation, and reported when a check used them", async () => {
  const guard = await open();
  await save({ name: "premium_*", levels: level(20_000) });
  await becomes(guard, "premium_1", 20_000);
  const { steps } = await guard.explain({ ip, customerId: "premium_1" });
  expect(steps.at(-1)?.says).toContain("Customer premium_1 has 20,000 per 1 h by pattern premium_*.");
  expect(await server.client.hgetall(keys.sharedOverrideUses())).toEqual({});
  const before = Date.now();
  await guard.check({ ip, customerId: "other" });
  await guard.check({ ip, customerId: "premium_1" });
  const used = await eventually(async () => {
    const uses = await server.client.hgetall(keys.sharedOverrideUses());
    expect(Object.keys(uses)).toEqual(["premium_*"]);
    return Number(uses["premium_*"]);
  });
  expect(Math.abs(used - before)).toBeLessThan(60_000);
});
