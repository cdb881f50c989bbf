import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { createGuard } from "../../enforce/guard/guard.ts";
import { sendOwners } from "../../enforce/stats/report.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { readAddresses, readOwners } from "./owners.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await server.client.flushall();
  await joins("new", "1");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function joins(id: string, ownersFormat?: string): Promise<void> {
  await server.client.zadd(keys.nodes(), Date.now(), id);
  await server.client.hset(keys.node(id), { id, ...(ownersFormat !== undefined && { ownersFormat }) });
}

function address(text: string): Ip | Cidr {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function customer(text: string): CustomerId {
  const parsed = parseCustomerId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const use = (customer: string, address: string, requests = 1) => ({ customer, address, requests });
const read = async (...texts: string[]) => readOwners(redis, texts.map(address));
const ownersOf = async (...texts: string[]) =>
  (await read(...texts)).of.map(({ owners }) => owners.map((owner) => `${owner.customer} ${owner.requests}`));

it("names the customers of addresses and ranges, the busiest first", async () => {
  await sendOwners(redis, [
    use("acme", "192.0.2.30", 7),
    use("1042", "192.0.2.30", 2),
    use("1042", "192.0.2.31", 9),
  ]);
  await sendOwners(redis, [
    use("acme", "192.0.2.30", 3),
    use("far", "192.0.3.0"),
    use("six", "2001:db8:1:2::/64", 4),
  ]);
  expect(await ownersOf("192.0.2.30", "192.0.2.29", "192.0.2.0/24", "192.0.0.0/16")).toEqual([
    ["acme 10", "1042 2"],
    [],
    ["1042 11", "acme 10"],
    ["1042 11", "acme 10", "far 1"],
  ]);
  expect(await ownersOf("2001:db8:1:2::9", "2001:db8:1::/48", "2001:db8:2::/48")).toEqual([
    ["six 4"],
    ["six 4"],
    [],
  ]);
  const { addresses } = await readAddresses(redis, customer("1042"));
  expect(addresses.map(({ address, requests }) => `${address} ${requests}`).sort()).toEqual([
    "192.0.2.30 2",
    "192.0.2.31 9",
  ]);
  expect((await readAddresses(redis, customer("104"))).addresses).toEqual([]);
});

it("knows that an address is no customer's only while each node reports customers", async () => {
  expect((await read("192.0.2.30")).knownSince).toBeUndefined();
  await sendOwners(redis, []);
  const { knownSince, asOf } = await read("192.0.2.30");
  expect(knownSince).toBeGreaterThan(asOf - 5_000);
  await joins("old");
  expect((await read("192.0.2.30")).knownSince).toBeUndefined();
  await joins("old", "0");
  expect((await read("192.0.2.30")).knownSince).toBeUndefined();
  await joins("old", "1");
  expect((await read("192.0.2.30")).knownSince).toBe(knownSince);
});

it("knows nothing of the time in which a node reported no customers, although it has left", async () => {
  await sendOwners(redis, []);
  const nextLook = async () => {
    await redis.del(keys.ownersLooked());
    await sendOwners(redis, []);
  };
  const { knownSince } = await read("192.0.2.30");
  await server.client.hset(keys.node("starting"), {
    id: "starting",
    ownersFormat: "0",
    startedAt: Date.now(),
  });
  await server.client.zadd(keys.nodes(), Date.now(), "starting");
  await nextLook();
  await server.client.hset(keys.node("starting"), { ownersFormat: "1" });
  expect((await read("192.0.2.30")).knownSince).toBe(knownSince);
  await joins("old");
  await nextLook();
  await server.client.del(keys.node("old"));
  expect((await read("192.0.2.30")).knownSince).toBeUndefined();
  expect(Number(await redis.get(keys.ownersSince()))).toBeGreaterThan(Date.now() + 25_000);
});

it("counts the requests of the last hour alone", async () => {
  await sendOwners(redis, [use("acme", "192.0.2.30", 5)]);
  const [one = ""] = await redis.hkeys(keys.ownersRequests());
  const span = Math.floor(Date.now() / 600_000);
  await redis.hset(keys.ownersRequests(), one, `${span} 1 2 4 8 16 32 0`);
  expect(await ownersOf("192.0.2.30")).toEqual([["acme 63"]]);
  await redis.hset(keys.ownersRequests(), one, `${span - 5} 1 2 4 8 16 32 64`);
  expect((await ownersOf("192.0.2.30"))[0]?.[0]).toMatch(/^acme [1-3]$/);
  await redis.hset(keys.ownersRequests(), one, `${span - 3} 1 2 4 8 16 32 64`);
  await sendOwners(redis, [use("acme", "192.0.2.30", 10)]);
  expect(await redis.hget(keys.ownersRequests(), one)).toBe(`${span} 10 0 0 1 2 4 8`);
  await redis.hset(keys.ownersRequests(), one, `${span - 30} 1 2 4 8 16 32 64`);
  expect(await ownersOf("192.0.2.30")).toEqual([["acme 0"]]);
});

it("keeps the latest addresses of a customer that has too many, and no longer knows those from before", async () => {
  const addresses = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => use("mobile", `10.0.${(from + i) >> 8}.${(from + i) & 255}`));
  await sendOwners(redis, [use("acme", "192.0.2.30")]);
  await sendOwners(redis, addresses(0, 400));
  await sendOwners(redis, addresses(400, 800));
  await sendOwners(redis, addresses(800, 1_100));
  const kept = await readAddresses(redis, customer("mobile"));
  expect(kept.addresses.length).toBeLessThanOrEqual(1_024);
  expect(kept.addresses.length).toBeGreaterThan(768);
  expect(kept.addresses.map(({ address }) => address)).toContain("10.0.4.75");
  expect(await ownersOf("192.0.2.30")).toEqual([["acme 1"]]);
  const last = await redis.zscore(keys.ownersSeen(), "4c000021e acme");
  expect((await read("10.0.0.0")).knownSince).toBeGreaterThanOrEqual(Number(last));
  expect(await redis.zcard(keys.ownersSeen())).toBe(await redis.hlen(keys.ownersRequests()));
  expect(await redis.zcard(keys.ownersByAddress())).toBe(await redis.zcard(keys.ownersByCustomer()));
});

it("keeps the latest customers of an address that has too many", async () => {
  const some = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => use(`c${from + i}`, "198.51.100.1"));
  await sendOwners(redis, some(0, 200));
  await sendOwners(redis, some(200, 300));
  const { of } = await read("198.51.100.1");
  expect(of[0]?.isAll).toBe(false);
  expect(await redis.zcard(keys.ownersSeen())).toBeLessThanOrEqual(256);
  expect((await readAddresses(redis, customer("c299"))).addresses).toHaveLength(1);
});

