import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { isInSync, readNewestChange } from "./newest-change.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(() => server.client.flushall());

it("reads the newest change, when it was made, and the clock it is told by", async () => {
  const before = Date.now();
  await server.client.mset("sluice:live:change", 7);
  await server.client.hset("sluice:change:7", "at", before);
  const newest = await readNewestChange(server.client);
  expect(newest).toMatchObject({ number: 7, at: before });
  expect(Math.abs(newest.now - before)).toBeLessThan(5_000);
});

it("knows of no change, and of one that was made long ago", async () => {
  expect(await readNewestChange(server.client)).toMatchObject({ number: 0, at: undefined });
  await server.client.set("sluice:live:change", 3);
  expect(await readNewestChange(server.client)).toMatchObject({ number: 3, at: undefined });
});

const newest = { number: 7, at: 10_000, now: 60_000 };
const node = (change: number, replicaAgeMs = 400) => ({ change, replicaAgeMs });

it("holds a node against the newest change", () => {
  expect(isInSync(node(7), newest)).toBe(true);
  expect(isInSync(node(6), newest)).toBe(false);
  expect(isInSync(node(Number.NaN), newest)).toBe(false);
});

it("knows that numbers begin again when Redis was emptied", () => {
  expect(isInSync(node(41), { number: 1, at: undefined, now: 60_000 })).toBe(true);
});

it("gives a change a moment to arrive, but not to a node that missed the one before, too", () => {
  const fresh = { ...newest, now: newest.at + 999 };
  expect(isInSync(node(6), fresh)).toBe(true);
  expect(isInSync(node(5), fresh)).toBe(false);
  expect(isInSync(node(6), { ...fresh, now: newest.at + 1_000 })).toBe(false);
  expect(isInSync(node(6), { ...fresh, at: undefined })).toBe(false);
});

it("trusts no copy that nobody has confirmed for five seconds", () => {
  expect(isInSync(node(7, 5_000), newest)).toBe(true);
  expect(isInSync(node(7, 5_001), newest)).toBe(false);
  expect(isInSync(node(7, Number.POSITIVE_INFINITY), newest)).toBe(false);
});
