import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Difference, sendBeside } from "@/lib/enforce/beside/differences.ts";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { readPolicy } from "@/lib/enforce/policy/versions.ts";
import { type Ip, parseIp } from "@/lib/ip/parse.ts";
import { verifyChain } from "@/lib/manage/audit/chain.ts";
import { sealFrom } from "@/lib/manage/audit/seal.ts";
import { sealPending } from "@/lib/manage/bans/seal-pending.ts";
import { clearEdge } from "@/lib/manage/edge/clear.ts";
import { readLimited } from "@/lib/manage/edge/limited.ts";
import { EdgeSync } from "@/lib/manage/edge/sync.ts";
import { FakeDictionary } from "@/lib/manage/edge/vitest.edge.ts";
import { importEntries } from "@/lib/manage/lists/import.ts";
import { setPolicy } from "@/lib/manage/policy/set.ts";
import { SignInLimits } from "@/lib/manage/users/sign-in-limits.ts";
import { readOwners } from "@/lib/observe/customers/owners.ts";
import { eventually } from "@/lib/redis/testing.ts";
import { type GuardedRedis, secret, startGuardedRedis, type User, withoutLateAnswers } from "./vitest.acl.ts";

let server: GuardedRedis;

beforeAll(async () => {
  server = await startGuardedRedis();
});

afterAll(() => server.stop());

test("the guard's user can do all a guard does, and sees what the console's user writes", async () => {
  // A walk over all keys must not touch what this user may not read.
  for (const key of ["sluice:link:x", "sluice:sign-in-failures:60:address:203.0.113.9", "sluice:session:x"])
    await server.as("console", (redis) => redis.set(key, "x"));
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
    await guard.check({ ip: "203.0.113.10", customerId: "acme" });
    await server.as("console", (redis) =>
      eventually(async () => {
        const { of, knownSince } = await readOwners(redis, [ip("203.0.113.10")]);
        expect(of[0]?.owners).toMatchObject([{ customer: "acme" }]);
        expect(knownSince).toBeDefined();
      }, 10_000),
    );
    expect((await guard.explain({ ip: "203.0.113.9" })).steps).not.toEqual([]);
    // The node has said that it lives, and has acknowledged the change.
    const alive = { check: "nodes", status: "ok", says: expect.stringContaining("1") };
    const findings = expect.arrayContaining([expect.objectContaining(alive)]);
    await eventually(async () => expect((await server.sluice("doctor")).said).toMatchObject({ findings }));
    expect(withoutLateAnswers(complaints)).toEqual([]);
  } finally {
    await guard.close();
  }
});

test("the console's user is refused nothing that doctor looks at", async () => {
  const { said } = await server.sluice("doctor");
  expect(JSON.stringify(said)).not.toMatch(/NOPERM|may not|user is not allowed/i);
});

test("the guard's user reports what differs from a limiter beside it, and the console's user reads it", async () => {
  const difference: Difference = {
    ...{ at: Date.now(), app: "shop", method: "GET", path: "/", deniedBy: "old", reason: "no-rule" },
    ...{ says: "No rule of Sluice counts this request.", old: { isDenied: true }, levels: [] },
  };
  const report = { counts: new Map([["old no-rule ", 1]]), examples: [difference] };
  await server.as("guard", (redis) => sendBeside(redis, "shop", report, Date.now()));
  const { said } = await server.sluice("beside", "report");
  expect(said).toMatchObject({ apps: [{ app: "shop", different: 1, examples: [difference] }] });
});

