import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { clearOverride } from "../../manage/customers/clear-override.ts";
import { resetCounters } from "../../manage/customers/reset.ts";
import { setOverride } from "../../manage/customers/set-override.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { eventually, inOneWindow, startRedis, type TestRedis } from "../../redis/testing.ts";
import { parseCustomerId } from "../customers/id.ts";
import type { Memcached } from "../memcached/memcached-scales.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { createGuard, type Guard, type GuardOptions } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import { inTime } from "./vitest.in-time.ts";
import { patience } from "./vitest.patience.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);
vi.mock(import("./deadline.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientDeadline(original),
);

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
  vi.unstubAllEnvs();
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
  eventually(async () => expect((await ask(guard, request)).outcome).toBe(outcome), 10_000);

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
    ["path", "method", "host", "headers", "user", "customerId"].map((name) => ({ ip, [name]: it })),
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
    const denied = await ask(guard);
    const { retryAfterSeconds: seconds } = denied;
    expect(denied).toMatchObject({
      outcome: "throttled",
      status: 429,
      rule: "req/ip",
      limit: 3,
      remaining: 0,
      headers: { "retry-after": String(seconds), ratelimit: `"req/ip";r=0;t=${seconds}` },
    });
    // Less on a busy machine: the period began with the first request.
    expect(seconds).toBeGreaterThanOrEqual(55);
    expect(seconds).toBeLessThanOrEqual(60);
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

  it("passes a client that a raised limit lets pass, on every node, although denied before", async () => {
    const [one, two] = [await open("one"), await open("two")];
    await outcomes(one, 4);
    await outcomes(two, 1);
    await enforce({ mode: "enforce", rules: [{ ...byIp, levels: perMinute(10) }], tiers: {} });
    await becomes(one, "pass");
    await becomes(two, "pass");
  });

  it("denies no client when everything is shadowed, though lists are enforced", async () => {
    const guard = await open();
    await outcomes(guard, 4);
    await setMode(by(), { mode: "shadow", reason: "an emergency" });
    await becomes(guard, "pass");
    expect((await ask(guard)).shadowed).toEqual(["req/ip"]);
    await server.client.set(`blocklist:${ip}`, "x");
    await becomes(guard, "blocked");
  });

  it("denies no client, by rules or lists, when everything is off", async () => {
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
      expect(lines).toEqual([expect.stringContaining("the policy in Redis cannot be used")]),
    );
    await server.client.multi().del("sluice:live:policy").lpush("sluice:live:policy", "x").exec();
    await eventually(() => expect(lines.length).toBeGreaterThan(1));
    expect(await outcomes(guard, 4)).toContain("throttled");
  });
});

it("enforces a fresh install's ladder, and never on the console itself", async () => {
  const [shop, console] = [await open("shop"), await open("console")];
  const asked = { path: "/products" };
  await inOneWindow(server.client, 300);
  const all = await Promise.all(Array.from({ length: 310 }, () => ask(shop, asked)));
  expect(all.filter(({ outcome }) => outcome === "pass")).toHaveLength(300);
  expect(all.find(({ outcome }) => outcome === "throttled")).toMatchObject({ rule: "req/ip/1", limit: 300 });
  expect((await ask(shop, { path: "/_next/static/chunk.js" })).outcome).toBe("pass");
  expect((await ask(console, asked)).outcome).toBe("pass");
});

