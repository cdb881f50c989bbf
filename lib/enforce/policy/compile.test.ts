import { createHash } from "node:crypto";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { at } from "../../at.ts";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { StoredLimits } from "./client.ts";
import { CompiledPolicy, type CompileOptions, mostScopes } from "./compile.ts";
import type { Level } from "./levels.ts";
import type { Scope, ScopeCounter } from "./match.ts";
import type { RuledRequest } from "./request.ts";
import { requirePolicy } from "./schema.ts";
import { defaultPolicy } from "./stored.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const app = "storefront";
const acme = "acme" as CustomerId;
const levels = [{ limit: 5, periodSeconds: 60 }];
const base = { client: "ip", algorithm: "fixed", levels };
const tiers = { pro: { levels: [{ limit: 100, periodSeconds: 60 }] }, free: { levels } };

function policyOf(rules: readonly object[], mode = "enforce", options: Partial<CompileOptions> = {}) {
  const named = rules.map((rule, i) => ({ name: `r${i}`, ...base, ...rule }));
  return new CompiledPolicy(requirePolicy({ mode, rules: named, tiers }), { app, ...options });
}

function ask(policy: CompiledPolicy, request: RuledRequest = {}, ip = "203.0.113.9", stored?: StoredLimits) {
  const block = new ClientAddress(blockOf(ip as Ip));
  return policy.planFor(request, block, stored && policy.callerOf(acme, stored));
}

const clientOf = (rule: object, request: RuledRequest = {}, ip?: string) =>
  ask(policyOf([rule]), request, ip).clients[0];
const steps = (policy: CompiledPolicy, ...rest: [RuledRequest?, string?, StoredLimits?]) =>
  ask(policy, ...rest).plan.steps.map(
    ({ rule, limit, periodSeconds }) => `${rule} ${limit}/${periodSeconds}`,
  );
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");
const stored = (tier?: string, override?: StoredLimits["override"]): StoredLimits => ({ tier, override });

describe("the policy of a fresh install", () => {
  const policy = new CompiledPolicy(defaultPolicy, { app });

  it("sends an anonymous client up the ladder, and only watches the rate", () => {
    const { plan, clients, costs, rules } = ask(policy, { path: "/" });
    expect(plan.steps).toEqual([
      {
        rule: "req/ip/1",
        algorithm: "fixed",
        limit: 300,
        periodSeconds: 300,
        overageWeight: 1,
        isShadowed: false,
        slack: 0.1,
      },
      {
        rule: "req/ip/2",
        algorithm: "fixed",
        limit: 600,
        periodSeconds: 1_800,
        overageWeight: 1,
        isShadowed: false,
        slack: 0.1,
      },
      {
        rule: "rate/ip",
        algorithm: "earrrl",
        limit: 10,
        periodSeconds: 60,
        overageWeight: 1,
        isShadowed: true,
        slack: 0.1,
      },
    ]);
    expect([clients, costs]).toEqual([Array(3).fill("203.0.113.9"), [1, 1, 1]]);
    expect(rules.map(({ name }) => name)).toEqual(["req/ip/1", "req/ip/2", "rate/ip"]);
  });

  it.each([
    ["free", ["req/customer 100/3600"]],
    ["pro", ["req/customer 100/60", "req/customer 5000/3600"]],
    ["enterprise", ["req/customer 200/60", "req/customer 10000/3600"]],
  ])("counts a customer of tier %s by its levels", (tier, expected) => {
    expect(steps(policy, {}, "203.0.113.9", stored(tier))).toEqual([...expected, "rate/ip 10/60"]);
    expect(ask(policy, {}, "203.0.113.9", stored(tier)).clients[0]).toBe("acme");
  });

  it("takes a customer of an unknown tier for anonymous, unless there are levels of its own", () => {
    expect(steps(policy, {}, "203.0.113.9", stored("gold"))).toEqual(steps(policy));
    expect(steps(policy, {}, "203.0.113.9", stored("gold", [{ limit: 7, periodSeconds: 9 }]))[0]).toBe(
      "req/customer 7/9",
    );
  });

  it("counts a customer without limits of its own by its id, where anonymous clients are counted by address", () => {
    const clients = ask(policy, {}, "203.0.113.9", stored("gold")).clients;
    expect(clients).toEqual(["customer:acme", "customer:acme", "203.0.113.9"]);
    const rules = [
      { client: { all: ["ip", "path"] }, match: { who: "anonymous" } },
      { client: "broad", match: { who: "anonymous" } },
      { client: { all: ["ip", "path"] } },
      { client: "customer" },
      { client: "customer", match: { who: "customers" } },
    ];
    const mixed = ask(policyOf(rules), { path: "/a" }, "203.0.113.9", stored()).clients;
    expect(mixed).toEqual(["customer:acme|/a", "203.0.113.9:", "203.0.113.9|/a", "acme"]);
  });

  it("counts a customer by a rule for customers, or for anyone, as far as the rule has levels for it", () => {
    const counting = policyOf([{ client: "customer" }, { client: "customer", levels: "tier" }]);
    expect(steps(counting, {}, "203.0.113.9", stored("gold"))).toEqual(["r0 5/60"]);
    expect(steps(counting, {}, "203.0.113.9", stored("pro"))).toEqual(["r0 5/60", "r1 100/60"]);
    expect(steps(counting)).toEqual([]);
  });

  it("puts a customer without a tier of the policy into the default tier", () => {
    const usual = new CompiledPolicy({ ...defaultPolicy, defaultTier: "pro" }, { app });
    const ofPro = steps(usual, {}, "203.0.113.9", stored("pro"));
    for (const known of [stored(), stored("gold")])
      expect(steps(usual, {}, "203.0.113.9", known)).toEqual(ofPro);
    expect(steps(usual, {}, "203.0.113.9", stored("free"))).not.toEqual(ofPro);
    const override = [{ limit: 7, periodSeconds: 9 }];
    expect(steps(usual, {}, "203.0.113.9", stored("gold", override))[0]).toBe("req/customer 7/9");
  });

  it("leaves alone what Next serves from disk, and nothing else that an app may render", () => {
    expect(steps(policy, { path: "/_next/static/x.js" })).toEqual([]);
    for (const path of ["/static/x", "/assets/x", "/favicon.ico", "/robots.txt/x", "/_next/image"])
      expect(steps(policy, { path })).toEqual(["req/ip/1 300/300", "req/ip/2 600/1800", "rate/ip 10/60"]);
  });

  it("leaves the console alone", () => {
    expect(steps(new CompiledPolicy(defaultPolicy, { app: "console" }))).toEqual([]);
  });
});

