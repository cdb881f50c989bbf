import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { verifyChain } from "../../manage/audit/chain.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { sealPending } from "../../manage/bans/seal-pending.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { protectRange } from "../../manage/lists/never-block.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { startCatalogue } from "../../observe/catalogue/catalogue.ts";
import { changeProgress, listNodes } from "../../observe/stats/nodes.ts";
import { setAnnounced } from "../../redis/change-stream.ts";
import { type Connection, connectControl, type RedisSource } from "../../redis/connect.ts";
import type { FollowingWay } from "../../redis/following.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { startProxy } from "../../redis/testing-proxy.ts";
import { parseCustomerId } from "../customers/id.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { createGuard, type Guard } from "./guard.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);
vi.mock(import("./deadline.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientDeadline(original),
);

/** A server as a team may have it: how apps reach it, and how changes are followed there. */
interface Place {
  readonly redis: RedisSource;
  readonly by: FollowingWay;
  /** All rights, on the same data: another program, and what a test looks up. Sluice itself writes as the account of `redis`. */
  readonly foreign: Redis;
  stop(): Promise<void>;
}

const notifications = ["--notify-keyspace-events", "Kg$hx"];

async function withAccount(settings: string[], ...rights: string[]): Promise<[TestRedis, string]> {
  const server = await startRedis(...settings);
  await server.client.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", ...rights);
  return [server, `redis://app:secret@127.0.0.1:${server.port}`];
}

async function plain(by: FollowingWay, settings: string[], ...rights: string[]): Promise<Place> {
  const [server, redis] = await withAccount(settings, ...rights);
  return { redis, by, foreign: server.client, stop: () => server.stop() };
}

/** As Redis Enterprise answers. */
const refuseRedirect = (words: string) =>
  words.startsWith("CLIENT TRACKING ON") && words.includes("REDIRECT")
    ? "ERR CLIENT TRACKING REDIRECT is not supported"
    : undefined;

async function behindProxy(): Promise<Place> {
  const server = await startRedis();
  const proxy = await startProxy(server.port, { refuse: refuseRedirect });
  return {
    redis: `redis://127.0.0.1:${proxy.port}`,
    by: "polling",
    foreign: server.client,
    async stop() {
      await proxy.stop();
      await server.stop();
    },
  };
}

/** With a password and a database of its own. */
async function overTls(by: FollowingWay, settings: string[], ...rights: string[]): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const words =
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "pipe" });
  const port = await freePort();
  const server = await startRedis(
    ...["--requirepass", "secret", "--tls-port", String(port), "--tls-cert-file", cert],
    ...["--tls-key-file", key, "--tls-ca-cert-file", cert, "--tls-auth-clients", "no", ...settings],
  );
  const options = { port, host: "127.0.0.1", password: "secret", db: 3, tls: { ca: readFileSync(cert) } };
  const foreign = new Redis(options);
  await foreign.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", ...rights);
  const redis = new Redis({ ...options, username: "app", lazyConnect: true });
  return {
    redis,
    by,
    foreign,
    async stop() {
      redis.disconnect();
      foreign.disconnect();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const places: Record<string, () => Promise<Place>> = {
  "that allows everything": () => plain("tracking", []),
  "without CONFIG and INFO": () => plain("tracking", [], "-config", "-info"),
  "over TLS, with a password and a database number": () => overTls("tracking", []),
  "without CLIENT TRACKING": () => plain("polling", [], "-client|tracking"),
  "that refuses REDIRECT": behindProxy,
  "without CLIENT TRACKING, CONFIG and INFO": () =>
    plain("polling", [], "-client|tracking", "-config", "-info"),
  "without CLIENT TRACKING, with keyspace notifications": () =>
    plain("notifications", notifications, "-client|tracking", "-config", "-info"),
  "over TLS, with a password and a database number, without CLIENT TRACKING, with keyspace notifications":
    () => overTls("notifications", notifications, "-client|tracking"),
};

const ip = "203.0.113.9";
const login: PolicyInput = {
  mode: "enforce",
  rules: [
    {
      name: "login",
      match: { only: ["/login"] },
      client: "ip",
      algorithm: "first-hit",
      levels: [{ limit: 2, periodSeconds: 600 }],
      ban: { after: 5, withinSeconds: 600, forSeconds: 600, capSeconds: 600 },
    },
    { name: "customers", client: "customer", algorithm: "first-hit", levels: "tier" },
  ],
  tiers: {
    small: { levels: [{ limit: 1, periodSeconds: 600 }] },
    large: { levels: [{ limit: 100, periodSeconds: 600 }] },
  },
};

function idOf(text: string): CustomerId {
  const id = parseCustomerId(text);
  if (!id.ok) throw new Error(`${text} is no customer id`);
  return id.value;
}

describe.each(Object.entries(places))("a Redis %s", (_, open) => {
  let place: Place;
  /** Of a console that has the account under test. */
  let writer: Connection;
  let guards: Guard[] = [];
  let lines: string[] = [];

  beforeAll(async () => {
    place = await open();
    writer = connectControl(place.redis, "patiently");
  }, 30_000);
  beforeEach(async () => {
    await place.foreign.flushall();
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(guards.map((guard) => guard.close()));
    guards = [];
  });
  afterAll(async () => {
    writer.disconnect();
    await place.stop();
  });

  const by = () => ({
    actor: { name: "ada@example.org", via: "console" as const },
    redis: writer,
    seal: sealFrom("a secret of the tests"),
    protectedRanges: [],
  });

  async function guarded(app = "shop"): Promise<Guard> {
    const guard = createGuard({ redis: place.redis, app, log: (line) => lines.push(line) });
    guards.push(guard);
    await guard.ready();
    return guard;
  }

  const outcome = async (guard: Guard, path = "/", address = ip, customerId?: string) =>
    (await guard.check({ ip: address, path, ...(customerId && { customerId }) })).outcome;
  const becomes = (guard: Guard, wanted: string, address = ip, withinMs = 5_000) =>
    eventually(async () => expect(await outcome(guard, "/", address)).toBe(wanted), withinMs);
  /** Asks for the login until so many requests were denied: the first ones may come before the counters. */
  const untilDenied = async (guard: Guard, times: number) => {
    let denied = 0;
    await eventually(async () => {
      if ((await outcome(guard, "/login")) !== "pass") denied++;
      expect(denied).toBe(times);
    });
  };
  const save = async (policy: PolicyInput) =>
    setPolicy(by(), { policy, basedOn: (await readPolicy(writer)).version, reason: "a test" });

  it("has its changes followed in the best way it allows, which status, log and fleet name", async () => {
    const guard = await guarded();
    await eventually(() =>
      expect(guard.status()).toMatchObject({
        state: "ready",
        why: undefined,
        following: { by: place.by },
      }),
    );
    if (place.by === "tracking") expect(lines).toEqual([]);
    else expect(lines.at(-1)).toMatch(/^sluice: Client tracking is not available .* Writes by redis-cli/);
    if (place.by === "polling") expect(lines.at(-1)).toMatch(/take effect within 30 s\./);
    await eventually(async () => expect(await listNodes(writer)).toMatchObject([{ following: place.by }]));
  });

  it("has a list entry in force at every node, which says so", async () => {
    const [shop, forum] = [await guarded("shop"), await guarded("forum")];
    expect(await outcome(shop)).toBe("pass");
    const { change } = await addEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "a test" });
    await Promise.all([shop, forum].map((guard) => becomes(guard, "blocked")));
    await eventually(async () => expect((await changeProgress(writer, change ?? 0)).reached).toHaveLength(2));
    expect(await shop.explain({ ip })).toMatchObject({ outcome: "blocked" });
    await removeEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "a test" });
    await Promise.all([shop, forum].map((guard) => becomes(guard, "pass")));
  });

  it("has what another program writes in force at once, where it is announced", async () => {
    if (place.by === "polling") return; // See the test with 10,000 entries.
    const guard = await guarded();
    await place.foreign.set(keys.entry("blocklist", at(ip)), "x");
    await becomes(guard, "blocked");
    await place.foreign.del(keys.entry("blocklist", at(ip)));
    await becomes(guard, "pass");
  });

  it("has a customer's tier in force", async () => {
    await save(login);
    const guard = await guarded();
    const id = idOf("acme");
    await setTier(by(), { id, tier: "small", reason: "a test" });
    const asked = () => outcome(guard, "/", "198.51.100.1", "acme");
    await eventually(async () => expect(await asked()).toBe("throttled"), 5_000);
    const explained = () => guard.explain({ ip: "198.51.100.1", path: "/", customerId: "acme" });
    expect(await explained()).toMatchObject({
      outcome: "throttled",
      says: expect.stringContaining("rule customers"),
    });
    await setTier(by(), { id, tier: "large", reason: "a test" });
    await eventually(async () => expect(await asked()).toBe("pass"), 5_000);
    expect(await explained()).toMatchObject({ outcome: "pass" });
  });

  it("has a policy in force, and the kill switch at every node within a second", async () => {
    const [shop, forum] = [await guarded("shop"), await guarded("forum")];
    await save(login);
    for (const guard of [shop, forum])
      await eventually(async () => expect(await outcome(guard, "/login")).toBe("throttled"), 5_000);
    expect(await forum.explain({ ip, path: "/login" })).toMatchObject({
      outcome: "throttled",
      says: expect.stringContaining("rule login"),
    });
    await addEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "a test" });
    await Promise.all([shop, forum].map((guard) => becomes(guard, "blocked")));
    const switchTo = async (mode: "off" | "enforce", wanted: string) => {
      await setMode(by(), { mode, reason: "a test" });
      const switchedAt = performance.now();
      await Promise.all([shop, forum].map((guard) => becomes(guard, wanted)));
      return performance.now() - switchedAt;
    };
    // The quickest of three: a busy machine is late itself.
    let tookMs = await switchTo("off", "pass");
    for (let i = 1; i < 3 && tookMs >= 1_000; i++) {
      await switchTo("enforce", "blocked");
      tookMs = await switchTo("off", "pass");
    }
    expect(tookMs).toBeLessThan(1_000);
    for (const guard of [shop, forum]) expect(await outcome(guard, "/login")).toBe("pass");
  });

  it("has a ban by one node in force at another, until its recorded entry is removed", async () => {
    await save(login);
    const [shop, forum] = [await guarded("shop"), await guarded("forum")];
    await untilDenied(shop, 5);
    await becomes(forum, "blocked", ip, 10_000);
    expect(await sealPending(by())).toMatchObject({ sealed: 1, left: 0, discarded: { count: 0 } });
    expect(await place.foreign.exists(keys.entry("blocklist", at(ip)))).toBe(1);
    expect(await place.foreign.exists(keys.ban(at(ip)))).toBe(0);
    // The policy, and the ban.
    expect(await verifyChain(writer, by().seal)).toMatchObject({ records: 2, problemCount: 0 });
    for (const guard of [shop, forum]) await becomes(guard, "blocked");
    await removeEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "a customer" });
    await Promise.all([shop, forum].map((guard) => becomes(guard, "pass")));
  });

  it("has a protected range in force, and fingerprints counted while an edge is synced", async () => {
    const guard = await guarded();
    await addEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "a test" });
    await becomes(guard, "blocked");
    await protectRange(by(), { range: at("203.0.113.0/24"), reason: "a partner" });
    await becomes(guard, "pass");
    expect(await setAnnounced(writer, keys.edgeInUse(), "1", 60)).toBe(true);
    await eventually(async () => {
      for (let i = 0; i < 50; i++)
        await guard.check({ ip, host: "shop.example", path: "/", headers: { "user-agent": "sqlmap/1.7" } });
      expect(await place.foreign.keys("sluice:edge:broad:*")).not.toEqual([]);
    });
  });

  it("is followed by the console's copy of the lists", async () => {
    const catalogue = startCatalogue({ redis: place.redis, protectedRanges: [] });
    try {
      await catalogue.ready;
      await addEntries(by(), { list: "blocklist", addresses: [at(ip)], reason: "found in the logs" });
      await eventually(
        () => expect(catalogue.entry("blocklist", ip)).toMatchObject({ reason: "found in the logs" }),
        5_000,
      );
    } finally {
      catalogue.close();
    }
  });
});