describe("what the app says a request costs", () => {
  const costly = { name: "spend", client: "ip", cost: "request" } as const;
  const enforceRule = (rule: object) =>
    enforce({ mode: "enforce", rules: [{ ...costly, ...rule } as PolicyInput["rules"][number]], tiers: {} });
  const usedBy = async (guard: Guard) =>
    (await guard.explain({ ip })).steps.flatMap(({ rules = [] }) => rules).map(({ used }) => used);
  const windows = ["fixed", "first-hit", "rolling-list", "rolling-set", "sliding", "gcra"] as const;

  describe.each(["Redis", "memory"])("in %s", (where) => {
    const options = (): Partial<GuardOptions> => (where === "memory" ? { counters: "memory:" } : {});

    it.each(windows)(
      "is nothing at 0, and denied only where a request of 1 would be (%s)",
      async (algorithm) => {
        await enforceRule({ algorithm, levels: [{ limit: 2, periodSeconds: 3_600 }] });
        const guard = await open("shop", options());
        expect(await outcomes(guard, 5, { cost: 0 })).toEqual(Array(5).fill("pass"));
        expect(await usedBy(guard)).toEqual([0]);
        await eventually(async () =>
          expect((await ask(guard, { cost: 0 })).headers.ratelimit).toContain("r=2;"),
        );
        expect(await outcomes(guard, 2)).toEqual(["pass", "pass"]);
        expect(await ask(guard, { cost: 0 })).toMatchObject({ outcome: "throttled", remaining: 0 });
        expect(await outcomes(guard, 2, { cost: 1 })).toEqual(["throttled", "throttled"]);
        expect(await outcomes(guard, 2, { cost: 0 })).toEqual(["throttled", "throttled"]);
        expect(Math.round((await usedBy(guard))[0] ?? 0)).toBe(2);
      },
    );

    it("is nothing at 0 for an estimate either, which denies who is over it", async () => {
      await enforceRule({ algorithm: "earrrl", levels: [{ limitPerSecond: 0.01, halfLifeSeconds: 60 }] });
      const guard = await open("shop", options());
      expect(await outcomes(guard, 5, { cost: 0 })).toEqual(Array(5).fill("pass"));
      expect(await usedBy(guard)).toEqual([0]);
      await outcomes(guard, 1, { cost: 50 });
      expect(await outcomes(guard, 2, { cost: 0 })).toEqual(["throttled", "throttled"]);
      const [before = 0] = await usedBy(guard);
      await outcomes(guard, 20, { cost: 0 });
      expect((await usedBy(guard))[0]).toBeLessThanOrEqual(before);
    });
  });

  it("leaves rules alone that have a cost of their own", async () => {
    await enforceRule({ cost: 1, algorithm: "first-hit", levels: perMinute(2) });
    expect(await outcomes(await open(), 3, { cost: 0 })).toEqual(["pass", "pass", "throttled"]);
  });

  const bad: readonly unknown[] = [2.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e13, "3", null];

  it("is an error in development when it cannot be charged", async () => {
    await enforceRule({ algorithm: "first-hit", levels: perMinute(5) });
    const guard = await open();
    for (const cost of bad)
      await expect(guard.check({ ip, cost: cost as number })).rejects.toThrow(/^guard\.check: cost is /);
    await expect(guard.check({ ip, cost: 2.5 })).rejects.toThrow(
      "guard.check: cost is 2.5: it must be a whole number from 0 to 1,000,000,000,000.",
    );
    expect(await usedBy(guard)).toEqual([0]);
  });

  it("is never charged in silence in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await enforceRule({ algorithm: "first-hit", levels: perMinute(1_000) });
    const guard = await open();
    for (const cost of bad) expect((await ask(guard, { cost: cost as number })).trouble).toBe("bad-cost");
    // 2.5 is rounded up, what is no amount costs 1, and what is more than any limit is denied.
    expect(await usedBy(guard)).toEqual([3 + 1 + 1 + 1 + 1]);
    expect((await ask(guard, { cost: 1e13 })).outcome).toBe("throttled");
    expect((await ask(guard, { cost: 5 })).trouble).toBeUndefined();
    const said = lines.filter((line) => line.includes("cost"));
    expect(said).toEqual([
      "sluice: app shop gives costs that cannot be charged as they are: cost is 2.5: it must be a whole number from 0 to 1,000,000,000,000.",
    ]);
  });
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

  it("are given limits of their own, by any program that may write, and lose them again", async () => {
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

  it("are known before the node has loaded, and are anonymous when they are unknown", async () => {
    const fresh = createGuard({ redis: server.url, app: "fresh", log: () => {} });
    guards.push(fresh);
    expect(await fresh.check({ ip, ...asked })).toMatchObject({
      headers: { "ratelimit-policy": expect.stringContaining("customer") },
    });
    for (const customerId of ["stranger", "../1042", "1042\u0000", "x".repeat(99)])
      expect((await fresh.check({ ip, customerId })).headers["ratelimit-policy"]).toContain("req/ip");
  });

  it("are counted by their id when they are unknown, however many share an address", async () => {
    const guard = await open();
    expect(await outcomes(guard, 4, { customerId: "one" })).toEqual(["pass", "pass", "pass", "throttled"]);
    expect(await outcomes(guard, 3, { customerId: "two" })).toEqual(["pass", "pass", "pass"]);
    expect(await outcomes(guard, 1, { customerId: "one", ip: "198.51.100.7" })).toEqual(["throttled"]);
    // An invalid id is no customer.
    expect(await outcomes(guard, 4, { customerId: "no id" })).toEqual(["pass", "pass", "pass", "throttled"]);
    await server.client.set("customer:one:tier_redis", "pro");
    await becomes(guard, "pass", { customerId: "one" });
  });

  it("that are unknown are counted from zero when their counters are reset", async () => {
    await server.client.del("customer:1042:tier_redis");
    const guard = await open();
    expect(await outcomes(guard, 4, asked)).toEqual(["pass", "pass", "pass", "throttled"]);
    await resetCounters(by(), redis, { id: customer(), reason: "a false alarm" });
    await becomes(guard, "pass", asked);
  });

  it("are in the default tier when they are unknown", async () => {
    const rules = [{ ...byIp, match: { who: "anonymous" } }, rule] as const;
    await enforce({ mode: "enforce", rules: [...rules], tiers, defaultTier: "pro" });
    const guard = await open();
    const found = await outcomes(guard, 6, { customerId: "stranger" });
    expect(found).toEqual(["pass", "pass", "pass", "pass", "pass", "throttled"]);
    expect(await ask(guard, { customerId: "stranger" })).toMatchObject({ rule: "req/customer", limit: 5 });
    expect(await outcomes(guard, 1)).toEqual(["pass"]);
  });

  it("that are unknown do not have their address banned for what they do", async () => {
    const ban = { after: 2, withinSeconds: 60, forSeconds: 3_600, capSeconds: 86_400 };
    const anonymous = { ...byIp, match: { who: "anonymous" }, ban } as const;
    await enforce({ mode: "enforce", rules: [anonymous], tiers: {} });
    const guard = await open();
    await outcomes(guard, 30, { customerId: "stranger" });
    await outcomes(guard, 30, { ip: "198.51.100.7" });
    await becomes(guard, "blocked", { ip: "198.51.100.7" });
    expect(await server.client.keys("sluice:live:ban:*")).toEqual(["sluice:live:ban:198.51.100.7"]);
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

it("counts all spellings of a path as one client", async () => {
  const client = { all: ["ip" as const, "path" as const] };
  const match = { only: ["/login"], methods: ["POST"] };
  const login = { name: "login", client, match, algorithm: "first-hit", levels: perMinute(5) } as const;
  await enforce({ mode: "enforce", rules: [login], tiers: {} });
  const guard = await open();
  const found: string[] = [];
  for (const path of ["/login;1", "/login;2", "/%6cogin", "//login", "/LOGIN", "/login;6", "/login"])
    found.push((await ask(guard, { method: "POST", path })).outcome);
  expect(found).toEqual(["pass", "pass", "pass", "pass", "pass", "throttled", "throttled"]);
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
    await eventually(async () => expect((await ask(guard)).outcome).toBe("blocked"), 10_000);
  expect(JSON.parse((await server.client.get(`sluice:live:ban:${ip}`)) ?? "")).toMatchObject({
    via: "auto:req/ip",
  });
  await server.client.del(`sluice:live:ban:${ip}`);
  for (const guard of [one, two]) await becomes(guard, "throttled");
  await outcomes(one, 50);
  await server.client.ping();
  expect(await server.client.exists(`sluice:live:ban:${ip}`)).toBe(0);
});

it("counts in this process alone when told so, without Redis", async () => {
  await enforce({ mode: "enforce", rules: [byIp], tiers: {} });
  const guard = await open("alone", { counters: "memory:" });
  expect(await outcomes(guard, 4)).toEqual(["pass", "pass", "pass", "throttled"]);
  expect(await server.client.keys("*first-hit*")).toEqual([]);
});

it("says what decided as data, and a rule in shadow once, however many of its levels are over", async () => {
  const two = [
    { limit: 1, periodSeconds: 60 },
    { limit: 1, periodSeconds: 3_600 },
  ];
  const rules = [
    { ...byIp, name: "watched", levels: two, mode: "shadow" },
    { ...byIp, name: "login", levels: two },
  ] as const;
  await enforce({ mode: "enforce", rules: [...rules], tiers: {} });
  await server.client.set("blocklist:198.51.100.7", "x");
  const guard = await open();
  await ask(guard);
  expect(await ask(guard)).toMatchObject({
    rule: "login/60",
    by: { kind: "level", rule: "login", periodSeconds: 60 },
    shadowed: ["watched"],
  });
  expect(await ask(guard, { ip: "198.51.100.7" })).toMatchObject({
    rule: "blocklist:198.51.100.7",
    by: { kind: "entry", list: "blocklist", address: "198.51.100.7" },
  });
});

it("charges EARRRL every hit, also where counts are in this process alone", async () => {
  const levels = [{ limitPerSecond: 1, halfLifeSeconds: 60 }];
  const rate = { name: "rate/ip", client: "ip", algorithm: "earrrl", levels } as const;
  await enforce({ mode: "enforce", rules: [rate], tiers: {} });
  const guard = await open("alone", { counters: "memory:" });
  expect(new Set(await outcomes(guard, 500))).toEqual(new Set(["pass", "throttled"]));
  const { steps } = await guard.explain({ ip });
  const used = steps.flatMap(({ rules = [] }) => rules)[0]?.used;
  // All 500 at once: 500 × ln 2 / 60.
  expect(used).toBeGreaterThan(5.5);
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
    patience.isOn = false;
    counters = await startRedis();
  });

  afterEach(async () => {
    patience.isOn = true;
    await counters.stop();
  });

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
        for (let i = 0; i < 4; i++)
          found.push((await inTime(ask(guard, { ip: `198.51.100.${trouble.length}` }))).outcome);
        expect(found).toEqual(expected);
        await eventually(() =>
          expect(lines).toEqual([expect.stringContaining("The counters are unavailable")]),
        );
        if (trouble === "freeze") counters.thaw();
        else await counters.restart();
        await eventually(async () => expect((await ask(guard, { ip: "192.0.2.1" })).trouble).toBeUndefined());
        expect(lines.at(-1)).toBe("sluice: The counters answer again.");
      }
    },
  );
});

