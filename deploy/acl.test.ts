import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealFrom } from "../lib/audit/seal.ts";
import { clearEdge } from "../lib/edge/clear.ts";
import { readLimited } from "../lib/edge/limited.ts";
import { Sweep } from "../lib/edge/sweep.ts";
import { Shelf } from "../lib/edge/vitest.edge.ts";
import { createGuard } from "../lib/guard/guard.ts";
import { eventually } from "../lib/redis/testing.ts";
import { type GuardedRedis, secret, startGuardedRedis, type User } from "./vitest.acl.ts";

let server: GuardedRedis;

beforeAll(async () => {
  server = await startGuardedRedis();
});

afterAll(() => server.stop());

test("the guard's user can do all a guard does, and sees what the console's user writes", async () => {
  const complaints: string[] = [];
  const guard = createGuard({
    redis: server.urlOf("guard"),
    app: "shop",
    log: (line) => complaints.push(line),
  });
  try {
    await guard.ready();
    expect(await server.sluice("block", "add", "203.0.113.9", "--reason", "scans")).toMatchObject({
      exit: 0,
    });
    const outcome = async (ip: string) => (await guard.check({ ip })).outcome;
    await eventually(async () => expect(await outcome("203.0.113.9")).toBe("blocked"));
    expect(await outcome("203.0.113.10")).toBe("pass");
    expect((await guard.explain({ ip: "203.0.113.9" })).steps).not.toEqual([]);
    // The node has said that it lives, and has acknowledged the change.
    const alive = { check: "nodes", status: "ok", says: expect.stringContaining("1") };
    const findings = expect.arrayContaining([expect.objectContaining(alive)]);
    await eventually(async () => expect((await server.sluice("doctor")).said).toMatchObject({ findings }));
    expect(complaints).toEqual([]);
  } finally {
    await guard.close();
  }
});

test("the console's user is refused nothing that doctor looks at", async () => {
  const { said } = await server.sluice("doctor");
  expect(JSON.stringify(said)).not.toMatch(/NOPERM|may not/i);
});

test("the guard's user tells who comes too often, and the console's user sweeps", async () => {
  await server.takeRefusals();
  const complaints: string[] = [];
  const log = (line: string) => complaints.push(line);
  const guard = createGuard({ redis: server.urlOf("guard"), app: "shop", log });
  try {
    await guard.ready();
    const request = { ip: "203.0.113.60", host: "shop.example.org", path: "/foo", method: "GET" };
    await server.as("console", async (redis) => {
      const sweep = new Sweep({ redis, dictionaries: [new Shelf()], log });
      await eventually(async () => {
        expect(await sweep.once()).toBe(true);
        // A guard looks once it has heard that somebody sweeps.
        for (let i = 0; i < 50; i++) await guard.check({ ...request, headers: { "user-agent": "curl/8" } });
        expect(await readLimited(redis)).toMatchObject([{ fingerprint: { ip: request.ip, path: "/foo" } }]);
      });
      const by = { redis, actor: { name: "ada@example.org", via: "console" }, seal: sealFrom(secret) };
      expect((await clearEdge(by, { clients: [request.ip], reason: "" })).cleared).toHaveLength(1);
      await sweep.close();
    });
  } finally {
    await guard.close();
  }
  expect([complaints, await server.takeRefusals()]).toEqual([[], []]);
});

const refusedToGuard = [
  ["SET", "safelist:203.0.113.9", "x"],
  ["DEL", "safelist:203.0.113.9"],
  ["DEL", "blocklist:203.0.113.9"],
  ["PEXPIRE", "blocklist:203.0.113.9", "1"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "blocklist:203.0.113.9"],
  ["GETEX", "blocklist:203.0.113.9", "EX", "1"],
  ["RENAME", "blocklist:203.0.113.9", "blocklist:203.0.113.10"],
  ["HSET", "sluice:live:never-block", "203.0.113.9", "x"],
  ["SET", "sluice:live:policy", "{}"],
  ["DEL", "sluice:live:policy"],
  ["HSET", "sluice:policy:versions", "1", "{}"],
  ["SET", "sluice:live:reset:1042", "x"],
  ["SET", "customer:1042:tier_redis", "enterprise"],
  ["DEL", "customer:1042:tier_redis"],
  ["HSET", "customer:1042:throttle_hash", "60", "1000000"],
  ["PEXPIRE", "customer:1042:throttle_hash", "1"],
  ["EVAL", "return redis.call('SET', KEYS[1], 'enterprise')", "1", "customer:1042:tier_redis"],
  ["EVAL", "return redis.call('SET', KEYS[1], '{}')", "1", "sluice:live:policy"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "safelist:203.0.113.9"],
  ["HDEL", "sluice:bans:pending", "1"],
  ["DEL", "sluice:bans:pending"],
  ["HSET", "sluice:audit:head", "n", "0"],
  ["XRANGE", "sluice:audit", "-", "+"],
  ["GET", "sluice:audit:head"],
  ["GET", "session:1"],
  ["EVAL", "return redis.call('SET', 'safelist:1.2.3.4', 'x')", "0"],
  ["HSET", "sluice:edge:limited", "x", "{}"],
  ["SET", "sluice:edge:switch", "{}"],
  ["EVAL", "return redis.call('HDEL', KEYS[1], 'x')", "1", "sluice:edge:limited"],
  ["SUBSCRIBE", "orders"],
];
const refusedToBoth = [
  ["FLUSHALL"],
  ["KEYS", "*"],
  ["CONFIG", "SET", "dir", "/tmp"],
  ["SHUTDOWN"],
  ["ACL", "LIST"],
  ["SET", "orders", "x"],
];

test.each(refusedToGuard)("the guard's user may not %s %s", (...words) => expectRefusal("guard", words));
test.each(refusedToBoth)("the guard's user may not %s", (...words) => expectRefusal("guard", words));
test.each(refusedToBoth)("the console's user may not %s", (...words) => expectRefusal("console", words));

async function expectRefusal(user: User, [command = "", ...words]: string[]) {
  await expect(server.as(user, (redis) => redis.call(command, ...words))).rejects.toThrow(
    /NOPERM|ACL|permission|user executing the script can/i,
  );
}

test("nobody gets in without a name", async () => {
  const redis = new Redis({
    port: server.port,
    host: "127.0.0.1",
    lazyConnect: true,
    retryStrategy: () => null,
  });
  redis.on("error", () => {});
  await expect(redis.connect().then(() => redis.call("GET", "x"))).rejects.toThrow(/NOAUTH|closed/i);
  redis.disconnect();
});