it("forgets what is older than a week, and the oldest beyond its bound", async () => {
  await sendOwners(redis, [use("acme", "192.0.2.30"), use("acme", "192.0.2.31")]);
  await redis.zadd(keys.ownersSeen(), Date.now() - 8 * 86_400_000, "4c000021e acme");
  await sendOwners(redis, []);
  expect(await ownersOf("192.0.2.30", "192.0.2.31")).toEqual([[], ["acme 1"]]);
  const pipeline = redis.pipeline();
  for (let i = 0; i < 32_772; i++) {
    const name = `4${i.toString(16).padStart(8, "0")}`;
    pipeline.zadd(keys.ownersSeen(), Date.now() - 1_000, `${name} crowd`);
  }
  await pipeline.exec();
  await sendOwners(redis, []);
  expect(await redis.zcard(keys.ownersSeen())).toBe(32_768);
  for (const key of await redis.keys("sluice:owners:*"))
    expect(await redis.pttl(key), key).toBeGreaterThan(0);
});

it("learns of a guard's signed-in customers within seconds, also of those that are denied", async () => {
  await server.client.flushall();
  await server.client.set("blocklist:192.0.2.30", "x");
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    await guard.check({ ip: "192.0.2.30", customerId: "acme" });
    await guard.check({ ip: "192.0.2.31" });
    await eventually(async () => {
      const { of, knownSince } = await read("192.0.2.0/24", "192.0.2.31");
      expect(of.map(({ owners }) => owners)).toMatchObject([[{ customer: "acme", requests: 1 }], []]);
      expect(knownSince).toBeDefined();
    }, 10_000);
  } finally {
    await guard.close();
  }
});
