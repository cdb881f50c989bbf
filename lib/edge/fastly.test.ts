import { afterEach, beforeEach, expect, it } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { Budget } from "./budget.ts";
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

it("shows the token to nobody", async () => {
  const post = outpost({ token: "not the token" });
  const done = await post.bring(keysFrom(0, 1));
  expect(done?.trouble).toMatch(/refuses the token/);
  expect(JSON.stringify([done, post.standing])).not.toContain("not the token");
});