describe("modes", () => {
  const rules = [{}, { mode: "shadow" }, { mode: "off" }];

  it("shadow one rule, or all of them", () => {
    const shadowed = (mode: string) =>
      ask(policyOf(rules, mode)).plan.steps.map(({ isShadowed }) => isShadowed);
    expect(shadowed("enforce")).toEqual([false, true]);
    expect(shadowed("shadow")).toEqual([true, true]);
    expect(shadowed("off")).toEqual([]);
  });
});

describe("plans", () => {
  const policy = policyOf([{}, { match: { only: ["/api"] } }, { client: "customer", levels: "tier" }]);

  it("are one and the same for requests that take the same steps", () => {
    const plan = (path: string, who?: StoredLimits) => ask(policy, { path }, "203.0.113.9", who).plan;
    expect(plan("/api/a")).toBe(plan("/api/b"));
    expect(plan("/api/a")).not.toBe(plan("/"));
    expect(plan("/", stored("pro"))).toBe(plan("/x", stored("pro")));
    expect(plan("/", stored("pro"))).not.toBe(plan("/", stored("free")));
    const override = [{ limit: 9, periodSeconds: 9 }];
    expect(plan("/", stored("pro", override))).toBe(plan("/", stored(undefined, override)));
  });

  it("tell apart two rules that take their levels from the same tier", () => {
    const both = policyOf([
      { client: "customer", levels: "tier", match: { only: ["/a"] } },
      { client: "customer", levels: "tier", match: { only: ["/b"] } },
    ]);
    const names = (path: string) => steps(both, { path }, "203.0.113.9", stored("free"));
    expect([names("/a"), names("/b"), names("/a")]).toEqual([["r0 5/60"], ["r1 5/60"], ["r0 5/60"]]);
  });

  it("stay right, and bounded, with more overrides than are kept", () => {
    for (let limit = 1; limit <= 25_000; limit++) {
      const { plan } = ask(policy, {}, "203.0.113.9", stored("pro", [{ limit, periodSeconds: 60 }]));
      expect(plan.steps[1]?.limit).toBe(limit);
    }
  });
});