test("the guard's user reports fingerprints over the limit, and the console's user syncs the edge", async () => {
  await server.takeRefusals();
  const complaints: string[] = [];
  const log = (line: string) => complaints.push(line);
  const guard = createGuard({ redis: server.urlOf("guard"), app: "shop", log });
  try {
    await guard.ready();
    const request = { ip: "203.0.113.60", host: "shop.example.org", path: "/foo", method: "GET" };
    await server.as("console", async (redis) => {
      const sweep = new EdgeSync({ redis, dictionaries: [new FakeDictionary()], log });
      await eventually(async () => {
        expect(await sweep.once()).toBe(true);
        // A guard counts fingerprints once a process syncs an edge.
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
  expect([withoutLateAnswers(complaints), await server.takeRefusals()]).toEqual([[], []]);
});

test("the guard's user bans, other nodes follow at once, and a console makes it an entry that the user cannot touch", async () => {
  await server.takeRefusals();
  const complaints: string[] = [];
  const log = (line: string) => complaints.push(line);
  const [shop, other] = ["shop", "other"].map((app) =>
    createGuard({ redis: server.urlOf("guard"), app, log }),
  );
  await server.as("console", async (redis) => {
    const wide = { limit: 1, periodSeconds: 60 };
    const ban = { after: 2, withinSeconds: 60, forSeconds: 600, capSeconds: 600 };
    const rule = { name: "all", client: "ip", algorithm: "rolling-list", levels: [wide], ban };
    const by = { redis, actor: { name: "ada@example.org", via: "console" }, seal: sealFrom(secret) };
    await setPolicy(by, { basedOn: 0, policy: { mode: "enforce", tiers: {}, rules: [rule] }, reason: "" });
    await Promise.all([shop?.ready(), other?.ready()]);
    const client = { ip: "203.0.113.90" };
    await eventually(async () => {
      await shop?.check(client);
      expect(await other?.check(client)).toMatchObject({ outcome: "blocked" });
    });
    expect(await redis.pttl("sluice:live:ban:203.0.113.90")).toBeGreaterThan(500_000);
    expect(await redis.exists("blocklist:203.0.113.90", "sluice:live:change")).toBe(1);
    const done = await sealPending({ ...by, protectedRanges: [] });
    expect(done).toMatchObject({ sealed: 1, left: 0, discarded: { count: 0 } });
    expect(await redis.pttl("blocklist:203.0.113.90")).toBeGreaterThan(500_000);
    await expectRefusal("guard", ["SET", "blocklist:203.0.113.90", "x", "PX", "1"]);
    expect(await shop?.check(client)).toMatchObject({ outcome: "blocked" });
    expect((await verifyChain(redis, by.seal)).problems).toEqual([]);
  });
  await Promise.all([shop?.close(), other?.close()]);
  expect(withoutLateAnswers(complaints)).toEqual([]);
});

test("a ban of an earlier node, which writes the entry itself, is refused half-way and made an entry by a console", async () => {
  const [address, at, expiresAt] = ["203.0.113.92", new Date().toISOString(), Date.now() + 600_000];
  const record = JSON.stringify({ address, rule: "all", reason: "", at, expiresAt });
  const script = "redis.call('HSETNX', KEYS[2], 1000, ARGV[1]) redis.call('SET', KEYS[1], 'x')";
  const keys = [`blocklist:${address}`, "sluice:bans:pending", "sluice:live:change", "sluice:change:"];
  await expectRefusal("guard", ["EVAL", script, String(keys.length), ...keys, record]);
  await server.as("console", async (redis) => {
    const by = { redis, seal: sealFrom(secret), protectedRanges: [] };
    expect(await sealPending(by)).toMatchObject({ sealed: 1, left: 0 });
    expect(await redis.get(`blocklist:${address}`)).toContain("auto:all");
    expect((await verifyChain(redis, by.seal)).problems).toEqual([]);
  });
});

test("the guard's user can neither reset nor fill the counts of failed sign-ins, and learns no user's name from them", async () => {
  await server.as("console", async (redis) => {
    const limits = new SignInLimits(redis);
    const who = { address: ip("203.0.113.9"), account: "ada@example.org" };
    const names = () => server.as("inspector", (all) => all.keys("*"));
    const before = new Set(await names());
    for (let i = 0; i < 3; i++) await limits.attempt(who, async () => undefined);
    const made = (await names()).filter((key) => !before.has(key));
    expect(made.length).toBeGreaterThan(6);
    for (const key of made) {
      expect(key).not.toMatch(/203\.0\.113|ada/);
      await expectRefusal("guard", ["DEL", key]);
      await expectRefusal("guard", ["SET", key, "x"]);
      await expectRefusal("guard", ["EVAL", "return redis.call('DEL', KEYS[1])", "1", key]);
    }
    expect(await limits.attempts(who)).toMatchObject({ left: 2 });
  });
});

test("the guard's user can neither read nor touch the entries of a record that has them in parts", async () => {
  const text = Array.from({ length: 600 }, (_, i) => `10.2.${i >> 8}.${i & 255}`).join("\n");
  await server.as("console", async (redis) => {
    const by = { redis, actor: { name: "ada@example.org", via: "console" }, seal: sealFrom(secret) };
    const imported = await importEntries(
      { ...by, protectedRanges: [] },
      { list: "blocklist", text, reason: "" },
    );
    expect(imported.record).not.toBeNull();
    const parts = await server.as("inspector", (all) => all.keys("sluice:audit:*"));
    expect(parts.filter((key) => key.includes(":part:"))).toHaveLength(2);
    for (const key of parts) {
      await expectRefusal("guard", ["DEL", key]);
      await expectRefusal("guard", ["EVAL", "return redis.call('DEL', KEYS[1])", "1", key]);
      await expectRefusal("guard", ["XADD", key, "*", "record", "x"]);
      await expectRefusal("guard", ["XRANGE", key, "-", "+"]);
      await expectRefusal("guard", ["HSET", key, "n", "0"]);
    }
    expect((await verifyChain(redis, by.seal)).problems).toEqual([]);
  });
});

test("what the guard's user leaves among the pending bans cannot disturb the audit chain", async () => {
  const forged = {
    address: "203.0.113.91",
    rule: "x",
    reason: "y",
    at: new Date().toISOString(),
    expiresAt: 1,
  };
  await server.as("guard", (redis) =>
    redis.hsetnx("sluice:bans:pending", "999999999999999", JSON.stringify(forged)),
  );
  await server.as("console", async (redis) => {
    const by = { redis, seal: sealFrom(secret), protectedRanges: [] };
    expect(await sealPending(by)).toMatchObject({ sealed: 0, left: 0, discarded: { count: 1 } });
    expect((await verifyChain(redis, by.seal)).problems).toEqual([]);
  });
});

test("the guard's user scans for all nodes that poll, and gives the scan back", async () => {
  await server.takeRefusals();
  await server.as("inspector", (redis) => redis.call("ACL", "SETUSER", "guard", "-client|tracking"));
  const complaints: string[] = [];
  const log = (line: string) => complaints.push(line);
  const guard = createGuard({ redis: server.urlOf("guard"), app: "shop", log });
  try {
    await guard.ready();
    await server.as("inspector", async (redis) => {
      expect(await redis.pttl("sluice:lease:scan")).toBeGreaterThan(0);
      await server.as("console", (by) => by.set("blocklist:203.0.113.77", "x"));
      await eventually(
        async () => expect(await guard.check({ ip: "203.0.113.77" })).toMatchObject({ outcome: "blocked" }),
        30_000,
      );
      const announced = await redis.xrevrange("sluice:changes", "+", "-", "COUNT", 10);
      expect(JSON.stringify(announced)).toContain("blocklist:203.0.113.77");
    });
    const refusals = await server.takeRefusals();
    expect(JSON.stringify(refusals)).not.toMatch(/sluice:(lease|changes|nodes)/);
  } finally {
    await guard.close();
    await server.as("inspector", async (redis) => {
      expect(await redis.exists("sluice:lease:scan")).toBe(0);
      await redis.call("ACL", "SETUSER", "guard", "+client|tracking");
    });
  }
  expect(withoutLateAnswers(complaints)).toEqual([
    expect.stringContaining("Client tracking is not available"),
  ]);
}, 40_000);

const refusedToGuard = [
  ["SET", "sluice:lease:edge", "x"],
  ["SET", "safelist:203.0.113.9", "x"],
  ["DEL", "safelist:203.0.113.9"],
  ["DEL", "blocklist:203.0.113.9"],
  ["PEXPIRE", "blocklist:203.0.113.9", "1"],
  ["SET", "blocklist:203.0.113.9", "x", "PX", "1"],
  ["SET", "blocklist:198.51.0.0/16", "x"],
  ["EVAL", "return redis.call('SET', KEYS[1], 'x', 'PX', 1)", "1", "blocklist:203.0.113.9"],
  ["SET", "sluice:live:change", "5000"],
  ["INCR", "sluice:live:change"],
  ["EVAL", "return redis.call('SET', KEYS[1], '999999999999999')", "1", "sluice:live:change"],
  ["DEL", "sluice:live:change"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "blocklist:203.0.113.9"],
  ["GETEX", "blocklist:203.0.113.9", "EX", "1"],
  ["RENAME", "blocklist:203.0.113.9", "blocklist:203.0.113.10"],
  ["HSET", "sluice:live:never-block", "203.0.113.9", "x"],
  ["SET", "sluice:live:policy", "{}"],
  ["DEL", "sluice:live:policy"],
  ["HSET", "sluice:policy:versions", "1", "{}"],
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
  ["HSET", "sluice:bans:pending", "203.0.113.9@1", "{}"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "sluice:bans:pending"],
  ["DEL", "sluice:audit"],
  ["XADD", "sluice:audit", "*", "record", "{}"],
  ["DEL", "sluice:audit:head"],
  ["EXISTS", "sluice:sign-in-failures:60:address:203.0.113.9"],
  ["DEL", "sluice:sign-in-failures:60:address:203.0.113.9"],
  ["SET", "sluice:sign-in-failures:60:address:203.0.113.9", "x"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "sluice:sign-in-failures:60:address:203.0.113.9"],
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

function ip(text: string): Ip {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

async function expectRefusal(user: User, [command = "", ...words]: string[]) {
  await expect(server.as(user, (redis) => redis.call(command, ...words))).rejects.toThrow(
    /NOPERM|ACL|permission|user executing the script can/i,
  );
}

test("no client gets in without a user name", async () => {
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

test("the guard's user reports the clients of its rules, and those that a rule in shadow would have denied", async () => {
  await server.takeRefusals();
  const guard = createGuard({ redis: server.urlOf("guard"), app: "shop", log: () => {} });
  try {
    await guard.ready();
    await server.as("console", async (redis) => {
      const by = { redis, actor: { name: "ada@example.org", via: "console" }, seal: sealFrom(secret) };
      const facts = { name: "login", client: "ip", algorithm: "fixed", mode: "shadow" };
      const rule = { ...facts, match: { only: ["/login"] }, levels: [{ limit: 1, periodSeconds: 10 }] };
      const { version } = await readPolicy(redis);
      await setPolicy(by, {
        policy: { mode: "enforce", rules: [rule], tiers: {} },
        basedOn: version,
        reason: "",
      });
    });
    await server.as("inspector", (redis) =>
      eventually(async () => {
        for (let i = 0; i < 9; i++) await guard.check({ ip: "203.0.113.61", path: "/login" });
        await redis.set("blocklist:203.0.113.62", "x");
        await guard.check({ ip: "203.0.113.62", path: "/login" });
        for (const kind of ["scope:10", "scope:60", "scopes", "shadow", "entries:300", "entries:3600"])
          expect(await redis.keys(`sluice:hitters:${kind}:*`)).not.toEqual([]);
      }),
    );
    expect(await server.takeRefusals()).toEqual([]);
  } finally {
    await guard.close();
  }
});
