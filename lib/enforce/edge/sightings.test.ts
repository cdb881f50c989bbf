import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf } from "../../ip/parse.ts";
import { limitsOf } from "../../manage/edge/decide.ts";
import { EdgeSync } from "../../manage/edge/sync.ts";
import { edgePolicy, FakeDictionary, ip } from "../../manage/edge/vitest.edge.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { Schedule } from "../../redis/schedule.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { Uplink } from "../../redis/uplink.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { countFingerprint } from "../guard/report.ts";
import { verdict } from "../guard/verdict.ts";
import { keyOf } from "../policy/fingerprint.ts";
import { defaultPolicy } from "../policy/stored.ts";
import { FingerprintTally } from "./fingerprint-tally.ts";
import { FingerprintCounter, readOver } from "./sightings.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let server: TestRedis;
let redis: Connection;
const guards: Guard[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
beforeEach(async () => {
  await server.client.flushall();
  await server.client.set(keys.edgeInUse(), "1");
});
// Later they would tell of what another test did.
afterEach(async () => void (await Promise.all(guards.splice(0).map((guard) => guard.close()))));
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function guardOf(app: string): Guard {
  const guard = createGuard({ redis: server.url, app, log: () => {} });
  guards.push(guard);
  return guard;
}

const minutes = async () => {
  const minute = Math.floor(Number((await redis.time())[0]) / 60);
  return [minute - 1, minute];
};
const readAll = async (least = 0) =>
  (await readOver(redis, { minutes: await minutes(), limits: { standard: least, broad: least }, most: 100 }))
    .over;

/**
 * Not near the end of a minute, so that what follows is counted in one. A node goes on to the next minute with what it reports
 * once a second, so some nodes still count for the minute before.
 */
const inOneMinute = () =>
  eventually(async () => {
    const second = Number((await redis.time())[0]) % 60;
    expect(second > 2 && second < 52).toBe(true);
  }, 14_000);

const address = "203.0.113.9";
const asked = { ip: address, method: "GET", host: "Shop.example:8080", path: "/foo?q=1" };

it("counts one client on one path over all nodes, and a known tool on every path, by what an edge would look up", async () => {
  const nodes = ["storefront", "storefront", "other"].map(guardOf);
  await Promise.all(nodes.map((guard) => guard.ready()));
  await inOneMinute();
  for (let i = 0; i < 40; i++)
    for (const guard of nodes) {
      await guard.check({ ...asked, headers: { "user-agent": "curl/8.5.0" } });
      await guard.check({
        ...asked,
        path: `/p${i}`,
        headers: { "User-Agent": "sqlmap/1.7 (https://sqlmap.org)" },
      });
    }
  await eventually(async () => {
    const over = await readAll(100);
    const sent = new Map<string, number>();
    for (const { fingerprint, count } of over)
      sent.set(fingerprint.key, (sent.get(fingerprint.key) ?? 0) + count);
    expect([...sent]).toEqual([
      [keyOf(`shop.example:/foo:GET:${address}:curl/8.5.0`), 120],
      [keyOf(`${address}:sqlmap/1.7 (https://sqlmap.org)`), 120],
    ]);
  }, 4_000);
});

it("counts the target as it was sent, and neither the console, nor safelisted clients, nor customers", async () => {
  await server.client.set("safelist:203.0.113.200", "our own");
  await server.client.set("customer:1042:tier_redis", "free");
  const [guard, own] = [guardOf("storefront"), guardOf("console")];
  await Promise.all([guard?.ready(), own?.ready()]);
  await inOneMinute();
  for (let i = 0; i < 50; i++) {
    await guard?.check({ ...asked, path: "/a/c", target: "/a//b/../c?q=1" });
    await guard?.check({ ...asked, ip: "203.0.113.200" });
    await guard?.check({ ...asked, ip: "203.0.113.201", customerId: "1042" });
    await own?.check(asked);
  }
  await eventually(async () => {
    const over = await readAll(40);
    expect(over.map(({ fingerprint: { path, ip: from } }) => [from, path])).toEqual([
      [address, "/a//b/../c"],
    ]);
  }, 4_000);
});

it.each(["stranger", "no id"])(
  "counts a client that claims to be customer %j, which is unknown",
  async (customerId) => {
    const guard = guardOf("storefront");
    await guard.ready();
    await inOneMinute();
    for (let i = 0; i < 50; i++) await guard.check({ ...asked, customerId });
    await eventually(async () => {
      const over = await readAll(40);
      expect(over.map(({ fingerprint: { ip: from } }) => from)).toEqual([address]);
    }, 4_000);
  },
);

const heapUsed = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

it("counts only as long as an edge is kept in sync", async () => {
  await server.client.del(keys.edgeInUse());
  const guard = guardOf("storefront");
  await guard.ready();
  await inOneMinute();
  const come = async (path: string) => {
    for (let i = 0; i < 50; i++) await guard.check({ ...asked, path });
  };
  await come("/before");
  await new EdgeSync({ redis, dictionaries: [new FakeDictionary()] }).once();
  await eventually(async () => {
    await come("/after");
    expect((await readAll(40)).length).toBeGreaterThan(0);
  }, 8_000);
  expect((await readAll(0)).map(({ fingerprint }) => fingerprint.path)).toEqual(["/after"]);
});

it("leaves out a client that looks like its neighbour, by an agent that looks like the end of an IPv6 address", async () => {
  const guard = guardOf("storefront");
  await guard.ready();
  await inOneMinute();
  for (let i = 0; i < 50; i++) {
    await guard.check({ ...asked, ip: "2001:db8:a:b::1", headers: { "user-agent": "2:Mozilla/5.0" } });
    await guard.check({ ...asked, ip: "2001:db8:a:b::1", headers: { "user-agent": "Mozilla/5.0" } });
  }
  await eventually(async () => {
    const over = await readAll(40);
    expect(over.map(({ fingerprint: { userAgent } }) => userAgent)).toEqual(["Mozilla/5.0"]);
  }, 4_000);
});

it("does not grow with the number of clients, nor with how long what they make up is", () => {
  const tally = new FingerprintTally();
  const before = heapUsed();
  for (let i = 0; i < 300_000; i++)
    tally.note(
      {
        ...{ host: "shop.example", method: "GET", ip: ip("203.0.113.9"), userAgent: `agent ${i}` },
        path: `/${i}/${"x".repeat(i % 100 === 0 ? 8_000 : 20)}`,
      },
      i % 3 === 0,
    );
  expect(heapUsed() - before).toBeLessThan(24e6);
  expect(tally.take("standard", 1, 100_000).length).toBeLessThanOrEqual(8_192);
  expect(tally.take("broad", 1, 100_000).length).toBeLessThanOrEqual(1_024);
});

it.each([
  ["query", (i: number, long: string) => ({ path: `/some/ordinary/path/${i}?${long}` })],
  ["path", (i: number, long: string) => ({ path: `/${i}/${long}` })],
  ["host", (i: number, long: string) => ({ host: `host-of-nobody-${i}:${long}` })],
  ["host without end", (i: number, long: string) => ({ host: `${i}.${long}` })],
  ["agent", (i: number, long: string) => ({ headers: { "user-agent": `agent ${i} ${long}` } })],
])("keeps and tells little of a long %s", async (_, requestOf) => {
  const fingerprints = new FingerprintCounter(new Uplink(redis, new Schedule()), {
    ...edgePolicy,
    standardPerMinute: 1,
  });
  fingerprints.switch(true);
  const client = new ClientAddress(blockOf(ip(address)));
  // Each of its own, as a server reads them.
  const long = () => Buffer.alloc(15_000, "x").toString("latin1");
  const before = heapUsed();
  for (let i = 0; i < 4_000; i++)
    countFingerprint(fingerprints, {
      request: { ip: address, ...requestOf(i, long()) },
      client,
      caller: undefined,
      verdict: verdict.pass(),
    });
  expect(heapUsed() - before).toBeLessThan(12e6);
  await eventually(async () => {
    await fingerprints.send();
    expect((await readAll()).length).toBeGreaterThan(0);
  });
  for (const { fingerprint } of await readAll())
    expect(JSON.stringify(fingerprint).length).toBeLessThan(1_000);
});

it("tells of each hit once, and only of who may be over the limit", () => {
  const tally = new FingerprintTally();
  const sighted = { host: "shop.example", path: "/foo", method: "GET", ip: ip(address), userAgent: "" };
  const hit = (times: number) => {
    for (let i = 0; i < times; i++) tally.note(sighted, false);
  };
  hit(9);
  expect(tally.take("standard", 10, 5)).toEqual([]);
  hit(1);
  expect(tally.take("standard", 10, 5)).toMatchObject([{ more: 10 }]);
  expect(tally.take("standard", 10, 5)).toEqual([]);
  hit(3);
  expect(tally.take("standard", 10, 5)).toMatchObject([{ more: 3 }]);
  tally.clear();
  hit(9);
  expect(tally.take("standard", 10, 5)).toEqual([]);
});

it("has limits of its own for each kind", () => {
  expect(limitsOf(edgePolicy)).toEqual({ standard: 120, broad: 300 });
  expect(defaultPolicy.edge.tools).toContain("sqlmap");
});
