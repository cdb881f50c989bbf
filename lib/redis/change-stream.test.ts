import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { announceFound, isAtOrAfter, markScan, readChanges } from "./change-stream.ts";
import { type Connection, connectControl } from "./connect.ts";
import { keys } from "./keys.ts";
import { startRedis, type TestRedis } from "./testing.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
beforeEach(() => server.client.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("a mark that a scan begins names its own place, and the marks that follow name the same", async () => {
  const since = await markScan(redis, { kind: "begun", since: "", walkMs: 6_000 });
  await markScan(redis, { kind: "walked", since, walkMs: 7_000 });
  const { entries } = await readChanges.run(redis, "0-0");
  expect(entries.map(({ mark }) => mark)).toEqual([
    { kind: "begun", since, walkMs: 6_000, ageMs: expect.any(Number) },
    { kind: "walked", since, walkMs: 7_000, ageMs: expect.any(Number) },
  ]);
});

it("who begins to read hears of the newest mark, also where other entries follow it", async () => {
  const since = await markScan(redis, { kind: "begun", since: "", walkMs: 6_000 });
  await announceFound(redis, ["blocklist:a", "blocklist:b"]);
  const { place, entries } = await readChanges.run(redis, "");
  expect(entries).toMatchObject([{ keys: [], mark: { kind: "begun", since } }]);
  expect(isAtOrAfter(place, since)).toBe(true);
  expect(place).not.toBe(since);
});

it("many keys are named in several entries, and all are read", async () => {
  const found = Array.from({ length: 1_000 }, (_, n) => `blocklist:${n}`);
  await announceFound(redis, found);
  const { entries } = await readChanges.run(redis, "0-0");
  expect(entries.length).toBeGreaterThan(1);
  expect(entries.flatMap((entry) => entry.keys)).toEqual(found);
});

it.each([
  ["scan", "begun", "walk", "x"],
  ["scan", "else", "since", "1-0", "walk", "5"],
  ["scan", "walked", "since", "nowhere", "walk", "5"],
  ["keys", "{"],
])("what is no mark and no list of keys says nothing: %s %s %s", async (...fields) => {
  await server.client.xadd(keys.changes(), "*", ...fields);
  expect((await readChanges.run(redis, "0-0")).entries).toEqual([{ change: 0, keys: [], mark: undefined }]);
});

it.each([
  ["0-0", "0-0", true],
  ["9-0", "10-0", false],
  ["10-2", "10-10", false],
  ["10-10", "10-2", true],
  ["11-0", "10-5", true],
])("%s is at or after %s: %s", (place, other, expected) => {
  expect(isAtOrAfter(place, other)).toBe(expected);
});
