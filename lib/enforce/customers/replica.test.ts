import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Copies } from "../../redis/copy.ts";
import { keys } from "../../redis/keys.ts";
import { type Mirror, startMirror } from "../../redis/mirror.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { CustomerReplica } from "./replica.ts";
import { keptMs, writeTierEnd } from "./tier.ts";
import { customer } from "./vitest.customers.ts";

const acme = customer("acme");
const tierKey = "customer:acme:tier_redis";
const hashKey = "customer:acme:throttle_hash";
const endKey = "customer:acme:tier_end";
const suspendedKey = "customer:acme:suspended";
const end = writeTierEnd({ tier: "enterprise", back: "pro", atMs: 0 });
const one = [{ limit: 5, periodSeconds: 60 }];

describe("tiers and overrides of any program", () => {
  let server: TestRedis;
  let replica: CustomerReplica;
  let mirror: Mirror | undefined;
  const events = { onCurrent: vi.fn(), onLost: vi.fn(), onApplied: vi.fn(), onOther: vi.fn() };

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.client.flushall();
    vi.clearAllMocks();
    replica = new CustomerReplica();
  });
  afterEach(() => mirror?.close());

  async function follow() {
    mirror = startMirror(server.url, new Copies([replica]), events);
    await eventually(() => expect(events.onCurrent).toHaveBeenCalled());
  }

  const becomes = (tier: string | undefined, override: object | undefined) =>
    eventually(() => expect(replica.get(acme)).toMatchObject({ tier, override }));

  it("are read at the start", async () => {
    await server.client.set(tierKey, "pro");
    await server.client.hset(hashKey, { "60": "5", junk: "x" });
    await server.client.set("customer:other:tier_redis", "free");
    await server.client.rpush("customer:listed:tier_redis", "x");
    await follow();
    expect(replica.get(acme)).toMatchObject({ tier: "pro", override: one });
    expect(replica.get(customer("other"))).toMatchObject({ tier: "free", override: undefined });
    expect(replica.size).toBe(2);
  });

  it("are followed: set, changed, replaced by another type, deleted", async () => {
    await follow();
    await server.client.hset(hashKey, "60", "5");
    await becomes(undefined, one);
    await server.client.set(tierKey, " Pro ");
    await becomes("pro", one);
    await server.client.hset(hashKey, "3600", "9");
    await becomes("pro", [...one, { limit: 9, periodSeconds: 3_600 }]);
    await server.client.hdel(hashKey, "60", "3600");
    await becomes("pro", undefined);
    await server.client.del(tierKey);
    await eventually(() => expect(replica.get(acme)).toBeUndefined());
    await server.client.hset(tierKey, "a", "b");
    await server.client.set(hashKey, "60:5");
    await server.client.hset("customer:last:throttle_hash", "60", "5");
    await eventually(() => expect(replica.get(customer("last"))?.override).toEqual(one));
    expect(replica.get(acme)).toBeUndefined();
    expect(replica.size).toBe(1);
  });

  it("are followed beside suspensions, which are strings of any text", async () => {
    await server.client.set(suspendedKey, "");
    await follow();
    expect(replica.get(acme)).toMatchObject({ isSuspended: true, tier: undefined });
    await server.client.set(tierKey, "pro");
    await becomes("pro", undefined);
    expect(replica.get(acme)?.isSuspended).toBe(true);
    await server.client.del(suspendedKey);
    await eventually(() => expect(replica.get(acme)).toMatchObject({ isSuspended: false, tier: "pro" }));
    await server.client.hset(suspendedKey, "a", "b");
    await server.client.set(tierKey, "free");
    await becomes("free", undefined);
    expect(replica.get(acme)?.isSuspended).toBe(false);
  });

  it("are distinguished from keys that nodes read separately", async () => {
    await follow();
    await eventually(() => expect(events.onOther.mock.calls.flat()).toContain(keys.policy()));
    await server.client.set("customer:acme:other", "x");
    await server.client.set(keys.reset(acme), "x");
    await eventually(() => expect(events.onOther.mock.calls.flat()).toContain(keys.reset(acme)));
    expect(replica.size).toBe(0);
  });

  it("are removed after a flush of Redis", async () => {
    await server.client.set(tierKey, "pro");
    await follow();
    await server.client.flushall();
    await eventually(() => expect(replica.size).toBe(0));
  });

  it("are ignored with too many fields", async () => {
    await follow();
    await server.client.hset(hashKey, Object.fromEntries(Array.from({ length: 99 }, (_, i) => [i + 1, 1])));
    await server.client.set("customer:last:tier_redis", "pro");
    await eventually(() => expect(replica.get(customer("last"))).toMatchObject({ tier: "pro" }));
    expect(replica.get(acme)).toBeUndefined();
  });
});