describe("quotas of the calendar", () => {
  const monthEnd = () => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  };

  it("deny until the month of a tier ends, and headers, explain and reset know it", async () => {
    const quota = {
      name: "quota",
      client: "customer",
      algorithm: "fixed",
      match: { who: "customers" },
    } as const;
    await enforce({
      mode: "enforce",
      rules: [{ ...quota, levels: "tier" }],
      tiers: { pro: { levels: [{ limit: 2, period: "month", timeZone: "UTC" }] } },
    });
    const guard = await open();
    const request = { customerId: "acme", tier: "pro" };
    expect(await outcomes(guard, 3, request)).toEqual(["pass", "pass", "throttled"]);
    const denied = await ask(guard, request);
    expect(denied.headers["ratelimit-policy"]).toBe('"quota";q=2');
    expect(Math.abs((denied.retryAfterSeconds ?? 0) - (monthEnd() - Date.now()) / 1_000)).toBeLessThan(60);
    const explained = await guard.explain({ ip, path: "/", ...request });
    expect(explained.steps.at(-1)?.rules).toMatchObject([
      {
        used: 2,
        calendar: "month in UTC",
        says: expect.stringContaining("2 of 2 per month in UTC for acme: denied"),
      },
    ]);
    await resetCounters(by(), server.client, { id: "acme" as CustomerId, reason: "" });
    await eventually(async () => expect((await ask(guard, request)).outcome).toBe("pass"));
  });

  it("are windows of the clock where a process does not know the time zone, and the log says so", async () => {
    const levels = [{ limit: 2, period: "month", timeZone: "Europe/Berlin" }] as const;
    await enforce({
      mode: "enforce",
      rules: [{ name: "quota", client: "ip", algorithm: "fixed", levels: [...levels] }],
      tiers: {},
    });
    const text = (await server.client.get("sluice:live:policy")) ?? "";
    await server.client.set("sluice:live:policy", text.replace("Europe/Berlin", "Mars/Base"));
    const guard = await open();
    expect((await ask(guard)).headers["ratelimit-policy"]).toBe('"quota";q=2;w=2678400');
    expect(lines).toEqual([
      "sluice: this process does not know time zone Mars/Base: levels for its days and months count windows of 1 and 31 days.",
    ]);
  });

  it("are counted with slack, too: what passed at once is charged to the day", async () => {
    const levels = [{ limit: 1_000, period: "day", timeZone: "Europe/Berlin" }] as const;
    await enforce({
      mode: "enforce",
      rules: [{ name: "daily", client: "ip", algorithm: "fixed", slack: 0.5, levels: [...levels] }],
      tiers: {},
    });
    const guard = await open();
    expect(new Set(await outcomes(guard, 40))).toEqual(new Set(["pass"]));
    await eventually(async () => {
      const found = await server.client.keys("rack::attack:day-*:daily:*");
      expect(found).toHaveLength(1);
      expect(await server.client.get(found[0] ?? "")).toBe("40");
    });
  });
});