describe("who is counted", () => {
  it.each<[unknown, RuledRequest, string | undefined]>([
    ["ip", {}, "203.0.113.9"],
    ["path", { path: "/Shop?q=1" }, "/Shop"],
    ["path", { path: "/login;v=1" }, "/login"],
    ["path", { path: "/shop%3bv=1/login;x" }, "/shop/login"],
    ["path", { path: "/%6cogin?q=1" }, "/login"],
    ["path", { path: "//login" }, "/login"],
    ["path", { path: "/a/../login" }, "/login"],
    [{ header: "X-Api-Key" }, { headers: { "x-api-key": "k1" } }, "k1"],
    [{ header: "X-Api-Key" }, { headers: { "X-API-Key": "k1" } }, "k1"],
    [{ header: "X-Api-Key" }, { headers: new Headers({ "X-Api-Key": "k1" }) }, "k1"],
    [{ header: "X-Api-Key" }, { headers: { "x-api-key": ["a", "b"] } }, "a, b"],
    [{ header: "X-Api-Key" }, { headers: {} }, undefined],
    [{ header: "X-Api-Key" }, {}, undefined],
    [{ header: "X-Api-Key" }, { headers: { "x-api-key": "  " } }, undefined],
    [{ cookie: "sid" }, { headers: { cookie: "xsid=1; sid=abc; sid=2" } }, "abc"],
    [{ cookie: "sid" }, { headers: { cookie: "xsid=1" } }, undefined],
    ["user", { headers: { authorization: `Basic ${btoa("Joe:a:b")}` } }, "Joe"],
    ["user", { user: "ann", headers: { authorization: `Basic ${btoa("Joe:a:b")}` } }, "ann"],
    ["user", {}, undefined],
    ["customer", {}, undefined],
    [{ all: ["ip", { header: "x-api-key" }] }, { headers: { "x-api-key": "a|b%" } }, "203.0.113.9|a%7Cb%25"],
    [{ all: ["ip", { header: "x-api-key" }] }, {}, undefined],
  ])("%j of %j", (client, request, expected) => {
    expect(clientOf({ client }, request)).toBe(expected);
  });

  it("is an IPv6 network, of the length that the rule wants", () => {
    const ip = "2001:db8:1:2:3:4:5:6";
    expect(clientOf({}, {}, ip)).toBe("2001:db8:1:2::/64");
    expect(clientOf({ ipv6Prefix: 48 }, {}, ip)).toBe("2001:db8:1::/48");
    expect(clientOf({}, {}, "::ffff:203.0.113.9")).toBe("203.0.113.9");
  });

  it("is a fingerprint, told by its digest when it is long", () => {
    const request = {
      host: "Shop.example.com:8443",
      path: "/Foo?x=1",
      method: "POST",
      headers: { "user-agent": "sqlmap/1.8" },
    };
    const standard = "shop.example.com:/Foo:POST:203.0.113.9:sqlmap/1.8";
    expect(clientOf({ client: "standard" }, request)).toBe(standard);
    expect(clientOf({ client: "broad" }, request)).toBe("203.0.113.9:sqlmap/1.8");
    const long = { ...request, headers: { "user-agent": "x".repeat(300) } };
    expect(clientOf({ client: "broad" }, long)).toBe(sha1(`203.0.113.9:${"x".repeat(256)}`));
    expect(clientOf({ client: "broad" }, {}, "2001:db8::1")).toBe("2001:db8::1:");
  });

  it("is what the app's own function says, whatever that does", () => {
    const code = (identify: () => unknown) => {
      const clients = { tenant: identify as () => string };
      return ask(policyOf([{ client: { code: "tenant" } }], "enforce", { clients })).clients[0];
    };
    expect(code(() => "T1")).toBe("T1");
    expect(code(() => undefined)).toBeUndefined();
    expect(code(() => 5)).toBeUndefined();
    expect(
      code(() => {
        throw new Error("x");
      }),
    ).toBeUndefined();
  });

  it("is unknown without that function, and operators hear of it", () => {
    const policy = policyOf([{ client: { code: "toString" } }, {}]);
    expect(policy.problems).toEqual([
      "rule r0 counts by code that app storefront does not give: see createGuard({ clients })",
    ]);
    expect(steps(policy)).toEqual(["r1 5/60"]);
  });

  it("is short, and holds nothing that could break a key", () => {
    const header = (value: string) => clientOf({ client: { header: "k" } }, { headers: { k: value } });
    expect(header("x".repeat(128))).toBe("x".repeat(128));
    expect(header("x".repeat(129))).toBe(sha1("x".repeat(129)));
    expect(header("a\r\nb")).toBe(sha1("a\r\nb"));
    expect(header("a\x9bb")).toBe(sha1("a\x9bb"));
    expect(header("ü".repeat(100))).toBe(sha1("ü".repeat(100)));
    expect(header("ü")).toBe("ü");
  });
});

