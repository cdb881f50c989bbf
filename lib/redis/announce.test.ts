import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { deleteAnnounced, setAnnounced } from "./change-stream.ts";
import { type Connection, connectControl } from "./connect.ts";
import { keys } from "./keys.ts";
import { startRedis, type TestRedis } from "./testing.ts";

const key = keys.edgeInUse();
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

const announced = async () =>
  (await server.client.xrange(keys.changes(), "-", "+")).map(
    ([, fields]) => fields[fields.indexOf("keys") + 1],
  );

it("writes a key and announces it, once", async () => {
  expect(await setAnnounced(redis, key, "1", 60)).toBe(true);
  expect(await setAnnounced(redis, key, "2", 60)).toBe(false);
  expect(await server.client.get(key)).toBe("1");
  expect(await server.client.ttl(key)).toBe(60);
  expect(await announced()).toEqual([JSON.stringify([key])]);
});

it("deletes a key and announces that, and nothing for a key that does not exist", async () => {
  await server.client.set(key, "1");
  expect(await deleteAnnounced(redis, key)).toBe(true);
  expect(await deleteAnnounced(redis, key)).toBe(false);
  expect(await server.client.exists(key)).toBe(0);
  expect(await announced()).toEqual([JSON.stringify([key])]);
});

it("a node that polls never sees the announcement without the write", async () => {
  let last = "0-0";
  const writing = (async () => {
    for (let i = 0; i < 100; i++) {
      await setAnnounced(redis, key, "1", 60);
      await deleteAnnounced(redis, key);
    }
  })();
  let isDone = false;
  void writing.then(() => {
    isDone = true;
  });
  while (!isDone) {
    const [value, stream] = (await server.client.multi().exists(key).xlen(keys.changes()).exec()) ?? [];
    // Each write and each deletion is announced with itself: an odd number of announcements means that the key exists.
    expect(Number(value?.[1])).toBe(Number(stream?.[1]) % 2);
    last = String(stream?.[1]);
  }
  await writing;
  expect(Number(last)).toBeGreaterThan(0);
});
