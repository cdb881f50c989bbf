import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { Budget } from "./budget.ts";
import { EdgeError } from "./dictionary.ts";
import { fastlyDictionary } from "./fastly.ts";
import { keyOf } from "./key.ts";
import { Outpost } from "./outpost.ts";
import { FastlyStand } from "./vitest.fastly.ts";

const service = { service: "SU1Z0isxPaozGVKXdv0eY", dictionary: "3vjTN8v1O7nOAY7aNDGOL" };
const keysFrom = (from: number, count: number) =>
  new Set(Array.from({ length: count }, (_, i) => keyOf(String(from + i))));

let stand: FastlyStand;
let api: string;
let server: TestRedis;
let redis: Connection;

beforeEach(async () => {
  stand = new FastlyStand();
  [api, server] = await Promise.all([stand.start(), startRedis()]);
  redis = connectControl(server.url, "patiently");
});
afterEach(async () => {
  redis.disconnect();
  await Promise.all([stand.stop(), server.stop()]);
});

function outpost(settings: { capacity?: number; callsAnHour?: number; token?: string } = {}): Outpost {
  const dictionary = fastlyDictionary({ ...service, token: stand.token, api, ...settings });
  return new Outpost(dictionary, new Budget(redis, dictionary));
}

it("makes five thousand changes in five calls, and none when there is nothing to change", async () => {
  stand.capacity = 10_000;
  for (const key of keysFrom(0, 2_500)) stand.items.set(key, "true");
  const post = outpost({ capacity: 5_000 });
  const wished = keysFrom(2_500, 2_500);
  expect(await post.bring(wished)).toMatchObject({ added: 2_500, removed: 2_500, trouble: null });
  expect(stand.calls).toEqual({ reads: 26, changes: 5 });
  expect(new Set(stand.items.keys())).toEqual(wished);
  expect([...new Set(stand.items.values())]).toEqual(["true"]);
  expect(await post.bring(wished)).toBeUndefined();
  expect(stand.calls.changes).toBe(5);
});

it.each([
  ["too many calls", { status: 429, headers: { "retry-after": "1" } }, /no more calls/],
  ["trouble of its own", { status: 503 }, /trouble of its own \(503\)/],
  ["somebody else's change", { status: 409 }, /Somebody else/],
  ["a change that was made, and whose answer was lost", { status: 0, isMade: true }, /does not answer/],
])("tells of %s, and comes to the wished state in the end", async (_, trouble, words) => {
  for (const key of keysFrom(0, 10)) stand.items.set(key, "true");
  const post = outpost();
  await post.bring(keysFrom(0, 10));
  stand.troubles.push(trouble);
  const wished = keysFrom(5, 10);
  expect(await post.bring(wished)).toMatchObject({ trouble: expect.stringMatching(words) });
  expect(post.standing).toMatchObject({ actual: null, behindSince: expect.any(Number) });
  // Not before it has rested.
  expect(await post.bring(wished)).toBeUndefined();
  const again = outpost();
  expect((await again.bring(wished))?.trouble ?? null).toBeNull();
  expect(new Set(stand.items.keys())).toEqual(wished);
});

it("takes over from a process that died between two calls", async () => {
  stand.capacity = 10_000;
  stand.troubles.push({ status: 200, isMade: true });
  const wished = keysFrom(0, 1_500);
  // Its first batch is made, and it never learns of it.
  await outpost({ capacity: 5_000 }).bring(wished);
  await outpost({ capacity: 5_000 }).bring(wished);
  expect(new Set(stand.items.keys())).toEqual(wished);
});

it("puts right what somebody has changed by hand, and says how much that was", async () => {
  const dictionary = { ...fastlyDictionary({ ...service, token: stand.token, api }), lookEveryMs: 0 };
  const post = new Outpost(dictionary, new Budget(redis, dictionary));
  const wished = keysFrom(0, 5);
  await post.bring(wished);
  stand.items.delete([...wished][0] ?? "");
  stand.items.set(keyOf("by hand"), "true");
  expect(await post.bring(wished)).toMatchObject({ drifted: 2, added: 1, removed: 1 });
  expect(new Set(stand.items.keys())).toEqual(wished);
});