it("ends each part in time, without an announcement by Redis", async () => {
  const replica = new CustomerReplica();
  replica.put(tierKey, 60_000, "pro");
  replica.put(hashKey, 100, ["60", "5"]);
  replica.put("customer:b:tier_redis", 100, "free");
  expect([replica.get(acme)?.override, replica.get(customer("b"))?.tier]).toEqual([one, "free"]);
  await eventually(() => expect(replica.get(customer("b"))).toBeUndefined());
  await eventually(() => expect(replica.get(acme)).toMatchObject({ tier: "pro", override: undefined }));
  expect(replica.size).toBe(1);
});

describe("a tier that ends without a write", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  const putBoth = (replica: CustomerReplica, leftMs: number) => {
    replica.put(tierKey, leftMs + keptMs, "enterprise");
    replica.put(endKey, leftMs + keptMs, end);
  };

  it("is followed by the tier before, with the same limits object from then on", () => {
    const replica = new CustomerReplica();
    replica.put(hashKey, -1, ["60", "5"]);
    putBoth(replica, 100);
    vi.advanceTimersByTime(99);
    expect(replica.get(acme)).toMatchObject({ tier: "enterprise", override: one });
    vi.advanceTimersByTime(1);
    expect(replica.get(acme)).toMatchObject({ tier: "pro", override: one });
    expect(replica.get(acme)).toBe(replica.get(acme));
    replica.put(tierKey, -1, "pro");
    replica.put(endKey, -2);
    expect(replica.get(acme)).toMatchObject({ tier: "pro" });
  });

  it("stays as another program sets it", () => {
    const replica = new CustomerReplica();
    putBoth(replica, 0);
    expect(replica.get(acme)?.tier).toBe("pro");
    replica.put(tierKey, -1, "enterprise");
    expect(replica.get(acme)?.tier).toBe("enterprise");
    replica.put(tierKey, -2);
    expect(replica.get(acme)).toBeUndefined();
  });

  it("is in a load, in a snapshot, and found by a scan", () => {
    const replica = new CustomerReplica();
    expect(replica.review(tierKey, keptMs, "enterprise")).toBe(true);
    expect(replica.review(endKey, keptMs, end)).toBe(true);
    expect(replica.review(endKey, keptMs, end)).toBe(false);
    expect(replica.review(endKey, keptMs + 60_000, end)).toBe(true);
    replica.begin();
    expect([...replica.missing()].flat()).toEqual([tierKey, endKey]);
    for (const key of [tierKey, endKey]) replica.load(key, keptMs, key === tierKey ? "enterprise" : end);
    expect([...replica.missing()].flat()).toEqual([]);
    replica.finish();
    const since = performance.now();
    const other = new CustomerReplica();
    other.begin();
    for (const { bytes } of replica.pack(since)) expect(other.unpack(bytes, since)).toBe(1);
    other.finish();
    expect([replica, other].map((one) => one.get(acme)?.tier)).toEqual(["pro", "pro"]);
  });
});

it("reviews what a scan found, and names what a scan no longer finds", async () => {
  const found: string[] = [];
  const replica = new CustomerReplica((id) => found.push(id));
  expect(replica.review(suspendedKey, -1, "")).toBe(true);
  expect(replica.review(suspendedKey, -1, "other reason")).toBe(false);
  expect(replica.review(suspendedKey, 60_000, "")).toBe(true);
  expect(found).toEqual(["acme"]);
  replica.begin();
  expect([...replica.missing()].flat()).toEqual([suspendedKey]);
  replica.load(suspendedKey, 60_000, "");
  expect([...replica.missing()].flat()).toEqual([]);
});

it("ends a suspension in time", async () => {
  const replica = new CustomerReplica();
  replica.put(suspendedKey, 100, "x");
  replica.put(tierKey, -1, "pro");
  expect(replica.get(acme)?.isSuspended).toBe(true);
  await eventually(() => expect(replica.get(acme)).toMatchObject({ isSuspended: false, tier: "pro" }));
});

it("shares limits between customers with equal ones", () => {
  const replica = new CustomerReplica();
  for (const id of ["a", "b"]) {
    replica.put(`customer:${id}:tier_redis`, -1, "pro");
    replica.put(`customer:x${id}:throttle_hash`, -1, ["60", "5"]);
  }
  const of = (id: string) => replica.get(customer(id));
  expect(of("a")).toBe(of("b"));
  expect(of("xa")?.override).toBe(of("xb")?.override);
});

it("keeps values read during a load, and forgets those that the load did not find", () => {
  const replica = new CustomerReplica();
  replica.put(tierKey, -1, "pro");
  replica.begin();
  replica.load("customer:b:tier_redis", -1, "free");
  replica.put("customer:c:tier_redis", -1, "free");
  expect(replica.get(acme)?.tier).toBe("pro");
  replica.finish();
  expect([acme, customer("b"), customer("c")].map((id) => replica.get(id)?.tier)).toEqual([
    undefined,
    "free",
    "free",
  ]);
});

it("ignores invalid ids", () => {
  const replica = new CustomerReplica();
  replica.put("customer:a b:tier_redis", -1, "pro");
  replica.put("customer::tier_redis", -1, "pro");
  expect(replica.size).toBe(0);
});
