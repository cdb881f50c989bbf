import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keyOf } from "../../enforce/policy/fingerprint.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { Budget } from "./budget.ts";
import { EdgeError } from "./dictionary.ts";
import { DictionarySync } from "./dictionary-sync.ts";
import { fastlyDictionary } from "./fastly.ts";
import { FakeFastly } from "./vitest.fastly.ts";

const service = { service: "SU1Z0isxPaozGVKXdv0eY", dictionary: "3vjTN8v1O7nOAY7aNDGOL" };
const keysFrom = (from: number, count: number) =>
  new Set(Array.from({ length: count }, (_, i) => keyOf(String(from + i))));

let fastly: FakeFastly;
let api: string;
let server: TestRedis;
let redis: Connection;

beforeEach(async () => {
  fastly = new FakeFastly();
  [api, server] = await Promise.all([fastly.start(), startRedis()]);
  redis = connectControl(server.url, "patiently");
});
afterEach(async () => {
  redis.disconnect();
  await Promise.all([fastly.stop(), server.stop()]);
});

function syncOf(settings: { capacity?: number; callsAnHour?: number; token?: string } = {}): DictionarySync {
  const dictionary = fastlyDictionary({ ...service, token: fastly.token, api, ...settings });
  return new DictionarySync(dictionary, new Budget(redis, dictionary));
}

it("makes five thousand changes in five calls, and none when there is nothing to change", async () => {
  fastly.capacity = 10_000;
  for (const key of keysFrom(0, 2_500)) fastly.items.set(key, "true");
  const sync = syncOf({ capacity: 5_000 });
  const wanted = keysFrom(2_500, 2_500);
  expect(await sync.reconcile(wanted)).toMatchObject({ added: 2_500, removed: 2_500, trouble: null });
  expect(fastly.calls).toEqual({ reads: 26, changes: 5 });
  expect(new Set(fastly.items.keys())).toEqual(wanted);
  expect([...new Set(fastly.items.values())]).toEqual(["true"]);
  expect(await sync.reconcile(wanted)).toBeUndefined();
  expect(fastly.calls.changes).toBe(5);
});

it.each([
  ["too many calls", { status: 429, headers: { "retry-after": "1" } }, /no more calls/],
  ["an internal error", { status: 503 }, /internal error \(503\)/],
  ["a change by another program", { status: 409 }, /Another program/],
  ["a change whose reply was lost", { status: 0, isMade: true }, /does not answer/],
])("reports %s, and reaches the wanted state later", async (_, trouble, words) => {
  for (const key of keysFrom(0, 10)) fastly.items.set(key, "true");
  const sync = syncOf();
  await sync.reconcile(keysFrom(0, 10));
  fastly.troubles.push(trouble);
  const wanted = keysFrom(5, 10);
  expect(await sync.reconcile(wanted)).toMatchObject({ trouble: expect.stringMatching(words) });
  expect(sync.status).toMatchObject({ actual: null, behindSince: expect.any(Number) });
  // Not before the pause after a failure.
  expect(await sync.reconcile(wanted)).toBeUndefined();
  const again = syncOf();
  expect((await again.reconcile(wanted))?.trouble ?? null).toBeNull();
  expect(new Set(fastly.items.keys())).toEqual(wanted);
});

it("takes over from a process that died between two calls", async () => {
  fastly.capacity = 10_000;
  fastly.troubles.push({ status: 200, isMade: true });
  const wanted = keysFrom(0, 1_500);
  // The first batch is made, but its reply is lost.
  await syncOf({ capacity: 5_000 }).reconcile(wanted);
  await syncOf({ capacity: 5_000 }).reconcile(wanted);
  expect(new Set(fastly.items.keys())).toEqual(wanted);
});