it("puts right a value by which nobody is limited, and takes it out where nobody is meant", async () => {
  const [meant = "", other = ""] = keysFrom(0, 2);
  for (const key of [meant, other, "of something else"]) stand.items.set(key, "false");
  const post = outpost();
  expect(await post.bring(new Set([meant]))).toMatchObject({ trouble: null });
  expect([...stand.items]).toEqual([[meant, "true"]]);
  expect(await post.bring(new Set([meant]))).toBeUndefined();
});

it("never makes more calls in an hour than are allowed, whoever makes them", async () => {
  const tries = Array.from({ length: 12 }, (_, i) => [outpost({ callsAnHour: 5 }), keysFrom(i, 3)] as const);
  for (const [post, wished] of tries) await post.bring(wished);
  expect(stand.calls.reads + stand.calls.changes).toBe(5);
  const last = tries.at(-1)?.[0];
  expect(last?.standing).toMatchObject({
    trouble: expect.stringMatching(/All 5 calls of this hour/),
    callsAnHour: 5,
  });
});

it("does not spend the hour's last calls on trouble", async () => {
  for (let i = 0; i < 12; i++) {
    stand.troubles.push({ status: 503 });
    await outpost({ callsAnHour: 20 }).bring(keysFrom(0, 1));
  }
  stand.troubles.push({ status: 503 });
  const fresh = outpost({ callsAnHour: 20 });
  await fresh.bring(keysFrom(0, 1));
  // Longer than it rests after the first trouble of all.
  await pause(1_100);
  await fresh.bring(keysFrom(0, 1));
  expect(stand.calls.reads).toBe(13);
});

it("counts the calls of a user to all dictionaries together", async () => {
  const budgets = ["one", "other"].map((dictionary) => {
    const settings = { ...service, dictionary, token: stand.token, api, callsAnHour: 5 };
    return new Budget(redis, fastlyDictionary(settings));
  });
  let made = 0;
  for (let i = 0; i < 5; i++)
    for (const budget of budgets)
      await budget.askLeave().then(
        () => made++,
        () => {},
      );
  expect(made).toBe(5);
});

it("leaves most of the hour's calls for changes, however long a look is, and waits for all that a look takes", async () => {
  const settings = { ...service, token: stand.token, api };
  const { callsALook = 0, lookEveryMs } = fastlyDictionary({ ...settings, capacity: 10_000 });
  expect(callsALook).toBe(101);
  expect((3_600_000 / lookEveryMs) * callsALook).toBeLessThanOrEqual(250);
  expect(fastlyDictionary(settings).lookEveryMs).toBe(300_000);
  const budget = new Budget(redis, fastlyDictionary({ ...settings, capacity: 10_000, callsAnHour: 360 }));
  const now = Number((await redis.time())[0]) * 1_000;
  for (let i = 1; i <= 360; i++)
    await redis.zadd(keys.edgeCalls("fastly"), now - 3_600_000 + i * 10_000, `an earlier call ${i}`);
  // One comes free every ten seconds.
  const refused = await budget.askLeave().catch((error: unknown) => error);
  expect(refused).toMatchObject({ retryAfterMs: expect.any(Number) });
  expect(refused instanceof EdgeError ? refused.retryAfterMs : 0).toBeGreaterThan(1_010_000);
});

it("shows the token to nobody", async () => {
  const post = outpost({ token: "not the token" });
  const done = await post.bring(keysFrom(0, 1));
  expect(done?.trouble).toMatch(/refuses the token/);
  expect(JSON.stringify([done, post.standing])).not.toContain("not the token");
});