describe("a rule for Basic users", () => {
  const rule = { client: "user", requireBasic: true };
  const refused = (authorization: string | undefined, given: object = rule) =>
    ask(policyOf([given]), authorization === undefined ? {} : { headers: { authorization } }).badRequest
      ?.name;

  it("refuses an Authorization header that names none", () => {
    expect(refused("Bearer abc")).toBe("r0");
    expect(refused("Basic !!!")).toBe("r0");
    expect(refused(`Basic ${btoa("joe:secret")}`)).toBeUndefined();
    expect(refused(undefined)).toBeUndefined();
  });

  it("refuses nothing in shadow mode, or when it does not ask for users", () => {
    expect(refused("Bearer abc", { ...rule, mode: "shadow" })).toBeUndefined();
    expect(refused("Bearer abc", { client: "user" })).toBeUndefined();
  });

  it("leaves it to the app when that has said who it is", () => {
    const headers = { authorization: "Bearer abc" };
    expect(ask(policyOf([rule]), { user: "joe", headers })).toMatchObject({
      badRequest: undefined,
      clients: ["joe"],
    });
  });
});

it("weighs what the rule says, or what the app says a request costs", () => {
  const costs = (cost: number | undefined) =>
    ask(policyOf([{}, { cost: 7 }, { cost: "request" }]), cost === undefined ? {} : { cost }).costs;
  expect(costs(undefined)).toEqual([1, 7, 1]);
  expect(costs(250)).toEqual([1, 7, 250]);
  expect(costs(0)).toEqual([1, 7, 0]);
  for (const part of [2.5, 2.001]) expect(costs(part)).toEqual([1, 7, 3]);
  for (const nonsense of [-1, Number.NaN, Number.NEGATIVE_INFINITY]) {
    expect(costs(nonsense)).toEqual([1, 7, 1]);
  }
  for (const huge of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    expect(costs(huge)).toEqual([1, 7, 1e12 + 1]);
  }
});

describe("scopes that statistics count", () => {
  const counting = (scopes: Scope[]) => ({
    countScopes: (asked: readonly Scope[]) => {
      scopes.push(...asked);
      const counters = asked.map((scope): [string, ScopeCounter] => [
        scope.key,
        { scope, add: () => {}, see: () => {} },
      ]);
      return new Map(counters);
    },
  });

  it("are those of rules in force with limits of their own, each once, with the shortest buckets", () => {
    const scopes: Scope[] = [];
    const login = { match: { only: ["/login"] } };
    const rules = [
      {},
      login,
      { ...login, levels: [{ limit: 1, periodSeconds: 10 }] },
      { match: { only: ["/off"] }, mode: "off" },
      { match: { only: ["/other"], apps: ["docs"] } },
      { client: "customer", levels: "tier" },
      { algorithm: "earrrl", levels: [{ limitPerSecond: 1, halfLifeSeconds: 60 }] },
    ];
    const policy = policyOf(rules, "enforce", counting(scopes));
    expect(scopes.map(({ seconds, isBroad }) => [seconds, isBroad])).toEqual([
      [60, true],
      [10, false],
    ]);
    const { seenBy } = ask(policy, { path: "/login" });
    expect([seenBy.broad?.length, seenBy.narrow.map(({ step }) => step)]).toEqual([1, [1]]);
    expect(ask(policy, { path: "/" }).seenBy.narrow).toEqual([]);
  });

  it("are bounded, and none while the policy is off", () => {
    const [scopes, ofOff]: Scope[][] = [[], []];
    const rules = Array.from({ length: 20 }, (_, i) => ({ match: { only: [`/${i}`] } }));
    policyOf(rules, "enforce", counting(scopes ?? []));
    policyOf(rules, "off", counting(ofOff ?? []));
    expect([scopes?.length, ofOff?.length]).toEqual([mostScopes, 0]);
  });
});

