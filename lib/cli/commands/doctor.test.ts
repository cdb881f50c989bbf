import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { policyText } from "../../enforce/bans/vitest.bans.ts";
import { createGuard } from "../../enforce/guard/guard.ts";
import { heartbeat } from "../../enforce/stats/membership.ts";
import { judgeLead } from "../../observe/doctor/check-clock.ts";
import { judgeServer } from "../../observe/doctor/check-server-version.ts";
import type { Finding } from "../../observe/doctor/check-up.ts";
import { listNodes } from "../../observe/stats/nodes.ts";
import { connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis("--appendonly", "yes");
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
  await server.client.config("SET", "maxmemory-policy", "noeviction");
});

const sluice = (argv: string[], around = {}) => run(argv, { redisUrl: server.url, ...around });

async function examine(around = {}) {
  const { exit, stdout } = await sluice(["doctor", "--json"], around);
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(stdout);
  const all = (check: string) => findings.filter((finding) => finding.check === check);
  return { exit, ok, findings, of: (check: string) => all(check)[0], all };
}

describe("doctor", () => {
  it("finds no problem in a sound installation", async () => {
    await sluice(["block", "add", "203.0.113.9"]);
    const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
    await guard.ready();
    await eventually(async () => expect(await listNodes(server.client)).toHaveLength(1));
    const { exit, ok, findings, of } = await examine();
    await guard.close();
    // Versions of Redis and of Node are those of this machine, and one Redis for lists and counters is a note.
    const noted = findings.filter(
      ({ check, status, says }) =>
        status !== "ok" && check !== "version" && !says.includes("version of Node"),
    );
    expect(noted).toMatchObject([{ check: "counters", status: "note" }]);
    expect({ exit, ok }).toEqual({ exit: 0, ok: true });
    expect(of("nodes")?.details?.[0]).toContain("app shop, version");
    expect(of("tracking")?.says).toMatch(/announced a write within \d+ ms/);
    expect(of("audit")?.says).toContain("1 record");
  });

  it("counts accounts under attack, and finds a proxy that is not named", async () => {
    const signedIn = (address: string | null) =>
      JSON.stringify({ at: new Date().toISOString(), by: "password", address });
    const user = JSON.stringify({ role: "admin", version: 1, since: "2026-01-01T00:00:00.000Z", by: "cli" });
    await server.client.hset("sluice:users", "ada@example.org", user);
    expect((await examine()).of("sign-ins")).toMatchObject({ status: "ok" });
    const digest = createHash("sha256").update("ada@example.org").digest("hex").slice(0, 32);
    const key = `sluice:sign-in-failures:3600:everywhere:${digest}`;
    await server.client.set(key, `50 ${Date.now() + 60_000}`);
    expect((await examine()).of("sign-ins")).toMatchObject({
      status: "note",
      says: expect.stringContaining("1 account failed to sign in more than 50 times within an hour"),
    });
    expect(JSON.stringify((await examine()).findings)).not.toContain("ada@");
    await server.client.del(key);
    const saysOf = async (...addresses: (string | null)[]) => {
      await server.client.del("sluice:sign-ins");
      for (const [i, address] of addresses.entries())
        await server.client.hset("sluice:sign-ins", `${i}@example.org`, signedIn(address));
      return (await examine()).of("sign-ins")?.says.split(" If ")[0];
    };
    const from = (what: string) => `All sign-ins of the last 30 days come from ${what}.`;
    expect(await saysOf("172.18.0.1")).toBe(from("one private address, 172.18.0.1"));
    expect(await saysOf(null, null)).toBe(from("an unknown address"));
    expect(await saysOf("127.0.0.1", "127.0.0.1")).toBe(from("one private address, 127.0.0.1"));
    expect(await saysOf("127.0.0.1")).toContain("No account is slowed down");
    expect(await saysOf("172.18.0.1", "203.0.113.9")).toContain("No account is slowed down");
    expect(await saysOf("203.0.113.9", "203.0.113.9")).toContain("No account is slowed down");
    const through = { ...JSON.parse(signedIn("203.0.113.9")), isForwarded: true };
    await server.client.hset("sluice:sign-ins", "0@example.org", JSON.stringify(through));
    expect((await examine()).of("sign-ins")).toMatchObject({
      status: "note",
      says: expect.stringContaining("1 address of sign-ins in the last 30 days forwarded for other clients."),
      details: ["203.0.113.9"],
    });
  });

  it("prints the same for people, and what to do", async () => {
    await server.client.set("blocklist:0.0.0.0/0", "x");
    const { exit, stdout } = await sluice(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^PROBLEM {2}entries .*1 key in Redis is not enforced\. Remove/m);
    expect(stdout).toContain("- blocklist:0.0.0.0/0: it is wider than /16");
    expect(stdout).toContain("note     nodes");
    expect(stdout).toMatch(/1 problem and [23] notes\.\n$/);
  });

  it("flags misspelled entries, and notes entries that the safelist overrules", async () => {
    await server.client.mset(
      "blocklist:1.2.3.4/24",
      "x",
      "blocklist:\u001b[2J",
      "x",
      "blocklist:9.9.9.9",
      "x",
    );
    await server.client.set("safelist:9.9.9.0/24", "x");
    const [notEnforced, overruled] = (await examine()).all("entries");
    expect(notEnforced).toMatchObject({
      status: "problem",
      details: [expect.any(String), expect.any(String)],
    });
    expect(overruled?.status).toBe("note");
    expect(overruled?.details?.[0]).toContain("blocklist:9.9.9.9: safelist:9.9.9.0/24 overrules it");
    expect((await sluice(["doctor"])).stdout).toContain("blocklist:<U+001B>[2J");
  });

  it("notes rules that store values of headers, and the nodes that prevent digests", async () => {
    const node = { id: "old@host:1-abc", app: "shop", version: "0.1.0", host: "host" };
    const numbers = { startedAt: 0, change: 1_000, replicaAgeMs: 0, safelisted: 0, blocklisted: 0 };
    const control = connectControl(server.url, "patiently");
    await heartbeat(control, { ...node, ...numbers, unknownClients: 0 });
    control.disconnect();
    const levels = [{ limit: 1, periodSeconds: 60 }];
    const rule = { name: "key", client: { header: "x-api-key" }, algorithm: "first-hit", levels };
    const stdin = JSON.stringify({ mode: "enforce", rules: [rule], tiers: {} });
    const set = () => sluice(["policy", "set", "-", "--reason", "x"], { stdin });
    await set();
    const shown = (await examine()).all("policy").find(({ status }) => status === "note");
    expect(shown?.says).toMatch(
      /shown as they are: key\. Upgrade old@host:1-abc\. Then save the policy again\./,
    );
    await server.client.zrem("sluice:nodes", node.id);
    await set();
    expect((await examine()).all("policy")).toMatchObject([{ status: "ok" }]);
  });

  it("warns of nodes of an earlier version, which do not enforce suspensions", async () => {
    await sluice(["customer", "suspend", "acme"]);
    expect((await examine()).of("customers")).toMatchObject({
      ...{ status: "ok", says: "1 customer, 1 of them suspended, all enforced." },
    });
    await server.client.zadd(keys.nodes(), Date.now(), "old");
    await server.client.hset(keys.node("old"), "id", "old", "policyFormat", 3);
    expect((await examine()).of("customers")).toMatchObject({
      status: "problem",
      says: "1 customer suspended, but 1 node of an earlier version does not enforce it: old. Upgrade these nodes.",
    });
  });

  it("notes nodes of an earlier version, which leave out rules that are settled", async () => {
    const login = {
      name: "login",
      client: "ip",
      algorithm: "fixed",
      levels: [{ limit: 5, periodSeconds: 60 }],
    };
    const rules = [{ ...login, countWhen: "failed" }];
    const stdin = JSON.stringify({ mode: "enforce", rules, tiers: {} });
    await sluice(["policy", "set", "-", "--reason", "x"], { stdin });
    expect((await examine()).all("policy")).toMatchObject([{ status: "ok" }]);
    await server.client.zadd(keys.nodes(), Date.now(), "old");
    await server.client.hset(keys.node("old"), "id", "old", "policyFormat", 2);
    expect((await examine()).all("policy")).toContainEqual(
      expect.objectContaining({
        status: "note",
        says: expect.stringContaining("Not enforced by 1 node of an earlier version: login (old)."),
      }),
    );
  });

  it("notes request rules that nodes of an earlier version leave out, and that match feeds which do not exist", async () => {
    const requestRules = [{ name: "tor", action: "deny", match: { feeds: ["tor-exits"] } }];
    const stdin = JSON.stringify({ mode: "enforce", rules: [], tiers: {}, requestRules });
    await sluice(["policy", "set", "-", "--reason", "x"], { stdin });
    await server.client.zadd(keys.nodes(), Date.now(), "old");
    await server.client.hset(keys.node("old"), "id", "old", "policyFormat", 7);
    const notes = (await examine()).all("policy").filter(({ status }) => status === "note");
    expect(notes.map(({ says }) => says)).toEqual([
      expect.stringContaining("Not enforced by 1 node of an earlier version: tor (old)."),
      expect.stringContaining("Rule tor matches feeds that do not exist: tor-exits."),
    ]);
  });

  it("notes a mode that denies no client, and warns of a policy that cannot be read", async () => {
    expect((await examine()).of("policy")).toMatchObject({
      status: "ok",
      says: "The policy in force is that of a fresh install: 4 rules, 1 of them in shadow or off.",
    });
    await sluice(["mode", "off"]);
    const { exit, of } = await examine();
    expect(exit).toBe(0);
    expect(of("policy")).toMatchObject({ status: "note", says: expect.stringContaining("The mode is off") });
    await server.client.set("sluice:live:policy", '{"version":9,"policy":{"mode":"maybe"}}');
    const spoiled = await examine();
    expect(spoiled.exit).toBe(1);
    expect(spoiled.of("policy")?.says).toMatch(
      /^sluice:live:policy in Redis is not enforced: mode: write one of .* sluice policy rollback 1/,
    );
    await sluice(["policy", "rollback", "1"]);
    expect((await examine()).of("policy")?.status).toBe("note");
  });

  it("flags customers with something that is not enforced, and shows the first hundred", async () => {
    await server.client.set("customer:acme:tier_redis", "pro");
    expect((await examine()).of("customers")).toMatchObject({
      status: "ok",
      says: "1 customer, all enforced.",
    });
    const batch = server.client.pipeline();
    for (let i = 0; i < 120; i++) batch.set(`customer:c${i}:tier_redis`, "gold");
    await batch.hset("customer:junk:throttle_hash", "60", "\u001b[2J").exec();
    const { exit, of } = await examine();
    expect(exit).toBe(1);
    expect(of("customers")).toMatchObject({
      status: "problem",
      says: expect.stringMatching(/^121 of 122 customers have .* The first 100 are shown\./),
    });
    // Redis gives customers in no order.
    const details = of("customers")?.details ?? [];
    expect(details).toHaveLength(100);
    expect(details.filter((line) => line.includes(": the policy has no tier gold")).length).toBeGreaterThan(
      98,
    );
  });

  it("finds an audit record that was removed, altered or inserted", async () => {
    for (const ip of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) await sluice(["block", "add", ip]);
    const records = await server.client.xrange("sluice:audit", "-", "+");
    const rewrite = async (change: (fields: string[], id: string) => string[] | undefined) => {
      await server.client.del("sluice:audit");
      for (const [id, fields] of records) {
        const changed = change([...fields], id);
        if (changed) await server.client.xadd("sluice:audit", id, ...changed);
      }
    };
    expect((await examine()).of("audit")?.status).toBe("ok");
    await rewrite((fields, id) => (id === "2-0" ? undefined : fields));
    expect((await examine()).of("audit")).toMatchObject({
      status: "problem",
      details: ["Record 2 is missing."],
    });
    await rewrite((fields, id) =>
      fields.map((text) => (id === "2-0" ? text.replace("203.0.113.2", "8.8.8.8") : text)),
    );
    expect((await examine()).of("audit")?.details?.[0]).toContain("Record 2 was altered");
    await rewrite((fields) => fields);
    await server.client.xadd("sluice:audit", "3-5", ...(records[0]?.[1] ?? []));
    expect((await examine()).of("audit")?.details?.[0]).toContain("3-5 was put in");
  });

  it("notes bans without an audit record, which the next change writes first", async () => {
    const ban = { address: "203.0.113.9", rule: "req/ip/1", reason: "10 denials" };
    const wanted = JSON.stringify({ ...ban, at: "2026-01-01T00:00:00.000Z", expiresAt: 2e12 });
    await server.client.set("sluice:live:policy", policyText({ "req/ip/1": 315_360_000 }));
    await server.client.hset("sluice:bans:pending", "1", wanted);
    await server.client.set("sluice:live:change", "1");
    const [log, waiting] = (await examine()).all("audit");
    expect(log?.status).toBe("ok");
    expect(waiting).toMatchObject({
      status: "note",
      says: expect.stringMatching(/^1 ban has no audit record yet\./),
    });
    await sluice(["block", "add", "203.0.113.1"]);
    expect((await examine()).all("audit")).toMatchObject([{ says: "The audit log is intact: 2 records." }]);
    const [first] = await server.client.xrange("sluice:audit", "-", "+");
    expect(first?.[1][1]).toContain('"auto:req/ip/1"');
  });

  it("reports that the audit log cannot be verified without the secret", async () => {
    const { exit, of } = await examine({ environment: { secret: undefined } });
    expect(of("audit")).toMatchObject({ status: "note", says: expect.stringContaining("NEXTAUTH_SECRET") });
    expect(exit).toBe(0);
  });

  it("warns of a server that drops entries, or loses them in a restart", async () => {
    await server.client.config("SET", "maxmemory-policy", "allkeys-lru");
    expect((await examine()).of("eviction")).toMatchObject({
      status: "problem",
      says: expect.stringContaining("CONFIG SET maxmemory-policy noeviction"),
    });
    const forgetful = await startRedis();
    const { exit, of } = await examine({ redisUrl: forgetful.url });
    await forgetful.client.config("SET", "save", "3600 1");
    const { of: later } = await examine({ redisUrl: forgetful.url });
    await forgetful.stop();
    expect(exit).toBe(1);
    expect(of("persistence")).toMatchObject({
      status: "problem",
      says: expect.stringContaining("appendonly yes"),
    });
    expect(later("persistence")).toMatchObject({
      status: "ok",
      says: expect.stringContaining("save 3600 1"),
    });
  });

  it("names a node that lags, and one with a stale copy", async () => {
    await sluice(["block", "add", "203.0.113.9"]);
    const node = {
      app: "shop",
      version: "0",
      host: "there",
      startedAt: 0,
      safelisted: 0,
      blocklisted: 0,
      unknownClients: 0,
    };
    await heartbeat(server.client, { ...node, id: "late", change: 0, replicaAgeMs: 10 });
    await heartbeat(server.client, { ...node, id: "deaf", change: 1, replicaAgeMs: 60_000 });
    await heartbeat(server.client, { ...node, id: "well", change: 1, replicaAgeMs: 900 });
    const found = (await examine()).of("nodes");
    expect(found).toMatchObject({ status: "problem", details: [{}, {}, {}].map(() => expect.any(String)) });
    expect(found?.says).toMatch(/^Behind: (late, deaf|deaf, late)\./);
  });

  it("reports counters on another server that do not answer", async () => {
    const { exit, of } = await examine({ environment: { countersRedisUrl: "redis://:hush@127.0.0.1:1" } });
    expect(exit).toBe(1);
    expect(of("counters")).toMatchObject({
      status: "problem",
      says: expect.stringContaining("127.0.0.1:1 do not"),
    });
    expect(of("counters")?.says).not.toContain("hush");
  });

  it("explains the effect of counters in the Redis of the lists", async () => {
    expect((await examine()).of("counters")).toMatchObject({
      status: "note",
      says: expect.stringMatching(/refuses list changes, bans and sign-ins.*COUNTERS_REDIS_URL/),
    });
  });

  it("checks the memory of counters on another server", async () => {
    const counters = await startRedis();
    const judge = async () =>
      (await examine({ environment: { countersRedisUrl: counters.url } })).of("counters");
    expect(await judge()).toMatchObject({
      status: "note",
      says: expect.stringContaining("without a memory limit"),
    });
    await counters.client.config("SET", "maxmemory", "50mb");
    expect(await judge()).toMatchObject({ status: "note", says: expect.stringContaining("noeviction") });
    await counters.client.config("SET", "maxmemory-policy", "allkeys-lru");
    expect(await judge()).toMatchObject({ status: "ok", says: expect.stringContaining("allkeys-lru") });
    await counters.stop();
  });

  it("notes checks that the Redis user is not allowed to run", async () => {
    const grants = ["+@all", "-config", "-xrange", "-client|tracking", "-info"];
    await server.client.call("ACL", "SETUSER", "watcher", "on", ">pw", "~*", "&*", ...grants);
    const { exit, findings, of } = await examine({ redisUrl: server.url.replace("//", "//watcher:pw@") });
    expect(exit).toBe(0);
    for (const check of ["version", "eviction", "persistence", "tracking", "audit"]) {
      expect(of(check)).toMatchObject({
        status: "note",
        says: expect.stringMatching(/user is not allowed|refuses client tracking/),
      });
    }
    expect(findings).toHaveLength(18);
  });

  it("names how nodes follow changes without client tracking, and the effect", async () => {
    const rights = ["on", ">pw", "~*", "&*", "+@all", "-client|tracking"];
    await server.client.call("ACL", "SETUSER", "polling", ...rights);
    const redisUrl = server.url.replace("//", "//polling:pw@");
    const guard = createGuard({ redis: redisUrl, app: "shop", log: () => {} });
    await guard.ready();
    try {
      await eventually(async () => expect(await listNodes(server.client)).toHaveLength(1));
      const polled = await examine({ redisUrl });
      expect(polled.of("tracking")).toMatchObject({
        status: "note",
        says: expect.stringMatching(
          /refuses client tracking .* other programs within 30 s, .*notify-keyspace-events/,
        ),
      });
      const [inSync, following] = polled.all("nodes");
      expect(inSync?.details?.[0]).toContain("follows by polling");
      expect(following).toMatchObject({
        status: "note",
        says: expect.stringMatching(
          /^1 node without client tracking \(NOPERM .*writes by redis-cli .* within \d+ s\. With .*notify-keyspace-events/,
        ),
      });
      await server.client.config("SET", "notify-keyspace-events", "Kg$hx");
      const notified = (await examine({ redisUrl })).of("tracking");
      expect(notified).toMatchObject({
        status: "note",
        says: expect.stringContaining("within 0.25 s, through"),
      });
      expect(notified?.says).not.toContain("notify-keyspace-events");
    } finally {
      await server.client.config("SET", "notify-keyspace-events", "");
      await guard.close();
    }
  });

  it("names the master of a replica", async () => {
    const replica = await startRedis();
    await replica.client.replicaof("127.0.0.1", String(server.port));
    const { exit, findings } = await examine({ redisUrl: replica.url });
    await replica.stop();
    expect(exit).toBe(1);
    expect(findings).toMatchObject([{ check: "connection", status: "problem" }]);
  });
});

it.each([
  [{ redis_version: "6.0.16" }, "problem"],
  [{ redis_version: "6.2.14" }, "note"],
  [{ redis_version: "7.0.15", redis_mode: "standalone" }, "note"],
  [{ redis_version: "7.2.11" }, "note"],
  [{ redis_version: "7.2.4", valkey_version: "8.1.1" }, "ok"],
  [{ redis_version: "7.4.0" }, "ok"],
  [{ redis_version: "8.2.1" }, "ok"],
  [{ redis_version: "10.1.0" }, "ok"],
  [{ redis_version: "7.2.4", redis_mode: "cluster" }, "problem"],
  [{}, "note"],
])("judges %j: %s", (info, status) => {
  expect(judgeServer(new Map(Object.entries(info))).status).toBe(status);
});

it("warns of clocks that are two seconds apart in either direction", () => {
  expect([-2_500, -1_900, 0, 1_900, 2_500].map((ms) => judgeLead(ms).status)).toEqual([
    "note",
    "ok",
    "ok",
    "ok",
    "note",
  ]);
  expect(judgeLead(2_500).says).toContain("2.5 s ahead of");
});
