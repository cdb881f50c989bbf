import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../doctor/check-up.ts";
import { judgeLead } from "../doctor/clock.ts";
import { judgeServer } from "../doctor/server-version.ts";
import { createGuard } from "../guard/guard.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { heartbeat, listNodes } from "../stats/nodes.ts";
import { sluice as run } from "./testing.ts";

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
  it("finds nothing wrong where nothing is", async () => {
    await sluice(["block", "add", "203.0.113.9"]);
    const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
    await guard.ready();
    await eventually(async () => expect(await listNodes(server.client)).toHaveLength(1));
    const { exit, ok, findings, of } = await examine();
    await guard.close();
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
    expect({ exit, ok }).toEqual({ exit: 0, ok: true });
    expect(of("nodes")?.details?.[0]).toContain("app shop, version");
    expect(of("tracking")?.says).toMatch(/announced a write within \d+ ms/);
    expect(of("audit")?.says).toContain("1 record");
  });

  it("says the same to people, and what to do", async () => {
    await server.client.set("blocklist:0.0.0.0/0", "x");
    const { exit, stdout } = await sluice(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^PROBLEM {2}entries .*1 key stands in Redis that nobody obeys\. Remove/m);
    expect(stdout).toContain("- blocklist:0.0.0.0/0: it is wider than /16");
    expect(stdout).toContain("note     nodes");
    expect(stdout).toMatch(/1 problem and 1 note\.\n$/);
  });

  it("flags what is misspelled, and notes what the safelist overrules", async () => {
    await server.client.mset(
      "blocklist:1.2.3.4/24",
      "x",
      "blocklist:\u001b[2J",
      "x",
      "blocklist:9.9.9.9",
      "x",
    );
    await server.client.set("safelist:9.9.9.0/24", "x");
    const [disobeyed, overruled] = (await examine()).all("entries");
    expect(disobeyed).toMatchObject({ status: "problem", details: [expect.any(String), expect.any(String)] });
    expect(overruled?.status).toBe("note");
    expect(overruled?.details?.[0]).toContain("blocklist:9.9.9.9: safelist:9.9.9.0/24 overrules it");
    expect((await sluice(["doctor"])).stdout).toContain("blocklist:<U+001B>[2J");
  });

  it("notes a mode that stops nobody, and warns of a policy that nobody can read", async () => {
    expect((await examine()).of("policy")).toMatchObject({
      status: "ok",
      says: "The policy in force is that of a fresh install: 4 rules, 1 of them shadowed or off.",
    });
    await sluice(["mode", "off"]);
    const { exit, of } = await examine();
    expect(exit).toBe(0);
    expect(of("policy")).toMatchObject({ status: "note", says: expect.stringContaining("The mode is off") });
    await server.client.set("sluice:live:policy", '{"version":9,"policy":{"mode":"maybe"}}');
    const spoiled = await examine();
    expect(spoiled.exit).toBe(1);
    expect(spoiled.of("policy")?.says).toMatch(
      /^sluice:live:policy in Redis is not obeyed: mode: write one of .* sluice policy rollback 1/,
    );
    await sluice(["policy", "rollback", "1"]);
    expect((await examine()).of("policy")?.status).toBe("note");
  });

  it("flags customers of whom something is not obeyed, and shows the first hundred", async () => {
    await server.client.set("customer:acme:tier_redis", "pro");
    expect((await examine()).of("customers")).toMatchObject({
      status: "ok",
      says: "1 customer, all obeyed.",
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
    expect(of("customers")?.details).toHaveLength(100);
    expect(of("customers")?.details?.[0]).toContain(": the policy has no tier gold");
  });

  it("finds an audit record that was taken out, altered or put in", async () => {
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

  it("notes bans that wait for their audit record; the next change puts them on it first", async () => {
    const ban = { address: "203.0.113.9", rule: "req/ip/1", reason: "10 denials" };
    const wanted = JSON.stringify({ ...ban, at: "2030-01-01T00:00:00.000Z", expiresAt: 2e12 });
    await server.client.hset("sluice:bans:pending", "1", wanted);
    await server.client.set("sluice:live:change", "1");
    const [log, waiting] = (await examine()).all("audit");
    expect(log?.status).toBe("ok");
    expect(waiting).toMatchObject({
      status: "note",
      says: expect.stringMatching(/^1 ban waits to be sealed\./),
    });
    await sluice(["block", "add", "203.0.113.1"]);
    expect((await examine()).all("audit")).toMatchObject([{ says: "The audit log is whole: 2 records." }]);
    const [first] = await server.client.xrange("sluice:audit", "-", "+");
    expect(first?.[1][1]).toContain('"auto:req/ip/1"');
  });

  it("cannot verify the audit log without the secret, and says so", async () => {
    const { exit, of } = await examine({ environment: { secret: undefined } });
    expect(of("audit")).toMatchObject({ status: "note", says: expect.stringContaining("NEXTAUTH_SECRET") });
    expect(exit).toBe(0);
  });

  it("warns of a server that drops entries, or forgets them", async () => {
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

  it("names a node that lags, and one whose copy is old", async () => {
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

  it("sees that counters elsewhere do not answer", async () => {
    const { exit, of } = await examine({ environment: { countersRedisUrl: "redis://:hush@127.0.0.1:1" } });
    expect(exit).toBe(1);
    expect(of("counters")).toMatchObject({
      status: "problem",
      says: expect.stringContaining("127.0.0.1:1 do not"),
    });
    expect(of("counters")?.says).not.toContain("hush");
  });

  it("notes what the Redis user may not look at", async () => {
    const grants = ["+@all", "-config", "-xrange", "-client|tracking", "-info"];
    await server.client.call("ACL", "SETUSER", "watcher", "on", ">pw", "~*", "&*", ...grants);
    const { exit, findings, of } = await examine({ redisUrl: server.url.replace("//", "//watcher:pw@") });
    expect(exit).toBe(0);
    for (const check of ["version", "eviction", "persistence", "tracking", "audit"]) {
      expect(of(check)).toMatchObject({ status: "note", says: expect.stringContaining("user may not") });
    }
    expect(findings).toHaveLength(14);
  });

  it("sends whoever asks a replica to its master", async () => {
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
  [{ redis_version: "7.0.15", redis_mode: "standalone" }, "ok"],
  [{ redis_version: "10.1.0" }, "ok"],
  [{ redis_version: "7.2.4", redis_mode: "cluster" }, "problem"],
  [{}, "note"],
])("judges %j: %s", (info, status) => {
  expect(judgeServer(new Map(Object.entries(info))).status).toBe(status);
});

it("warns of clocks that are two seconds apart, either way", () => {
  expect([-2_500, -1_900, 0, 1_900, 2_500].map((ms) => judgeLead(ms).status)).toEqual([
    "note",
    "ok",
    "ok",
    "ok",
    "note",
  ]);
  expect(judgeLead(2_500).says).toContain("2.5 s ahead of");
});