describe("a tier or limits that the app's session gives", () => {
  const own = [{ limit: 7, periodSeconds: 60 }];
  const perMinute = (limit: number) => [{ limit, periodSeconds: 60 }];
  const compile = (defaultTier?: string) =>
    new CompiledPolicy(
      requirePolicy({
        mode: "enforce",
        rules: [
          { name: "c", client: "customer", algorithm: "fixed", levels: "tier", match: { who: "customers" } },
        ],
        tiers: {
          free: { levels: perMinute(1) },
          pro: { levels: perMinute(2) },
          max: { levels: perMinute(3) },
        },
        ...(defaultTier !== undefined && { defaultTier }),
      }),
      { app },
    );

  it.each([
    ["override", stored("pro", perMinute(4)), { tier: "max", limits: own }, 4],
    ["session-limits", stored("pro"), { tier: "max", limits: own }, 7],
    ["tier", stored("pro"), { tier: "max" }, 2],
    ["session-tier", stored("gone"), { tier: "max" }, 3],
    ["session-tier", undefined, { tier: "max" }, 3],
    ["default-tier", undefined, {}, 1],
  ])(
    "is decided by the first of override, session's limits, tier, session's tier, default tier: %s",
    (from, kept, given, limit) => {
      const { limits, ignored } = compile("free").callerOf(acme, kept, given);
      expect([limits?.from, limits?.levels[0]?.limit, ignored]).toEqual([from, limit, undefined]);
    },
  );

  it.each([
    [{ tier: "gold" }, { field: "tier", says: 'the policy has no tier "gold"' }],
    [{ tier: 5 }, { field: "tier", says: "the policy has no tier a number" }],
    [{ limits: [] }, { field: "limits", says: "the list: write at least one level" }],
    [{ limits: "60:5" }, { field: "limits", says: expect.stringContaining("write a list of levels") }],
    [
      { limits: [{ limit: -1, periodSeconds: 60 }] },
      { field: "limits", says: "[0].limit: write a whole number from 0 to 1,000,000,000,000" },
    ],
    [{ limits: [{ limit: 5, periodSeconds: Number.NaN }] }, { field: "limits" }],
    [{ limits: [null] }, { field: "limits" }],
    [{ limits: Array(9).fill(own[0]) }, { field: "limits" }],
  ])("is ignored where the policy cannot use it: %j", (given, ignored) => {
    const caller = compile("free").callerOf(acme, undefined, given as RuledRequest);
    expect(caller.limits?.from).toBe("default-tier");
    expect(caller.ignored).toMatchObject(ignored);
  });

  it("uses the session's tier where its limits are ignored", () => {
    const caller = compile().callerOf(acme, undefined, { tier: "max", limits: [] });
    expect([caller.limits?.from, caller.ignored?.field]).toEqual(["session-tier", "limits"]);
  });

  it("shares a plan between customers of equal limits, which the app may change later", () => {
    const policy = compile();
    const client = new ClientAddress(blockOf("203.0.113.9" as Ip));
    const planOf = (id: string, limits: readonly Level[]) =>
      policy.planFor({}, client, policy.callerOf(id as CustomerId, undefined, { limits })).plan;
    const mutable = [{ limit: 7, periodSeconds: 60 }];
    const plan = planOf("acme", mutable);
    expect(planOf("other", [{ ...at(own, 0) }])).toBe(plan);
    at(mutable, 0).limit = 100;
    expect(planOf("third", own)).toBe(plan);
    expect(plan.steps[0]?.limit).toBe(7);
    expect(planOf("acme", mutable).steps[0]?.limit).toBe(100);
  });

  it("keeps the memory of a process bounded, however many limits a session gives", () => {
    const policy = compile();
    const client = new ClientAddress(blockOf("203.0.113.9" as Ip));
    const heap = () => {
      collect();
      return getHeapStatistics().used_heap_size;
    };
    const send = (from: number, count: number) => {
      for (let i = from; i < from + count; i++)
        policy.planFor({}, client, policy.callerOf(acme, undefined, { limits: perMinute(1 + i) }));
    };
    send(0, 25_000);
    const before = heap();
    send(25_000, 50_000);
    expect(heap() - before).toBeLessThan(5e6);
  });
});
