import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connectControl } from "./connect.ts";
import { Lease } from "./lease.ts";
import { eventually, startRedis, type TestRedis } from "./testing.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("is one's at a time, for as long as that one asks for it", async () => {
  const [one, other] = [new Lease(redis, "work"), new Lease(redis, "work")];
  expect([await one.isOurs(), await other.isOurs(), await one.isOurs()]).toEqual([true, false, true]);
  await other.release();
  expect(await other.isOurs()).toBe(false);
  await one.release();
  expect([await other.isOurs(), await one.isOurs()]).toEqual([true, false]);
});

it("passes on when its holder is gone", async () => {
  const [dead, heir] = [new Lease(redis, "sweep", 200), new Lease(redis, "sweep", 10_000)];
  expect(await dead.isOurs()).toBe(true);
  await eventually(async () => expect(await heir.isOurs()).toBe(true), 10_000);
  expect(await dead.isOurs()).toBe(false);
});

it("is not ours while Redis cannot say", async () => {
  const lease = new Lease(redis, "alone");
  expect(await lease.isOurs()).toBe(true);
  redis.disconnect();
  expect(await lease.isOurs()).toBe(false);
});