it("reverts changes by other programs, and counts them", async () => {
  const dictionary = { ...fastlyDictionary({ ...service, token: fastly.token, api }), readEveryMs: 0 };
  const sync = new DictionarySync(dictionary, new Budget(redis, dictionary));
  const wanted = keysFrom(0, 5);
  await sync.reconcile(wanted);
  fastly.items.delete([...wanted][0] ?? "");
  fastly.items.set(keyOf("by hand"), "true");
  expect(await sync.reconcile(wanted)).toMatchObject({ drifted: 2, added: 1, removed: 1 });
  expect(new Set(fastly.items.keys())).toEqual(wanted);
});

it("corrects a value that limits no client, and removes an unwanted key", async () => {
  const [limited = "", other = ""] = keysFrom(0, 2);
  for (const key of [limited, other, "of another program"]) fastly.items.set(key, "false");
  const sync = syncOf();
  expect(await sync.reconcile(new Set([limited]))).toMatchObject({ trouble: null });
  expect([...fastly.items]).toEqual([[limited, "true"]]);
  expect(await sync.reconcile(new Set([limited]))).toBeUndefined();
});

it("never makes more calls in an hour than are allowed, in all processes together", async () => {
  const tries = Array.from({ length: 12 }, (_, i) => [syncOf({ callsAnHour: 5 }), keysFrom(i, 3)] as const);
  for (const [sync, wanted] of tries) await sync.reconcile(wanted);
  expect(fastly.calls.reads + fastly.calls.changes).toBe(5);
  const last = tries.at(-1)?.[0];
  expect(last?.status).toMatchObject({
    trouble: expect.stringMatching(/All 5 calls of this hour/),
    callsAnHour: 5,
  });
});

it("does not spend the hour's last calls on failures", async () => {
  for (let i = 0; i < 12; i++) {
    fastly.troubles.push({ status: 503 });
    await syncOf({ callsAnHour: 20 }).reconcile(keysFrom(0, 1));
  }
  fastly.troubles.push({ status: 503 });
  const fresh = syncOf({ callsAnHour: 20 });
  await fresh.reconcile(keysFrom(0, 1));
  // Longer than the pause after a first failure.
  await pause(1_100);
  await fresh.reconcile(keysFrom(0, 1));
  expect(fastly.calls.reads).toBe(13);
});

it("counts the calls of a user to all dictionaries together", async () => {
  const budgets = ["one", "other"].map((dictionary) => {
    const settings = { ...service, dictionary, token: fastly.token, api, callsAnHour: 5 };
    return new Budget(redis, fastlyDictionary(settings));
  });
  let made = 0;
  for (let i = 0; i < 5; i++)
    for (const budget of budgets)
      await budget.takeCall().then(
        () => made++,
        () => {},
      );
  expect(made).toBe(5);
});

it("leaves most of the hour's calls for changes, even if reads are long, and waits until a whole read fits", async () => {
  const settings = { ...service, token: fastly.token, api };
  const { callsARead = 0, readEveryMs } = fastlyDictionary({ ...settings, capacity: 10_000 });
  expect(callsARead).toBe(101);
  expect((3_600_000 / readEveryMs) * callsARead).toBeLessThanOrEqual(250);
  expect(fastlyDictionary(settings).readEveryMs).toBe(300_000);
  const budget = new Budget(redis, fastlyDictionary({ ...settings, capacity: 10_000, callsAnHour: 360 }));
  const now = Number((await redis.time())[0]) * 1_000;
  const calls = Array.from({ length: 360 }, (_, i) => [
    now - 3_600_000 + (i + 1) * 10_000,
    `an earlier call ${i + 1}`,
  ]);
  await redis.zadd(keys.edgeCalls("fastly"), ...calls.flat());
  // One call becomes free every ten seconds.
  const failure = await budget.takeCall().catch((error: unknown) => error);
  expect(failure).toMatchObject({ retryAfterMs: expect.any(Number) });
  expect(failure instanceof EdgeError ? failure.retryAfterMs : 0).toBeGreaterThan(1_010_000);
});

it("never shows the token", async () => {
  const sync = syncOf({ token: "not the token" });
  const done = await sync.reconcile(keysFrom(0, 1));
  expect(done?.trouble).toMatch(/refuses the token/);
  expect(JSON.stringify([done, sync.status])).not.toContain("not the token");
});
