import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { definePolicy, type PolicyInput } from "../policy/define.ts";
import { createGuard, type GuardOptions } from "./guard.ts";
import { createTestGuard, verdicts } from "./test-guard.ts";

const login: PolicyInput["rules"][number] = {
  name: "login",
  match: { only: ["/login"] },
  client: "ip",
  algorithm: "fixed",
  levels: [{ limit: 2, periodSeconds: 60 }],
};
const tiered: PolicyInput["rules"][number] = {
  name: "api",
  client: "customer",
  algorithm: "fixed",
  levels: "tier",
};
const policy = definePolicy({
  mode: "enforce",
  rules: [login, tiered],
  tiers: {
    free: { levels: [{ limit: 1, periodSeconds: 3_600 }] },
    pro: { levels: [{ limit: 3, periodSeconds: 3_600 }] },
  },
});
const ip = "203.0.113.9";
const request = { ip, path: "/login" };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("a guard for tests", () => {
  it("counts by a clock that moves only when it is advanced", async () => {
    const guard = createTestGuard({ policy });
    const next = async () => (await guard.check(request)).outcome;
    expect([await next(), await next(), await next()]).toEqual(["pass", "pass", "throttled"]);
    guard.advance(45_000);
    expect(await guard.check(request)).toMatchObject({
      ...{ status: 429, rule: "login", limit: 2, remaining: 0, retryAfterSeconds: 15 },
      headers: { "retry-after": "15", ratelimit: '"login";r=0;t=15' },
    });
    guard.advance(15_000);
    expect(await next()).toBe("pass");
  });

  it("has lists, whose entries end with its clock", async () => {
    const guard = createTestGuard({
      safelist: ["203.0.113.0/24"],
      blocklist: ["203.0.113.9", "2001:db8::/64"],
    });
    const outcome = async (of: string) => (await guard.check({ ip: of })).outcome;
    expect(await outcome(ip)).toBe("safelisted");
    expect(await outcome("2001:db8::7")).toBe("blocked");
    guard.unblock("2001:db8::/64");
    expect(await outcome("2001:db8::7")).toBe("pass");
    guard.block("198.51.100.7", { ttlMs: 60_000 });
    guard.block("198.51.100.8", { ttlMs: 61_000, reason: "scraper" });
    guard.safelist("198.51.100.9", { ttlMs: 60_000 });
    expect(await outcome("198.51.100.7")).toBe("blocked");
    guard.advance(60_000);
    expect(await outcome("198.51.100.7")).toBe("pass");
    expect(await outcome("198.51.100.9")).toBe("pass");
    expect(await outcome("198.51.100.8")).toBe("blocked");
    const { says, steps } = await guard.explain({ ip: "198.51.100.8" });
    expect(says).toBe("198.51.100.8 is blocked (403) by blocklist entry 198.51.100.8.");
    expect(steps[2]?.says).toBe("198.51.100.8 is on the blocklist by test (scraper): it is blocked.");
    guard.advance(1_000);
    expect((await guard.explain({ ip: "198.51.100.8" })).outcome).toBe("pass");
  });

  it("bans a client that a rule denies too often", async () => {
    const ban = { after: 2, withinSeconds: 600, forSeconds: 3_600, capSeconds: 86_400 };
    const guard = createTestGuard({ policy: { mode: "enforce", rules: [{ ...login, ban }], tiers: {} } });
    const outcomes: string[] = [];
    for (let i = 0; i < 5; i++) outcomes.push((await guard.check(request)).outcome);
    expect(outcomes).toEqual(["pass", "pass", "throttled", "throttled", "blocked"]);
    expect(await guard.check({ ip, path: "/" })).toMatchObject({ status: 403, rule: `blocklist:${ip}` });
    guard.advance(3_600_000);
    expect((await guard.check(request)).outcome).toBe("pass");
  });

  it.each([
    ["127.0.0.1", /^127\.0\.0\.1 overlaps .* X-Forwarded-For, and block that address\.$/],
    ["192.0.2.0/24", /^192\.0\.2\.0\/24 overlaps 192\.0\.2\.7, which is a protected range/],
    ["10.0.0.0/8", /wider than \/16/],
    ["203.0.113.9/24", /the range is 203\.0\.113\.0\/24/],
  ])("does not block %s, as no list would", (address, message) => {
    const guard = createTestGuard({ neverBlock: "192.0.2.7" });
    expect(() => guard.block(address)).toThrow(message);
    expect(() => createTestGuard({ neverBlock: "192.0.2.7", blocklist: [address] })).toThrow(message);
  });

  it("has customers", async () => {
    const guard = createTestGuard({ policy, customers: { acme: { tier: "pro" } } });
    const limitOf = async (customerId: string) => {
      const { headers } = await guard.check({ ip, path: "/", customerId });
      return headers["ratelimit-policy"];
    };
    expect(await limitOf("acme")).toBe('"api";q=3;w=3600');
    expect(await limitOf("stranger")).toBeUndefined();
    guard.setCustomer("acme", { tier: "pro", limits: [{ limit: 9, periodSeconds: 60 }] });
    expect(await limitOf("acme")).toBe('"api";q=9;w=60');
    guard.setCustomer("acme", {});
    expect(await limitOf("acme")).toBeUndefined();
    expect(() => guard.setCustomer("acme", { tier: "gold" })).toThrow(
      'no tier "gold". Its tiers are free, pro.',
    );
    expect(() => guard.setCustomer("no id", {})).toThrow("is not a customer id");
    expect(() => guard.setCustomer("acme", { limits: [] })).toThrow("write at least one level");
  });

  it("takes another policy, and keeps its counts", async () => {
    const guard = createTestGuard({ policy });
    await guard.check(request);
    guard.setPolicy({
      mode: "enforce",
      rules: [{ ...login, algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 60 }] }],
      tiers: {},
    });
    expect(await guard.check(request)).toMatchObject({ outcome: "throttled", limit: 1 });
    guard.setPolicy({ ...policy, mode: "off" });
    expect((await guard.check(request)).outcome).toBe("pass");
  });

  it("answers as a test says, and keeps what was asked", async () => {
    const guard = createTestGuard({ policy });
    guard.answer(verdicts.throttled({ rule: "export", retryAfterSeconds: 30, limit: 10, message: "Later." }));
    for (let i = 0; i < 3; i++)
      expect(await guard.check(request)).toMatchObject({
        ...{ outcome: "throttled", status: 429, rule: "export", limit: 10, remaining: 0 },
        ...{ retryAfterSeconds: 30, message: "Later." },
        headers: { "retry-after": "30", "ratelimit-policy": '"export";q=10;w=60' },
      });
    guard.answer(verdicts.blocked("203.0.113.0/24"));
    expect(await guard.check(request)).toMatchObject({ status: 403, rule: "blocklist:203.0.113.0/24" });
    guard.answer(verdicts.pass());
    expect(await guard.check(request)).toMatchObject({ outcome: "pass", status: 200 });
    guard.answer(undefined);
    expect((await guard.check({ ip, path: "/login", method: "POST" })).headers.ratelimit).toContain("r=1");
    expect(guard.checked).toEqual([...Array(5).fill(request), { ...request, method: "POST" }]);
  });

  it("believes X-Forwarded-For from this machine and from requests without a socket", () => {
    const guard = createTestGuard();
    for (const peer of ["::ffff:127.0.0.1", "::1", undefined]) expect(guard.clientAddress(peer, ip)).toBe(ip);
    expect(guard.clientAddress("198.51.100.7", ip)).toBe("198.51.100.7");
    expect(createTestGuard({ trustedProxies: 2 }).clientAddress(undefined, `${ip}, 10.0.0.1`)).toBe(ip);
  });

  it("follows another clock", async () => {
    vi.useFakeTimers();
    const guard = createTestGuard({ policy, now: Date.now });
    for (let i = 0; i < 3; i++) await guard.check(request);
    vi.advanceTimersByTime(60_000);
    expect((await guard.check(request)).outcome).toBe("pass");
    const fixed = createTestGuard({ policy, now: new Date("2026-03-01T00:00:59Z") });
    for (let i = 0; i < 2; i++) await fixed.check(request);
    expect((await fixed.check(request)).retryAfterSeconds).toBe(1);
    expect(() => fixed.advance(-1)).toThrow("from 0");
  });

  it("does all that under fake timers, and leaves none", async () => {
    vi.useFakeTimers();
    const guard = createTestGuard({ policy });
    await guard.ready();
    await guard.check(request);
    await guard.explain(request);
    expect(guard.status()).toMatchObject({ state: "ready", why: undefined });
    await guard.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('redis: "memory:"', () => {
  // In the middle of a window.
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:05Z") }));

  const lines: string[] = [];
  const open = (options: Partial<GuardOptions> = {}) =>
    createGuard({ redis: "memory:", app: "shop", policy, log: (line) => lines.push(line), ...options });

  it("enforces the policy that it is given, or that of a fresh install", async () => {
    const guard = open();
    for (let i = 0; i < 2; i++) await guard.check(request);
    expect(await guard.check(request)).toMatchObject({ outcome: "throttled", rule: "login" });
    await guard.close();
    const fresh = open({ policy: undefined });
    expect((await fresh.check(request)).headers["ratelimit-policy"]).toContain('"req/ip/1";q=300;w=300');
    await fresh.close();
  });

  it("shares counts and the latest policy with guards of the same app, until the last of them closes", async () => {
    const [one, two] = [open(), open()];
    for (let i = 0; i < 2; i++) await one.check(request);
    expect((await two.check(request)).outcome).toBe("throttled");
    const three = open({ policy: { ...policy, rules: [] } });
    expect((await one.check(request)).outcome).toBe("pass");
    const four = open();
    for (const guard of [one, two, three]) await guard.close();
    expect((await four.check(request)).outcome).toBe("throttled");
    await four.close();
    const fresh = open();
    expect((await fresh.check(request)).outcome).toBe("pass");
    await fresh.close();
  });

  it("says once outside of development that nothing is shared or kept", async () => {
    vi.stubEnv("NODE_ENV", "production");
    lines.length = 0;
    const guards = [open(), open()];
    expect(lines).toEqual([
      expect.stringMatching(/^sluice: app shop has redis: "memory:"\. .* this process alone: .* lost/),
    ]);
    for (const guard of guards) await guard.close();
    vi.stubEnv("NODE_ENV", "development");
    await open().close();
    expect(lines).toHaveLength(1);
  });
});
