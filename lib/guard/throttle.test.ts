import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealFrom } from "../audit/seal.ts";
import { clearOverride } from "../customers/clear-override.ts";
import { parseCustomerId } from "../customers/id.ts";
import { resetCounters } from "../customers/reset.ts";
import { setOverride } from "../customers/set-override.ts";
import { setTier } from "../customers/set-tier.ts";
import type { Memcached } from "../limits/memcached-client.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { setPolicy } from "../policy/set.ts";
import { setMode } from "../policy/set-mode.ts";
import { readPolicy } from "../policy/versions.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import type { CustomerId } from "../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { createGuard, type Guard, type GuardOptions, type GuardRequest } from "./guard.ts";

let server: TestRedis;
let redis: Connection;
let guards: Guard[] = [];
let lines: string[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

beforeEach(async () => {
  await server.client.flushall();
  lines = [];
});

afterEach(async () => {
  await Promise.all(guards.map((guard) => guard.close()));
  guards = [];
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const by = () => ({
  actor: { name: "ada@example.org", via: "console" },
  redis,
  seal: sealFrom("a secret of the tests"),
});

async function open(app = "shop", options: Partial<GuardOptions> = {}): Promise<Guard> {
  const guard = createGuard({ redis: server.url, app, log: (line) => lines.push(line), ...options });
  guards.push(guard);
  await guard.ready();
  return guard;
}

async function enforce(policy: PolicyInput): Promise<void> {
  const { version } = await readPolicy(redis);
  await setPolicy(by(), { policy, basedOn: version, reason: "a test" });
}

const perMinute = (limit: number) => [{ limit, periodSeconds: 60 }];
const byIp = { name: "req/ip", client: "ip", algorithm: "first-hit", levels: perMinute(3) } as const;
const ip = "203.0.113.9";

const ask = async (guard: Guard, request: Partial<GuardRequest> = {}) => guard.check({ ip, ...request });
const outcomes = async (guard: Guard, times: number, request: Partial<GuardRequest> = {}) => {
  const found: string[] = [];
  for (let i = 0; i < times; i++) found.push((await ask(guard, request)).outcome);
  return found;
};
const becomes = (guard: Guard, outcome: string, request: Partial<GuardRequest> = {}) =>
  eventually(async () => expect((await ask(guard, request)).outcome).toBe(outcome), 2_000);

it("gives a verdict for whatever it is handed, and never throws", async () => {
  const clients = [
    "ip",
    "customer",
    "user",
    "path",
    "standard",
    { code: "tenant" },
    { cookie: "a" },
  ] as const;
  await enforce({
    mode: "enforce",
    rules: clients.map((client, i) => ({ ...byIp, name: `r${i}`, client, levels: perMinute(1_000) })),
    tiers: {},
  });
  const tenant = (() => Promise.reject(new Error("too late"))) as unknown as () => string;
  const guard = await open("shop", { clients: { tenant } });
  const odd = [null, undefined, 7, {}, [], "\0", { get: 5 }];
  const requests = odd.flatMap((it) =>
    ["path", "method", "host", "headers", "user", "customerId", "cost"].map((name) => ({ ip, [name]: it })),
  );
  for (const request of requests) expect((await guard.check(request as GuardRequest)).outcome).toBe("pass");
  expect((await ask(guard, { customerId: null as unknown as string })).trouble).toBeUndefined();
  for (const request of odd)
    expect(await guard.check(request as GuardRequest)).toMatchObject({ outcome: "pass" });
  expect(lines.filter((line) => line.includes("could not be weighed")).length).toBeLessThanOrEqual(1);
});

describe("a rule", () => {
  beforeEach(() => enforce({ mode: "enforce", rules: [byIp], tiers: {} }));

  it("lets its limit pass and turns the rest away, with the words of the drafts", async () => {
    const guard = await open();
    expect((await ask(guard)).headers).toEqual({
      "ratelimit-policy": '"req/ip";q=3;w=60',
      ratelimit: expect.stringMatching(/^"req\/ip";r=2;t=60$/),
    });
    expect(await outcomes(guard, 3)).toEqual(["pass", "pass", "throttled"]);
    expect(await ask(guard)).toMatchObject({
      outcome: "throttled",
      status: 429,
      rule: "req/ip",
      limit: 3,
      remaining: 0,
      retryAfterSeconds: 60,
      headers: { "retry-after": "60", ratelimit: '"req/ip";r=0;t=60' },
    });
    expect((await ask(guard, { ip: "203.0.113.10" })).outcome).toBe("pass");
  });

  it("counts an IPv6 network as one", async () => {
    const guard = await open();
    await outcomes(guard, 3, { ip: "2001:db8:1:2::1" });
    expect((await ask(guard, { ip: "2001:db8:1:2:ffff::9" })).outcome).toBe("throttled");
    expect((await ask(guard, { ip: "2001:db8:1:3::1" })).outcome).toBe("pass");
  });

  it("knows its denials without asking Redis, on every node that met them", async () => {
    const guard = await open();
    await outcomes(guard, 4);
    const calls = async () =>
      /cmdstat_evalsha:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1];
    await server.client.config("RESETSTAT");
    expect(new Set(await outcomes(guard, 500))).toEqual(new Set(["throttled"]));
    expect(Number((await calls()) ?? 0)).toBeLessThan(5);
  });

  it("never stops who is safelisted, at once and although denied before", async () => {
    const guard = await open();
    await outcomes(guard, 4);
    await server.client.set(`safelist:${ip}`, "x");
    await becomes(guard, "safelisted");
  });

  it("lets in whom a raised limit lets in, on every node, although denied before", async () => {
    const [one, two] = [await open("one"), await open("two")];
    await outcomes(one, 4);
    await outcomes(two, 1);
    await enforce({ mode: "enforce", rules: [{ ...byIp, levels: perMinute(10) }], tiers: {} });
    await becomes(one, "pass");
    await becomes(two, "pass");
  });

  it("stops nobody when everything is shadowed, though lists still bite", async () => {
    const guard = await open();
    await outcomes(guard, 4);
    await setMode(by(), { mode: "shadow", reason: "an emergency" });
    await becomes(guard, "pass");
    expect((await ask(guard)).shadowed).toEqual(["req/ip"]);
    await server.client.set(`blocklist:${ip}`, "x");
    await becomes(guard, "blocked");
  });

  it("stops nobody, by rules or lists, when everything is off", async () => {
    const guard = await open();
    await outcomes(guard, 4);
    await server.client.set(`blocklist:${ip}`, "x");
    await becomes(guard, "blocked");
    await setMode(by(), { mode: "off", reason: "an emergency" });
    await becomes(guard, "pass");
    expect((await ask(guard)).shadowed).toEqual([]);
    expect(await guard.explain({ ip })).toMatchObject({ outcome: "pass", status: 200 });
    await setMode(by(), { mode: "enforce", reason: "over" });
    await becomes(guard, "blocked");
  });

  it("keeps the last good policy when a foreign hand spoils it, and says so", async () => {
    const guard = await open();
    await server.client.set("sluice:live:policy", '{"version":9,"policy":{"mode":"maybe"}}');
    await eventually(() =>
      expect(lines).toEqual([expect.stringContaining("the policy in Redis is not obeyed")]),
    );
    await server.client.del("sluice:live:policy");
    await server.client.lpush("sluice:live:policy", "x");
    await eventually(() => expect(lines.length).toBeGreaterThan(1));
    expect(await outcomes(guard, 4)).toContain("throttled");
  });
});

it("enforces a fresh install's ladder, and never on the console itself", async () => {
  const [shop, console] = [await open("shop"), await open("console")];
  const asked = { path: "/products" };
  const all = await Promise.all(Array.from({ length: 310 }, () => ask(shop, asked)));
  expect(all.filter(({ outcome }) => outcome === "pass")).toHaveLength(300);
  expect(all.find(({ outcome }) => outcome === "throttled")).toMatchObject({ rule: "req/ip/1", limit: 300 });
  expect((await ask(shop, { path: "/_next/static/chunk.js" })).outcome).toBe("pass");
  expect((await ask(console, asked)).outcome).toBe("pass");
});

describe("customers", () => {
  const id = parseCustomerId("1042");
  const customer = (): CustomerId => {
    if (!id.ok) throw new Error(id.reason);
    return id.value;
  };
  const asked = { customerId: "1042" };
  const tiers = { free: { levels: perMinute(2) }, pro: { levels: perMinute(5) } };
  const rule = { name: "req/customer", client: "customer", algorithm: "first-hit", levels: "tier" } as const;

  beforeEach(async () => {
    await enforce({ mode: "enforce", rules: [{ ...byIp, match: { who: "anonymous" } }, rule], tiers });
    await server.client.set("customer:1042:tier_redis", "free");
  });

  it("move to another tier and pass with the next request, on every node", async () => {
    const [one, two] = [await open("one"), await open("two")];
    expect(await outcomes(one, 3, asked)).toEqual(["pass", "pass", "throttled"]);
    expect(await outcomes(two, 1, asked)).toEqual(["throttled"]);
    await setTier(by(), { id: customer(), tier: "pro", reason: "upgraded" });
    for (const guard of [one, two]) await becomes(guard, "pass", asked);
  });

  it("are given limits of their own, by anybody who may write, and lose them again", async () => {
    const guard = await open();
    await outcomes(guard, 3, asked);
    await server.client.hset("customer:1042:throttle_hash", "60", "4");
    await becomes(guard, "pass", asked);
    await setOverride(by(), { id: customer(), levels: perMinute(1), reason: "abuse" });
    await becomes(guard, "throttled", asked);
    await clearOverride(by(), { id: customer(), reason: "sorted out" });
    await setTier(by(), { id: customer(), tier: "pro", reason: "upgraded" });
    await becomes(guard, "pass", asked);
  });

  it("start over when their counters are reset", async () => {
    const guard = await open();
    await outcomes(guard, 3, asked);
    await resetCounters(by(), redis, { id: customer(), reason: "a false alarm" });
    await becomes(guard, "pass", asked);
  });

  it("are known before the node has loaded, and are anonymous when nobody knows them", async () => {
    const fresh = createGuard({ redis: server.url, app: "fresh", log: () => {} });
    guards.push(fresh);
    expect(await fresh.check({ ip, ...asked })).toMatchObject({
      headers: { "ratelimit-policy": expect.stringContaining("customer") },
    });
    for (const customerId of ["stranger", "../1042", "1042\u0000", "x".repeat(99)])
      expect((await fresh.check({ ip, customerId })).headers["ratelimit-policy"]).toContain("req/ip");
  });
});

it("answers 400 to a header that names no Basic user, and 503 in the rule's words to who asks too much", async () => {
  const response = { status: 503, message: "Over Rate Limit" } as const;
  const rule = { name: "api", client: "user", requireBasic: true, algorithm: "fixed", response } as const;
  await enforce({
    mode: "enforce",
    rules: [{ ...rule, levels: [{ limit: 1, periodSeconds: 3_600 }] }],
    tiers: {},
  });
  const guard = await open();
  const as = (authorization: string) => ({ headers: { authorization } });
  expect(await ask(guard, as("Bearer token"))).toMatchObject({ outcome: "throttled", status: 400 });
  const joe = as(`Basic ${Buffer.from("joe:secret").toString("base64")}`);
  expect(await outcomes(guard, 2, joe)).toEqual(["pass", "throttled"]);
  expect(await ask(guard, joe)).toMatchObject({ status: 503, message: "Over Rate Limit" });
  expect((await ask(guard)).outcome).toBe("pass");
});

it("bans who is denied too often, on every node, and a lift by hand sticks", {
  timeout: 20_000,
}, async () => {
  const ban = { after: 10, withinSeconds: 60, forSeconds: 3_600, capSeconds: 86_400 };
  await enforce({ mode: "enforce", rules: [{ ...byIp, ban }], tiers: {} });
  const [one, two] = [await open("one"), await open("two")];
  await outcomes(one, 9);
  await outcomes(two, 6);
  for (const guard of [one, two])
    await eventually(async () => expect((await ask(guard)).outcome).toBe("blocked"), 5_000);
  expect(JSON.parse((await server.client.get(`blocklist:${ip}`)) ?? "")).toMatchObject({
    via: "auto:req/ip",
  });
  await server.client.del(`blocklist:${ip}`);
  for (const guard of [one, two]) await becomes(guard, "throttled");
  await outcomes(one, 50);
  await server.client.ping();
  expect(await server.client.exists(`blocklist:${ip}`)).toBe(0);
});

it("counts in this process alone when told so, without Redis", async () => {
  await enforce({ mode: "enforce", rules: [byIp], tiers: {} });
  const guard = await open("alone", { counters: "memory:" });
  expect(await outcomes(guard, 4)).toEqual(["pass", "pass", "pass", "throttled"]);
  expect(await server.client.keys("*first-hit*")).toEqual([]);
});

it("says which rules memcached cannot keep, and enforces the others", async () => {
  const counts = new Map<string, number>();
  const add = (key: string, by: number) => {
    const held = counts.get(key);
    if (held === undefined) return undefined;
    counts.set(key, held + by);
    return held + by;
  };
  const memcached: Memcached = {
    incr: async (key, by) => add(key, by),
    decr: async (key, by) => add(key, -by),
    add: async (key, value) => !counts.has(key) && counts.set(key, Number(value)) === counts,
    get: async (key) => counts.get(key)?.toString(),
  };
  await enforce({
    mode: "enforce",
    rules: [byIp, { ...byIp, name: "fixed/ip", algorithm: "fixed" }],
    tiers: {},
  });
  const guard = await open("cached", { counters: memcached });
  await eventually(() =>
    expect(lines.join()).toContain("rule req/ip is not enforced here: memcached keeps fixed windows only"),
  );
  expect(await outcomes(guard, 4)).toEqual(["pass", "pass", "pass", "throttled"]);
  expect(await ask(guard)).toMatchObject({ rule: "fixed/ip" });
});

describe("while the counters are away", () => {
  const rules = (onStoreError: "open" | "closed" | "model") => ({
    mode: "enforce" as const,
    rules: [{ ...byIp, onStoreError }],
    tiers: {},
  });
  let counters: TestRedis;

  beforeEach(async () => {
    counters = await startRedis();
  });

  afterEach(() => counters.stop());

  it.each([
    ["open", ["pass", "pass", "pass", "pass"]],
    ["closed", ["throttled", "throttled", "throttled", "throttled"]],
    ["model", ["pass", "pass", "pass", "throttled"]],
  ] as const)(
    "a rule that is %s does so, at once, with one line in the log",
    async (onStoreError, expected) => {
      await enforce(rules(onStoreError));
      const guard = await open("shop", { counters: counters.url });
      expect(await outcomes(guard, 1)).toEqual(["pass"]);
      for (const trouble of ["freeze", "kill"] as const) {
        lines.length = 0;
        await counters[trouble]();
        const found: string[] = [];
        for (let i = 0; i < 4; i++) {
          const startedAt = performance.now();
          found.push((await ask(guard, { ip: `198.51.100.${trouble.length}` })).outcome);
          expect(performance.now() - startedAt).toBeLessThan(150);
        }
        expect(found).toEqual(expected);
        await eventually(() => expect(lines).toEqual([expect.stringContaining("counters cannot be read")]));
        if (trouble === "freeze") counters.thaw();
        else await counters.restart();
        await eventually(async () => expect((await ask(guard, { ip: "192.0.2.1" })).trouble).toBeUndefined());
        expect(lines.at(-1)).toBe("sluice: counters can be read again.");
      }
    },
  );
});
