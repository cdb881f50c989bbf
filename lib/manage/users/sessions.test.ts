import { beforeEach, expect, it } from "vitest";
import type { Connection } from "../../redis/connect.ts";
import { testLog } from "../audit/vitest.log.ts";
import { closeSession, countSessions, findSession, idleMs, longestMs, openSession } from "./sessions.ts";
import { writeUser } from "./user.ts";

const log = testLog();
const email = "ops@example.org";
const start = Date.parse("2026-05-01T08:00:00Z");
const minute = 60_000;
let redis: Connection;
let id: string;

const user = (version: number) => ({ role: "staff", version, since: "", by: "password" }) as const;
const find = (now: number, isActivity: boolean) => findSession(redis, id, { isActivity, now });

beforeEach(async () => {
  redis = log.connect();
  await log.client.hset("sluice:users", email, writeUser(user(7)));
  id = await openSession(redis, { email, version: 7 }, start);
});

it("finds the user of a session, and none for a made-up id", async () => {
  expect(await find(start + 1, true)).toEqual({ id, email, role: "staff" });
  expect(await findSession(redis, "made-up", { isActivity: true, now: start })).toBeUndefined();
});

it("ends after 30 minutes without activity, to the millisecond", async () => {
  expect(await find(start + idleMs - 1, false)).toMatchObject({ email });
  expect(await find(start + idleMs, false)).toBeUndefined();
  expect(await log.client.exists(`sluice:session:${id}`)).toBe(0);
});

it("is not prolonged by polling", async () => {
  for (let at = 0; at < idleMs; at += minute) expect(await find(start + at, false)).toMatchObject({ email });
  expect(await find(start + idleMs, false)).toBeUndefined();
});

it("goes on with each activity, until 8 hours are over", async () => {
  let at = start;
  for (; at < start + longestMs; at += 20 * minute) expect(await find(at, true)).toMatchObject({ email });
  expect(await find(start + longestMs - 1, true)).toMatchObject({ email });
  expect(await log.client.pttl(`sluice:session:${id}`)).toBeLessThanOrEqual(1);
  expect(await find(start + longestMs, true)).toBeUndefined();
});

it("expires in Redis", async () => {
  const leftMs = await log.client.pttl(`sluice:session:${id}`);
  expect(leftMs).toBeGreaterThan(idleMs - 5_000);
  expect(leftMs).toBeLessThanOrEqual(idleMs);
});

it("takes the role as it is now, and ends with another version or without the user", async () => {
  await log.client.hset("sluice:users", email, JSON.stringify({ ...user(7), role: "viewer" }));
  expect(await find(start, true)).toMatchObject({ role: "viewer" });
  await log.client.hset("sluice:users", email, writeUser(user(8)));
  expect(await find(start, true)).toBeUndefined();
  id = await openSession(redis, { email, version: 8 }, start);
  await log.client.hdel("sluice:users", email);
  expect(await find(start, true)).toBeUndefined();
});

it("is closed by signing out, and stays so while another request is under way", async () => {
  const [found] = await Promise.all([find(start + 1, true), closeSession(redis, id)]);
  expect([undefined, email]).toContain(found?.email);
  expect(await find(start + 2, true)).toBeUndefined();
  expect(await log.client.exists(`sluice:session:${id}`)).toBe(0);
});

it("counts what is open: neither closed, nor idle, nor of another version", async () => {
  const users = new Map([[email, user(7)]]);
  const count = async (now: number) => (await countSessions(redis, users, now)).get(email) ?? 0;
  const other = await openSession(redis, { email, version: 7 }, start + 10 * minute);
  expect(await count(start + 11 * minute)).toBe(2);
  expect(await count(start + idleMs)).toBe(1);
  expect((await countSessions(redis, new Map([[email, user(8)]]), start)).size).toBe(0);
  await closeSession(redis, other);
  expect(await count(start + 11 * minute)).toBe(1);
});

it("forgets ids that cannot be open any more", async () => {
  await openSession(redis, { email, version: 7 }, start + longestMs);
  expect(await log.client.zcard("sluice:sessions")).toBe(1);
});

it("believes nothing that is no session", async () => {
  for (const text of [
    "",
    "null",
    "{}",
    "[1]",
    `{"email":"${email}","version":7,"startedAt":"x","lastActivity":1}`,
  ]) {
    await log.client.set(`sluice:session:${id}`, text);
    expect(await find(start, true)).toBeUndefined();
  }
});

it("still reads while Redis takes no writes", async () => {
  await log.client.config("SET", "min-replicas-to-write", "1");
  try {
    expect(await find(start + minute, true)).toMatchObject({ email });
    expect(await find(start + idleMs, true)).toBeUndefined();
  } finally {
    await log.client.config("SET", "min-replicas-to-write", "0");
  }
});
