import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readBlock } from "../ip/parse.ts";
import type { CustomerId } from "../redis/keys.ts";
import { requirePolicy } from "./check.ts";
import { CompiledPolicy, type CompileOptions } from "./compile.ts";
import { defaultPolicy } from "./defaults.ts";
import type { RuledRequest } from "./request.ts";
import type { Standing } from "./standing.ts";

const app = "storefront";
const acme = "acme" as CustomerId;
const levels = [{ limit: 5, periodSeconds: 60 }];
const base = { client: "ip", algorithm: "fixed", levels };
const tiers = { pro: { levels: [{ limit: 100, periodSeconds: 60 }] }, free: { levels } };

function policyOf(rules: readonly object[], mode = "enforce", options: Partial<CompileOptions> = {}) {
  const named = rules.map((rule, i) => ({ name: `r${i}`, ...base, ...rule }));
  return new CompiledPolicy(requirePolicy({ mode, rules: named, tiers }), { app, ...options });
}

function ask(policy: CompiledPolicy, request: RuledRequest = {}, ip = "203.0.113.9", standing?: Standing) {
  const block = readBlock(ip);
  if (!block) throw new Error(`${ip} is no address`);
  return policy.planFor(request, block, standing && acme, standing);
}

const clientOf = (rule: object, request: RuledRequest = {}, ip?: string) =>
  ask(policyOf([rule]), request, ip).clients[0];
const steps = (policy: CompiledPolicy, ...rest: [RuledRequest?, string?, Standing?]) =>
  ask(policy, ...rest).plan.steps.map(
    ({ rule, limit, periodSeconds }) => `${rule} ${limit}/${periodSeconds}`,
  );
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");
const standing = (tier?: string, override?: Standing["override"]): Standing => ({ tier, override });

describe("the policy of a fresh install", () => {
  const policy = new CompiledPolicy(defaultPolicy, { app });

  it("sends whoever is not known up the ladder, and only watches the rate", () => {
    const { plan, clients, costs, rules } = ask(policy, { path: "/" });
    expect(plan.steps).toEqual([
      {
        rule: "req/ip/1",
        algorithm: "fixed",
        limit: 300,
        periodSeconds: 300,
        overageWeight: 1,
        isShadowed: false,
      },
      {
        rule: "req/ip/2",
        algorithm: "fixed",
        limit: 600,
        periodSeconds: 1_800,
        overageWeight: 1,
        isShadowed: false,
      },
      {
        rule: "rate/ip",
        algorithm: "earrrl",
        limit: 10,
        periodSeconds: 60,
        overageWeight: 1,
        isShadowed: true,
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
    expect(steps(policy, {}, "203.0.113.9", standing(tier))).toEqual([...expected, "rate/ip 10/60"]);
    expect(ask(policy, {}, "203.0.113.9", standing(tier)).clients[0]).toBe("acme");
  });

  it("takes a customer of an unknown tier for anonymous, unless there are levels of its own", () => {
    expect(steps(policy, {}, "203.0.113.9", standing("gold"))).toEqual(steps(policy));
    expect(steps(policy, {}, "203.0.113.9", standing("gold", [{ limit: 7, periodSeconds: 9 }]))[0]).toBe(
      "req/customer 7/9",
    );
  });

  it("counts nobody as a customer whom the policy does not know", () => {
    const counting = policyOf([{ client: "customer" }]);
    expect(ask(counting, {}, "203.0.113.9", standing("gold")).clients).toEqual([]);
    expect(ask(counting, {}, "203.0.113.9", standing("pro")).clients).toEqual(["acme"]);
  });

  it.each(["/_next/static/x.js", "/assets/a/b.css", "/favicon.ico"])("leaves %s alone", (path) => {
    expect(steps(policy, { path })).toEqual([]);
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
    const plan = (path: string, who?: Standing) => ask(policy, { path }, "203.0.113.9", who).plan;
    expect(plan("/api/a")).toBe(plan("/api/b"));
    expect(plan("/api/a")).not.toBe(plan("/"));
    expect(plan("/", standing("pro"))).toBe(plan("/x", standing("pro")));
    expect(plan("/", standing("pro"))).not.toBe(plan("/", standing("free")));
    const override = [{ limit: 9, periodSeconds: 9 }];
    expect(plan("/", standing("pro", override))).toBe(plan("/", standing(undefined, override)));
  });

  it("tell apart two rules that take their levels from the same tier", () => {
    const both = policyOf([
      { client: "customer", levels: "tier", match: { only: ["/a"] } },
      { client: "customer", levels: "tier", match: { only: ["/b"] } },
    ]);
    const names = (path: string) => steps(both, { path }, "203.0.113.9", standing("free"));
    expect([names("/a"), names("/b"), names("/a")]).toEqual([["r0 5/60"], ["r1 5/60"], ["r0 5/60"]]);
  });

  it("stay right, and bounded, with more overrides than are kept", () => {
    for (let limit = 1; limit <= 25_000; limit++) {
      const { plan } = ask(policy, {}, "203.0.113.9", standing("pro", [{ limit, periodSeconds: 60 }]));
      expect(plan.steps[1]?.limit).toBe(limit);
    }
  });
});

describe("who is counted", () => {
  it.each<[unknown, RuledRequest, string | undefined]>([
    ["ip", {}, "203.0.113.9"],
    ["path", { path: "/Shop?q=1" }, "/Shop"],
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

  it("cannot be told without that function, and operators hear of it", () => {
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
  for (const nonsense of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(costs(nonsense)).toEqual([1, 7, 1]);
  }
  expect(costs(Number.MAX_SAFE_INTEGER)).toEqual([1, 7, 1e12 + 1]);
});
